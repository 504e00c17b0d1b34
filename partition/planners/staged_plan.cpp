#include "partition/planners/staged_plan.hpp"

#include <algorithm>

#include "partition/search/planning.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {

using workloads::Network;
using workloads::OperatorId;

std::optional<std::int64_t> count_from(ConfigMap& options, std::string const& key,
                                       std::string const& rule) {
  auto const* const node = options.find(key);
  if (node == nullptr) return std::nullopt;
  auto const count = node->as<std::int64_t>();
  if (count < 1) throw node->error(rule + "; use 1 or more");
  return count;
}

std::optional<std::int64_t> micro_batches_from(ConfigMap& options) {
  return count_from(options, "micro_batches", "a step has at least one micro-batch");
}

std::string schedule_from(ConfigMap& options, std::string const& fallback) {
  std::vector<std::pair<std::string, std::string>> choices;
  for (auto const* const name : {"gpipe", "1f1b", "zb-h1", "zb-h2", "pipedream", "2bw"}) {
    choices.emplace_back(name, name);
  }
  return options.choice<std::string>("schedule", choices, fallback);
}

std::optional<Stage::Activations> activations_from(ConfigMap& options) {
  using Activations = Stage::Activations;
  if (options.find("activations") == nullptr) return std::nullopt;
  return options.choice<Activations>(
      "activations", {{"stored", Activations::stored}, {"recomputed", Activations::recomputed}});
}

std::int64_t largest_divisor(std::int64_t number, std::int64_t most) {
  EXPECTS(most >= 1, most);
  auto divisor = std::min(number, most);
  while (number % divisor != 0) --divisor;
  return divisor;
}

Network micro_batch_of(Network const& network, std::int64_t micro_batches) {
  auto const batch = network.batch();
  if (batch % micro_batches == 0) return workloads::with_batch(network, batch / micro_batches);
  throw ConfigError{{},
                    "planner.micro_batches",
                    "batch " + std::to_string(batch) + " cannot be cut in " +
                        std::to_string(micro_batches) + " equal micro-batches; use " +
                        std::to_string(largest_divisor(batch, micro_batches)) +
                        " or another divisor of " + std::to_string(batch)};
}

Stage replicated_stage(std::vector<OperatorId> operators, std::vector<std::size_t> devices) {
  Stage stage;
  stage.replicas = devices.size();
  if (stage.replicas > 1) stage.mesh.arity = {stage.replicas};
  stage.mesh.devices = std::move(devices);
  stage.chunks = {std::move(operators)};
  return stage;
}

Plan unpriced_plan(std::string planner, Problem const& problem, Pipeline pipeline) {
  auto plan = empty_plan(std::move(planner), problem);
  for (auto const& stage : pipeline.stages) {
    for (auto const& chunk : stage.chunks) {
      for (auto const op : chunk) plan.splits[op].resize(stage.mesh.arity.size());
    }
  }
  plan.pipeline = std::move(pipeline);
  return plan;
}

Plan finished_stages(Plan plan, Problem const& problem) {
  try {
    return finished(std::move(plan), problem);
  } catch (ConfigError const& error) {
    auto const& key = error.key_path();
    if (key == "micro_batches") {
      throw ConfigError{error.where(), "planner.micro_batches", error.problem()};
    }
    bool const is_of_schedule = key == "replicas" || key == "schedule";
    if (is_of_schedule) throw ConfigError{error.where(), "planner.schedule", error.problem()};
    throw;
  }
}

Plan fitted_within(Problem const& problem, Fit fit, double most_bytes,
                   PlanWithin const& plan_within) {
  auto unlimited = plan_within(std::nullopt).value();
  if (fit != Fit::search || fullest(problem, unlimited).fits()) return unlimited;
  constexpr int rounds = 16;
  auto evaluations = unlimited.evaluations;
  std::optional<Plan> best;
  double enough = 0;
  for (int i = 0; i < rounds; ++i) {
    auto const limit = (enough + most_bytes) / 2;
    auto plan = plan_within(limit);
    if (plan) evaluations += plan->evaluations;
    bool const fits = plan && fullest(problem, *plan).fits();
    // Too low a limit leaves no plan at all: the way is up, as from one that fits.
    (fits || !plan ? enough : most_bytes) = limit;
    if (fits && (!best || plan->predicted->time_s < best->predicted->time_s)) {
      best = std::move(plan);
    }
  }
  auto& chosen = best ? *best : unlimited;
  chosen.evaluations = evaluations;
  return std::move(chosen);
}

}  // namespace tessera::partition
