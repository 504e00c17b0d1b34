// What the cores of a run write to.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "sim/model/memory/dram/dram_command.hpp"
#include "sim/model/record/breakdown.hpp"
#include "sim/model/record/busy_histogram.hpp"
#include "sim/model/record/journal.hpp"

namespace tessera::sim {

/// Output only: no core's behaviour depends on what is in here.
struct Records {
  explicit Records(TaskGraph const& tasks) : journal{tasks.size()} {}

  Journal journal;
  Breakdown breakdown;
  std::map<std::string, BusyHistogram> utilisation;
  /// Where the commands of detailed memories go, those of one accelerator in order of time; unset:
  /// nobody asked.
  std::function<void(AcceleratorId, Time, DramCommand const&)> commands;
};

}  // namespace tessera::sim
