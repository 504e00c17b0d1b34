// A processing unit that knows how long a task takes when it begins it.
#pragma once

#include <vector>

#include "sim/model/compute/processing_unit.hpp"
#include "sim/model/record/busy_histogram.hpp"

namespace tessera::sim {

/// Takes compute tasks in order of arrival, one at a time: a task starts at the first clock edge at
/// which the unit is free, and keeps it busy for a whole number of cycles; the dispatcher hears of
/// it one clock after the last. Buffer accesses are counted, for energy, but take no time of their
/// own.
class TimedUnit : public ProcessingUnit {
 public:
  [[nodiscard]] std::vector<Statistic> const& statistics() const final { return statistics_; }

 protected:
  /// `graph` and `utilisation` must outlive the unit.
  TimedUnit(MessageClock clock, TaskGraph const& graph, BusyHistogram& utilisation)
      : ProcessingUnit{clock, graph}, utilisation_{utilisation} {}

 private:
  enum Counter : std::size_t { busy, task_macs, tasks, buffer_accesses };

  [[nodiscard]] virtual Cycles length_of(Task const& task) const = 0;
  [[nodiscard]] Result compute(Task const& task, Cycles first) final;

  BusyHistogram& utilisation_;
  std::vector<Statistic> statistics_{
      {"busy", "ps"}, {"macs", "MAC"}, {"tasks", "1"}, {"buffer_accesses", "1"}};
};

}  // namespace tessera::sim
