// One point of every study: a network on an array, planned, lowered, simulated and measured.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "arch/array/array_spec.hpp"
#include "partition/plan/plan.hpp"
#include "partition/planners/planner.hpp"
#include "partition/step/step.hpp"
#include "sim/host/report.hpp"
#include "sim/host/run_options.hpp"
#include "sim/study/process_pool.hpp"
#include "sim/study/result.hpp"
#include "sim/terminal/progress.hpp"
#include "traces/hdf5_sink.hpp"
#include "workloads/network.hpp"

namespace tessera::sim {

/// What wakes the cores of a run; no choice changes a result. SystemC elaborates once per process,
/// the engine (sim/engine) runs as often as one likes.
enum class Host { systemc, engine };

struct Experiment {
  workloads::Network network;
  arch::ArraySpec array;
  std::string planner;  ///< of partition::builtin_planners(); not looked at when there is a plan
  ConfigNode planner_options = ConfigNode::map();
  std::optional<partition::Plan> plan;
  std::int64_t steps = 1;  ///< training steps, one after another

  std::optional<std::string> output;  ///< the run file
  traces::Overwrite overwrite = traces::Overwrite::same;
  std::optional<traces::TraceLevel> trace = {};  ///< unset: tasks, or repeats of very many
  RunOptions run;
  Host host = Host::systemc;
  bool price_timeline = false;  ///< beside the predicted sum
  bool fold = true;  ///< simulate one of each class of accelerators that mirror each other
  std::string command_line;
  Progress::Wanted progress = Progress::Wanted::no;  ///< of this one search or simulation
  std::function<bool()> is_interrupted = {};  ///< asks planners that search to end; unset: never
};

/// The same with nothing left out that provably repeats: every accelerator, tile, channel and
/// request.
[[nodiscard]] Experiment in_full(Experiment experiment);

/// "hypar/vgg-a on hypar-paper with dp"
[[nodiscard]] std::string title(Experiment const& experiment);

/// Throws ConfigError when its output would replace something else, as far as that can be told
/// without a plan; simulate() sees to the rest.
void check_output(Experiment const& experiment);

/// A plan with its prediction, and how long the planner took.
struct Solved {
  partition::Plan plan;
  double wall_s = 0;
};
[[nodiscard]] Solved solve(Experiment const& experiment);

/// The plan and its predicted traffic, level by level. Requires a prediction, as solve() makes it.
[[nodiscard]] std::vector<Level> levels_of(Experiment const& experiment,
                                           partition::Plan const& plan);

[[nodiscard]] MemoryUse memory_of(Experiment const& experiment, partition::Step const& step);

/// Solves, lowers and simulates. On SystemC once per process. Throws FailureError
/// when the simulation cannot make progress.
[[nodiscard]] Point simulate(Experiment const& experiment);

/// Of so many steps, with the times of operators that the option `times` chooses (at peak rates
/// unless it is given); none where the plan has no timeline.
[[nodiscard]] std::optional<TimelineTimes> timeline_of(Experiment const& experiment,
                                                       partition::Plan const& plan,
                                                       std::int64_t steps = 1);

/// simulate() as a job for the pool; its text is archived(Point).
[[nodiscard]] Job job_of(Experiment const& experiment);

/// Of so many steps, one after another.
[[nodiscard]] Predicted predicted_of(partition::Plan const& plan, std::int64_t steps = 1);

}  // namespace tessera::sim
