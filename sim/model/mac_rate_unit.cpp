// Whole cycles, one task after another.
#include "sim/model/mac_rate_unit.hpp"

#include <algorithm>

namespace tessera::sim {

MacRateUnit::MacRateUnit(arch::MacRateUnitSpec const& spec, Clock clock, TaskGraph const& graph,
                         BusyHistogram& utilisation)
    : ProcessingUnit{clock, graph},
      macs_per_cycle_{spec.macs_per_cycle},
      utilisation_{utilisation} {
  EXPECTS(macs_per_cycle_ > 0, macs_per_cycle_);
}

MacRateUnit::Result MacRateUnit::compute(Task const& task, Cycles first) {
  std::int64_t const length = std::max(std::int64_t{1}, tessera::detail::multiply_divide_ceil(
                                                            task.macs.value(), 1, macs_per_cycle_));
  Time const start = clock().edge(first);
  Time const end = clock().edge(first + Cycles{length});

  utilisation_.add(start, end);
  statistics_[busy].add((end - start).value());
  statistics_[task_macs].add(task.macs.value());
  statistics_[tasks].add(1);
  statistics_[buffer_accesses].add(task.buffer_accesses.value());
  return {end};
}

}  // namespace tessera::sim
