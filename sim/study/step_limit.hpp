// How many steps can be simulated at once: as many as there is memory for the tasks of.
#pragma once

#include <cstdint>

#include "sim/study/experiment.hpp"
#include "sim/task/task_graph.hpp"

namespace tessera::sim {

/// Throws ConfigError, with the largest number that can be, when the experiment's steps have more
/// tasks than `memory_bytes` have room for or than can be numbered; `step` has those of one.
void check_steps(Experiment const& experiment, TaskGraph const& step, std::int64_t memory_bytes);

}  // namespace tessera::sim
