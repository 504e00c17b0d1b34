// What the cores of a run write to.
#pragma once

#include <map>
#include <string>

#include "sim/model/breakdown.hpp"
#include "sim/model/busy_histogram.hpp"
#include "sim/model/journal.hpp"

namespace tessera::sim {

/// Output only: no core's behaviour depends on what is in here.
struct Records {
  explicit Records(TaskGraph const& tasks) : journal{tasks.size()} {}

  Journal journal;
  Breakdown breakdown;
  std::map<std::string, BusyHistogram> utilisation;
};

}  // namespace tessera::sim
