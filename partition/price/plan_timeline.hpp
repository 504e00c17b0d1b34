// The second price of a plan: its step on a timeline (step_timeline.hpp), where what does not wait for each other overlaps.
//
// Every accelerator has a core, and every lane of every link is a resource; each takes its tasks in the order in which they become
// ready. What an action of the step becomes says task_piece.hpp. Where an array lets computation and communication take turns
// (ExecutionSpec::Overlap::none), each action, and each step of a conversion, starts when all of the one before has ended.
//
// Left out: memories, tiles, packets, what the network interface and additions of sums take, and schedules with an order of their own
// (of plans with stages only `layerwise` ones, all samples at once). A time that is no whole number of picoseconds is rounded.
#pragma once

#include <optional>

#include "partition/plan/plan.hpp"
#include "partition/plan/problem.hpp"
#include "partition/price/step_timeline.hpp"

namespace tessera::partition {

/// None of a plan whose stages have orders of their own or several micro-batches, and where the
/// array has more than 128 accelerators.
[[nodiscard]] bool has_timeline(Problem const& problem, Plan const& plan);

/// None where has_timeline() says so. Requires a plan that is valid for the problem.
[[nodiscard]] std::optional<TimelinePrice> timeline_price(
    Problem const& problem, Plan const& plan, OperatorTimes const& times = peak_rates());

}  // namespace tessera::partition
