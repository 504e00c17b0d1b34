// Whether the time of a step can be counted: in int64 picoseconds, also summed over the accelerators, which makes 106 days in all.
#pragma once

#include "arch/base/config_error.hpp"
#include "arch/base/contract.hpp"
#include "partition/plan/plan.hpp"
#include "sim/study/experiment.hpp"
#include "sim/task/task_graph.hpp"

namespace tessera::sim {

/// Throws ConfigError, at the key that takes most of it, when a step is estimated to take more than
/// a quarter of what can be counted.
void check_countable(Experiment const& experiment, partition::Plan const& plan,
                     TaskGraph const& tasks);

/// That error, of a step whose time could not be counted although it was estimated to be shorter: a
/// core may be far from its peak.
[[nodiscard]] ConfigError uncountable(Experiment const& experiment, partition::Plan const& plan,
                                      TaskGraph const& tasks);

/// Did a quantity become larger than it can be (arch/base/quantity.hpp)?
[[nodiscard]] bool is_overflow(ContractError const& error);

}  // namespace tessera::sim
