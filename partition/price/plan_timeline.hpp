// The second price of a plan: its step on a timeline (timeline.hpp), where what does not wait for each other overlaps.
//
// Every accelerator has a core, and every lane of every link is a resource; each takes its tasks in the order in which they become
// ready. A phase of an operator is one task per accelerator, as long as its part of the loop nest takes at the peak rate, or by its
// profile, or as OperatorTimes says. A conversion is what accelerators send each other, step after step, each as soon as the sender
// has what it sends: a message is on all links of its path at once, as long on each as its bytes take there, and arrives when the
// last has carried it, plus the latencies of the path.
//
// Where an array lets computation and communication take turns (ExecutionSpec::Overlap::none), each action, and each step of a
// conversion, starts when all of the one before has ended.
//
// Left out: memories, tiles, packets, what the network interface and additions of sums take, and pipelines. A time that is no whole
// number of picoseconds is rounded.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "partition/plan/plan.hpp"
#include "partition/plan/problem.hpp"

namespace tessera::partition {

/// How long an accelerator takes for a phase of an operator, of which `part` falls to it [s].
using OperatorTimes =
    std::function<double(arch::AcceleratorSpec const& accelerator, workloads::Operator const& op,
                         workloads::Phase phase, workloads::PerDim<std::int64_t> const& part)>;

/// At the peak rate, or by a profile: as work_of() counts, of whole indices.
[[nodiscard]] OperatorTimes peak_rates();

struct TimelinePrice {
  Time step{0};          ///< from the first task's start to the last one's end
  Time busiest_core{0};  ///< sum of the tasks of the core with most
  Time busiest_lane{0};  ///< of the lane of a link
  std::size_t tasks = 0;
};

/// None of a plan with stages, and where the array has more than 128 accelerators or the step more
/// than 2^20 tasks. Requires a plan that is valid for the problem.
[[nodiscard]] std::optional<TimelinePrice> timeline_price(
    Problem const& problem, Plan const& plan, OperatorTimes const& times = peak_rates());

}  // namespace tessera::partition
