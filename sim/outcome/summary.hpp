// From cores' counters to the numbers of a report.
#pragma once

#include <vector>

#include "sim/model/array/array_cores.hpp"
#include "sim/model/array/resource.hpp"
#include "sim/model/record/records.hpp"
#include "traces/event.hpp"

namespace tessera::sim::outcome {

/// Everything that a finished (or stuck) run left behind.
struct Outcome {
  Blueprint const& blueprint;
  Records const& records;
  std::vector<Resource> resources;
  Time end{0};
  IdVector<TaskId, TaskWork> work;  ///< ArrayCores::work()
};

[[nodiscard]] traces::RunSummary summarize(Outcome const& outcome);

/// What the histogram of each resource is called in the summary: as the resource, or as its kind
/// where there are more than 4096; empty where it has none.
[[nodiscard]] std::vector<std::string> histogram_names(std::vector<Resource> const& resources);

/// Throws ContractError unless what went in came out: every task once, MACs and bytes equal to the
/// graph's, the breakdown and the utilisation add up, no resource was busy for longer than the run,
/// the traffic matrix is what accelerators sent and received and what links carried from node to
/// node, links were busy for their bytes over their bandwidth, the critical path is as long as the
/// run. For complete runs.
void check_laws(Outcome const& outcome, traces::RunSummary const& summary);

}  // namespace tessera::sim::outcome
