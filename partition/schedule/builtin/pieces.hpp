// What schedules have in common.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "partition/schedule/schedule.hpp"

namespace tessera::partition {

/// One step's passes of a replica's micro-batches.
using StepOrder = std::function<Order(std::vector<std::int64_t> const& micro_batches)>;

/// Step after step, each with an update at its end.
[[nodiscard]] Order flushed(PipelineShape const& shape, std::size_t stage, std::size_t replica,
                            StepOrder const& step);

/// How many micro-batches a replica of `stage` passes forward before its first backward pass, less
/// the one that it then alternates with:
///   W_s = floor((R - 1 - sum of r_i over i < s) / r_s),   R = sum of all r_i
/// as PipeDream's runtime has it; p - 1 - s where all stages have equally many replicas. That of
/// the input stage and one more is NOAM, ceil(R / r_0) (SOSP 2019, section 3.2).
[[nodiscard]] std::int64_t stage_warm_up(PipelineShape const& shape, std::size_t stage);

/// F^W (F B)^(n - W) B^W.
[[nodiscard]] Order one_forward_one_backward(std::vector<std::int64_t> const& micro_batches,
                                             std::int64_t warm_up);

/// Backward passes in halves: F^ahead, then B, W and F in turn, where the first `later`
/// backward-weight passes are left out and follow at the end, in the place of idle time.
[[nodiscard]] Order zero_bubble(std::vector<std::int64_t> const& micro_batches, std::size_t ahead,
                                std::size_t later);

/// Of schedules that give a stage one part of the network.
[[nodiscard]] std::optional<Refusal> refused_chunks(PipelineShape const& shape);

/// Of schedules whose stages go in step: each replica of a stage meets the same ones of the others.
[[nodiscard]] std::optional<Refusal> refused_unequal_replicas(PipelineShape const& shape);

}  // namespace tessera::partition
