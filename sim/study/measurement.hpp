// Turns what a run found out into the numbers of a result.
#pragma once

#include <cstdint>
#include <optional>

#include "arch/array/array_spec.hpp"
#include "partition/plan/plan.hpp"
#include "partition/step/unfolded_levels.hpp"
#include "sim/host/report.hpp"
#include "sim/study/result.hpp"
#include "sim/task/task_graph.hpp"
#include "traces/event.hpp"
#include "workloads/network.hpp"

namespace tessera::sim {

[[nodiscard]] Simulated measured(traces::RunSummary const& summary);

/// Entries in the order of the phases and of the network's operators, averaged over accelerators.
[[nodiscard]] TimeBreakdown breakdown_of(traces::RunSummary const& summary,
                                         workloads::Network const& network);

[[nodiscard]] PeakUse peak_use_of(traces::RunSummary const& summary);

/// None of one step. The time per step is period * micro-batches of a step / micro-batches of the
/// period.
[[nodiscard]] std::optional<Steps> steps_of(traces::RunSummary const& summary,
                                            partition::Plan const& plan, std::int64_t steps);

/// None of a plan without stages.
[[nodiscard]] std::optional<std::vector<StageUse>> stages_of(traces::RunSummary const& summary,
                                                             partition::Plan const& plan);

/// Averaged over the accelerators of the array; likewise.
[[nodiscard]] std::optional<double> bubbles_of(traces::RunSummary const& summary,
                                               partition::Plan const& plan);

[[nodiscard]] Named<double> energy_of(traces::RunSummary const& summary);
[[nodiscard]] Named<LinkUse> links_of(traces::RunSummary const& summary,
                                      arch::ArraySpec const& array);

/// None of an array without links.
[[nodiscard]] std::optional<LinkBandwidth> link_bandwidth_of(arch::ArraySpec const& array);

/// How many tiles were computed, how many were late, and how many of them were not worked out
/// because they repeat others; none on simple processing units.
[[nodiscard]] std::optional<Tiles> tiles_of(Report const& report);
[[nodiscard]] std::optional<Blocks> blocks_of(Report const& report);
[[nodiscard]] Symmetry symmetry_of(Folding const& folding,
                                   partition::UnfoldedReasons const& unfolded);

/// How far the addresses of an accelerator of the whole array go, and how far beyond its memory;
/// none if it has no detailed core.
[[nodiscard]] std::optional<AddressUse> addresses_of(TaskGraph const& tasks,
                                                     arch::ArraySpec const& array,
                                                     std::size_t accelerator);

/// Bytes sent between parts of groups, by level of the hierarchy (top first), of the whole array's
/// traffic.
[[nodiscard]] std::vector<Bytes> sent_by_level(std::vector<traces::TrafficEntry> const& traffic,
                                               Hierarchy const& hierarchy);

}  // namespace tessera::sim
