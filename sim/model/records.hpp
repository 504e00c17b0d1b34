// What the cores of a run write to.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "sim/model/breakdown.hpp"
#include "sim/model/busy_histogram.hpp"
#include "sim/model/journal.hpp"
#include "sim/model/memory/dram_command.hpp"

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
