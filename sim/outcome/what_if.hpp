// What the time of a run would be if some resources were faster: a bound and an estimate, without another run.
//
// Bound (infinitely fast): the longest path over the task graph, each task as short as it can be (LeastDurations), or the load of any other
// resource, whichever is longer. No run of the same tasks in which only these resources are faster takes less.
// Estimate (twice as fast, infinitely fast): every unit serves who comes first, with durations as recorded but for what is faster
// (RecordedDurations), and not less than the bound. It leaves out how messages meet behind their first link, and that they meet more often
// where they come more densely. Rounds of transfers share a link, so that the last to leave leaves when it has carried all of them.
// Rates are faster, not latencies.
#pragma once

#include <vector>

#include "sim/outcome/faster.hpp"
#include "sim/outcome/recorded_rounds.hpp"
#include "sim/outcome/unit_times.hpp"
#include "traces/event.hpp"

namespace tessera::sim::outcome {

/// By class of resources. Of a complete run. None where the estimate without anything faster is not
/// the run's own time; no such run is known (test/laws/skipping_test.cpp).
[[nodiscard]] std::vector<traces::WhatIfEntry> what_if(Outcome const& outcome, UnitTimes& times,
                                                       RecordedRounds const& rounds);

}  // namespace tessera::sim::outcome
