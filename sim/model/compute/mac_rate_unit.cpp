#include "sim/model/compute/mac_rate_unit.hpp"

#include <algorithm>

namespace tessera::sim {

MacRateUnit::MacRateUnit(arch::MacRateUnitSpec const& spec, MessageClock clock,
                         TaskGraph const& graph, BusyHistogram& utilisation)
    : TimedUnit{clock, graph, utilisation}, macs_per_cycle_{spec.macs_per_cycle} {
  EXPECTS(macs_per_cycle_ > 0, macs_per_cycle_);
}

Cycles MacRateUnit::length_of(Task const& task) const {
  return Cycles{std::max(std::int64_t{1}, tessera::detail::multiply_divide_ceil(
                                              task.macs.value(), 1, macs_per_cycle_))};
}

}  // namespace tessera::sim
