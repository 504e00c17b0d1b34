// Puts members of barriers in front of what waited for the barrier, where both were issued within an instant: only there, without any
// latency between them, times alone do not say so.
#pragma once

#include <vector>

#include "sim/outcome/summary.hpp"

namespace tessera::sim::outcome {

/// `order` otherwise has every task behind what it waited for, and keeps its order where it can.
/// Linear in tasks and dependencies; where nothing needs it, in members of barriers.
[[nodiscard]] std::vector<TaskId> members_first(Outcome const& outcome, std::vector<TaskId> order);

}  // namespace tessera::sim::outcome
