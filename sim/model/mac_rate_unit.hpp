// A processing unit that computes at its peak rate.
#pragma once

#include <vector>

#include "arch/array_spec.hpp"
#include "sim/model/busy_histogram.hpp"
#include "sim/model/processing_unit.hpp"

namespace tessera::sim {

/// Takes compute tasks in order of arrival, one at a time. A task starts at the first clock edge
/// at which the unit is free and takes ceil(macs / macs_per_cycle) cycles, at least one; the
/// dispatcher hears of it one clock after the last. All PEs busy in every cycle is what HyPar's
/// published performance implies (its times follow from MACs over 168 PEs alone).
///
/// Leaves out: the mapping onto PEs, fill and drain, stalls for the buffer (accesses are counted,
/// for energy, but take no time of their own).
class MacRateUnit final : public ProcessingUnit {
 public:
  MacRateUnit(arch::MacRateUnitSpec const& spec, Clock clock, TaskGraph const& graph,
              BusyHistogram& utilisation);

  [[nodiscard]] std::vector<Statistic> const& statistics() const override { return statistics_; }

 private:
  enum Counter : std::size_t { busy, task_macs, tasks, buffer_accesses };

  [[nodiscard]] Result compute(Task const& task, Cycles first) override;

  std::int64_t macs_per_cycle_;
  BusyHistogram& utilisation_;

  std::vector<Statistic> statistics_{
      {"busy", "ps"}, {"macs", "MAC"}, {"tasks", "1"}, {"buffer_accesses", "1"}};
};

}  // namespace tessera::sim
