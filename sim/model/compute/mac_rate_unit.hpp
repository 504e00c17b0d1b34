// A processing unit that computes at its peak rate.
#pragma once

#include "arch/array/array_spec.hpp"
#include "sim/model/compute/timed_unit.hpp"

namespace tessera::sim {

/// A task takes ceil(macs / macs_per_cycle) cycles, at least one. All PEs busy in every cycle is
/// what HyPar's published performance implies (its times follow from MACs over 168 PEs alone).
///
/// Leaves out: the mapping onto PEs, fill and drain, stalls for the buffer.
class MacRateUnit final : public TimedUnit {
 public:
  MacRateUnit(arch::MacRateUnitSpec const& spec, MessageClock clock, TaskGraph const& graph,
              BusyHistogram& utilisation);

  [[nodiscard]] char const* kind() const override { return "MAC rate"; }

 private:
  [[nodiscard]] Cycles length_of(Task const& task) const override;

  std::int64_t macs_per_cycle_;
};

}  // namespace tessera::sim
