// What planners of pipelines share: stages of whole operators, their micro-batches, and memories that are too small.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "arch/base/config.hpp"
#include "partition/plan/plan.hpp"
#include "partition/plan/problem.hpp"
#include "partition/price/footprint.hpp"

namespace tessera::partition {

/// An option that counts something; `rule` says of what there is at least one.
[[nodiscard]] std::optional<std::int64_t> count_from(ConfigMap& options, std::string const& key,
                                                     std::string const& rule);

/// The option `micro_batches`: of a step, of all replicas together.
[[nodiscard]] std::optional<std::int64_t> micro_batches_from(ConfigMap& options);

/// The schedule `schedule`, one of those for stages with one part of the network each.
[[nodiscard]] std::string schedule_from(ConfigMap& options, std::string const& fallback);

/// The option `activations`: stored | recomputed, in all stages.
[[nodiscard]] std::optional<Stage::Activations> activations_from(ConfigMap& options);

/// The largest divisor of `number` that is at most `most`, which is at least 1.
[[nodiscard]] std::int64_t largest_divisor(std::int64_t number, std::int64_t most);

/// The network for one of `micro_batches`. Throws ConfigError when they cannot be equal.
[[nodiscard]] workloads::Network micro_batch_of(workloads::Network const& network,
                                                std::int64_t micro_batches);

/// `devices` each have all of the operators, for micro-batches of their own.
[[nodiscard]] Stage replicated_stage(std::vector<workloads::OperatorId> operators,
                                     std::vector<std::size_t> devices);

/// No operator is split, and nothing priced. Requires stages of replicated_stage().
[[nodiscard]] Plan unpriced_plan(std::string planner, Problem const& problem, Pipeline pipeline);

/// Validated and priced; an error about micro-batches is one about the planner's option.
[[nodiscard]] Plan finished_stages(Plan plan, Problem const& problem);

/// A plan none of whose stages stashes more bytes than that, as the planner counts them, if there
/// is one; without a limit there must be.
using PlanWithin = std::function<std::optional<Plan>(std::optional<double> stash_bytes)>;

/// The plan without a limit, or if `fit` is search and that does not fit, the fastest that fits of
/// those for limits up to `most_bytes`, closing in on the highest that makes plans fit. Where none
/// fits, that without a limit.
[[nodiscard]] Plan fitted_within(Problem const& problem, Fit fit, double most_bytes,
                                 PlanWithin const& plan_within);

}  // namespace tessera::partition
