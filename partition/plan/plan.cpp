#include "partition/plan/plan.hpp"

#include <algorithm>
#include <utility>

namespace tessera::partition {

using workloads::Dim;
using workloads::OperatorId;

namespace {

/// About one key of the plan; plans that a planner made have no file.
ConfigError wrong_at(std::string key, std::string problem) {
  return ConfigError{{}, std::move(key), std::move(problem)};
}

ConfigError wrong_at(workloads::Operator const& op, std::string problem) {
  return wrong_at("operators." + op.name, std::move(problem));
}

void validate_identity(Plan const& plan, workloads::Network const& network,
                       arch::ArraySpec const& array) {
  if (plan.network != network.name()) {
    throw wrong_at("network", "made for network '" + plan.network + "', not for '" +
                                  network.name() + "' (operators differ); plan this network anew");
  }
  if (plan.batch != network.batch()) {
    throw wrong_at("batch", "made for batch " + std::to_string(plan.batch) + ", not for " +
                                std::to_string(network.batch()) + "; plan anew");
  }
  if (plan.accelerators != array.accelerators) {
    throw wrong_at("accelerators", "made for " + std::to_string(plan.accelerators) +
                                       " accelerators, not for " +
                                       std::to_string(array.accelerators) + "; plan anew");
  }
}

void validate_share(workloads::Operator const& op, Split split, std::size_t ways) {
  if (!(split.first > 0 && split.first < 1)) {
    throw wrong_at(op, "operator '" + op.name + "' gives a half the share " +
                           std::to_string(split.first) +
                           " (both halves work; use more than 0 and less than 1)");
  }
  if (!split.is_even() && ways != 2) {
    throw wrong_at(op, "operator '" + op.name + "' gives the first half the share " +
                           std::to_string(split.first) + " at a level where groups have " +
                           std::to_string(ways) +
                           " parts (only halves may be unequal); leave the share out");
  }
}

void validate_splits(workloads::Operator const& op, Splits const& splits,
                     Hierarchy const& hierarchy) {
  if (splits.size() != hierarchy.levels()) {
    throw wrong_at(op, "operator '" + op.name + "' has " + std::to_string(splits.size()) +
                           " levels (the array or its stage has " +
                           std::to_string(hierarchy.levels()) + ")");
  }
  for (std::size_t level = 0; level < splits.size(); ++level) {
    auto const& split = splits[level];
    if (!split) continue;
    if (auto const problem = split_problem(op, split->dim); !problem.empty()) {
      throw wrong_at(op, problem);
    }
    validate_share(op, *split, hierarchy.ways(level));
  }
}

/// All splits of an operator: of its forward phase, and of others that have their own.
std::vector<Splits> all_splits(Plan const& plan, OperatorId op) {
  std::vector<Splits> all{plan.splits[op]};
  for (auto const& [key, splits] : plan.phase_splits) {
    if (key.first == op) all.push_back(splits);
  }
  return all;
}

void validate_phases(workloads::Operator const& op, std::vector<Splits> const& all) {
  if (all.size() == 1) return;
  for (auto const& splits : all) {
    for (auto const& split : splits) {
      if (!split || !workloads::is_of_map(split->dim)) continue;
      throw wrong_at(
          op, "operator '" + op.name + "' splits '" + workloads::name(split->dim) +
                  "' in a phase and has other splits in another (the halo that it fetches is of "
                  "all phases); use n, c and k, or the same splits for all phases");
    }
  }
}

/// The splits of all phases of an operator.
std::vector<Splits> validated_splits(Plan const& plan, workloads::Network const& network,
                                     OperatorId op, Hierarchy const& hierarchy) {
  auto all = all_splits(plan, op);
  for (auto const& splits : all) validate_splits(network.at(op), splits, hierarchy);
  validate_phases(network.at(op), all);
  return all;
}

/// Into how many parts the samples are cut: at every level at which some operator is split over
/// them.
struct SampleParts {
  std::int64_t count = 1;
  bool even = true;
};

/// Of splits that may lack levels further in.
SampleParts sample_parts(Hierarchy const& hierarchy, std::vector<Splits> const& all) {
  SampleParts parts;
  for (std::size_t level = 0; level < hierarchy.levels(); ++level) {
    bool is_cut = false;
    for (auto const& splits : all) {
      if (level >= splits.size() || !is_over(splits[level], Dim::n)) continue;
      is_cut = true;
      parts.even = parts.even && splits[level]->is_even();
    }
    if (is_cut) parts.count *= static_cast<std::int64_t>(hierarchy.ways(level));
  }
  return parts;
}

/// Equal parts divide the batch; of others each has a sample at least.
bool is_cut_in(std::int64_t samples, SampleParts const& parts) {
  return parts.even ? samples % parts.count == 0 : samples >= parts.count;
}

/// Of all operators and phases.
std::vector<Splits> splits_of_all(Plan const& plan) {
  std::vector<Splits> all;
  for (auto const op : plan.splits.ids()) {
    for (auto& splits : all_splits(plan, op)) all.push_back(std::move(splits));
  }
  return all;
}

/// Data parallelism splits the batch evenly; with ratios, at least a sample must fall to each part.
/// What other batch would do is not for here to say: for another one a planner makes another plan.
void validate_batch(SampleParts const& parts, std::int64_t batch) {
  if (is_cut_in(batch, parts)) return;
  auto const why = parts.even ? " is not divisible by " : " is less than the number of parts, ";
  throw ConfigError{{},
                    "workload.batch",
                    "batch " + std::to_string(batch) + why + std::to_string(parts.count) +
                        (parts.even ? " (data parallelism splits the batch evenly)"
                                    : " (each has a sample at least)")};
}

/// A stage's operators are split along its mesh, a micro-batch at a time.
void validate_stage(Plan const& plan, workloads::Network const& network, Stage const& stage) {
  auto const hierarchy = stage.mesh.hierarchy();
  std::vector<Splits> all;
  for (auto const& chunk : stage.chunks) {
    for (auto const op : chunk) {
      for (auto& splits : validated_splits(plan, network, op, hierarchy)) {
        if (stage.replicas > 1 && splits.front()) {
          throw wrong_at(
              network.at(op),
              "operator '" + network.at(op).name +
                  "' is split between replicas (each has whole micro-batches); leave it out");
        }
        all.push_back(std::move(splits));
      }
    }
  }
  auto const micro_batch = network.batch() / plan.pipeline->micro_batches;
  auto const parts = sample_parts(hierarchy, all);
  if (is_cut_in(micro_batch, parts)) return;
  throw wrong_at("pipeline",
                 "micro-batches of " + std::to_string(micro_batch) + " samples cannot be cut in " +
                     std::to_string(parts.count) + (parts.even ? " equal parts" : " parts") +
                     "; use fewer micro-batches, a larger batch, or fewer parts over n");
}

}  // namespace

Hierarchy Plan::hierarchy() const { return Hierarchy{static_cast<std::size_t>(accelerators)}; }

int Plan::levels() const { return static_cast<int>(hierarchy().levels()); }

Splits const& Plan::splits_of(OperatorId op, workloads::Phase phase) const {
  auto const own = phase_splits.find({op, phase});
  return own == phase_splits.end() ? splits[op] : own->second;
}

bool divides_samples(Plan const& plan) {
  return is_cut_in(plan.batch, sample_parts(plan.hierarchy(), splits_of_all(plan)));
}

bool splits_samples(Plan const& plan, std::size_t level) {
  auto const all = splits_of_all(plan);
  return std::any_of(all.begin(), all.end(),
                     [&](Splits const& splits) { return is_over(splits.at(level), Dim::n); });
}

std::string split_problem(workloads::Operator const& op, Dim dim) {
  if (op.can_split(dim)) return {};
  std::string others;
  for (auto const other : op.splittable_dims()) {
    others.append(others.empty() ? "" : ", ").append(workloads::name(other));
  }
  return "operator '" + op.name + "' cannot be split over '" + workloads::name(dim) +
         "' (the dimension does not cut its tensors into boxes)" +
         (others.empty() ? "" : "; use one of: " + others);
}

void validate(Plan const& plan, workloads::Network const& network, arch::ArraySpec const& array) {
  validate_identity(plan, network, array);
  EXPECTS(plan.splits.size() == network.operators().size(), plan.splits.size(),
          network.operators().size());
  if (plan.pipeline) {
    validate(*plan.pipeline, network, static_cast<std::size_t>(plan.accelerators));
    for (auto const& stage : plan.pipeline->stages) validate_stage(plan, network, stage);
    return;
  }
  std::vector<Splits> all;
  for (auto const op : network.operators().ids()) {
    for (auto& splits : validated_splits(plan, network, op, plan.hierarchy())) {
      all.push_back(std::move(splits));
    }
  }
  validate_batch(sample_parts(plan.hierarchy(), all), network.batch());
}

std::string type_name(std::optional<Split> const& split) {
  if (!split) return "-";
  switch (split->dim) {
    case Dim::n:
      return "I";
    case Dim::c:
      return "II";
    case Dim::k:
      return "III";
    default:
      return workloads::name(split->dim);
  }
}

double optimality_gap(double cost, double bound) {
  if (bound >= cost) return 0;
  return std::min(1.0, (cost - bound) / cost);
}

std::optional<OperatorId> unevenly_split(Plan const& plan) {
  for (auto const op : plan.splits.ids()) {
    for (auto const& splits : all_splits(plan, op)) {
      for (auto const& split : splits) {
        if (split && !split->is_even()) return op;
      }
    }
  }
  return std::nullopt;
}

}  // namespace tessera::partition
