// A conservation law of pipelines: what a run had in flight is what its order says and what the footprint counts.
#pragma once

#include "partition/plan/plan.hpp"
#include "sim/task/task_graph.hpp"
#include "traces/event.hpp"

namespace tessera::sim {

/// Throws ContractError unless every accelerator had, at most at a time, as many chunks of
/// micro-batches and versions of the weights as its order makes of it (schedule/order_check.hpp:
/// high_water), and no more than the footprint has room for (price/footprint.hpp: copies_of).
/// Passes that an accelerator has no computation of, which a stage without weights at its end may
/// have, do not count. Versions may be fewer where sums of gradients hold up an update: until its
/// predecessor is needed no more. Plans without an order of stages have no such law. Requires a
/// complete run.
void check_in_flight(partition::Plan const& plan, std::int64_t steps, TaskGraph const& tasks,
                     traces::RunSummary const& summary);

}  // namespace tessera::sim
