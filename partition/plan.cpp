#include "partition/plan.hpp"

#include <algorithm>

namespace tessera::partition {

using workloads::Dim;
using workloads::OperatorId;

namespace {

/// A ConfigError about the plan as a whole; plans that a planner made have no file.
ConfigError misfit(std::string problem) { return ConfigError{{}, "plan", std::move(problem)}; }

void validate_identity(Plan const& plan, workloads::Network const& network,
                       arch::ArraySpec const& array) {
  if (plan.network != network.name()) {
    throw misfit("made for network '" + plan.network + "', not for '" + network.name() +
                 "' (operators differ); plan this network anew");
  }
  if (plan.batch != network.batch()) {
    throw misfit("made for batch " + std::to_string(plan.batch) + ", not for " +
                 std::to_string(network.batch()) +
                 "; set workload.batch=" + std::to_string(plan.batch) + " or plan anew");
  }
  if (plan.accelerators != array.accelerators) {
    throw misfit("made for " + std::to_string(plan.accelerators) + " accelerators, not for " +
                 std::to_string(array.accelerators) +
                 "; set arch.accelerators=" + std::to_string(plan.accelerators) + " or plan anew");
  }
}

void validate_splits(workloads::Operator const& op, Splits const& splits, int levels) {
  if (splits.size() != static_cast<std::size_t>(levels)) {
    throw misfit("operator '" + op.name + "' has " + std::to_string(splits.size()) +
                 " levels (the array has " + std::to_string(levels) + ")");
  }
  for (auto const& split : splits) {
    if (split && !op.can_split(*split)) {
      throw misfit("operator '" + op.name + "' cannot be split over '" + workloads::name(*split) +
                   "' (the dimension does not cut its tensors into boxes)");
    }
  }
}

/// Data parallelism splits the batch evenly over every level at which some operator is split over
/// samples.
void validate_batch(Plan const& plan, workloads::Network const& network) {
  std::int64_t parts = 1;
  for (std::size_t level = 0; level < static_cast<std::size_t>(plan.levels()); ++level) {
    auto const over_samples = [&](Splits const& splits) { return splits[level] == Dim::n; };
    if (std::any_of(plan.splits.begin(), plan.splits.end(), over_samples)) parts *= 2;
  }
  auto const batch = network.batch();
  if (batch % parts == 0) return;
  auto const below = batch / parts * parts;
  auto const above = std::to_string(below + parts);
  throw ConfigError{{},
                    "workload.batch",
                    "batch " + std::to_string(batch) + " is not divisible by " +
                        std::to_string(parts) +
                        " (data parallelism splits the batch evenly); use " +
                        (below > 0 ? std::to_string(below) + " or " + above : above)};
}

}  // namespace

int Plan::levels() const {
  int levels = 0;
  while ((std::int64_t{1} << levels) < accelerators) ++levels;
  return levels;
}

void validate(Plan const& plan, workloads::Network const& network, arch::ArraySpec const& array) {
  validate_identity(plan, network, array);
  EXPECTS(plan.splits.size() == network.operators().size(), plan.splits.size(),
          network.operators().size());
  for (auto const op : network.operators().ids()) {
    validate_splits(network.at(op), plan.splits[op], plan.levels());
  }
  validate_batch(plan, network);
}

std::string type_name(std::optional<Dim> split) {
  if (!split) return "-";
  switch (*split) {
    case Dim::n:
      return "I";
    case Dim::c:
      return "II";
    case Dim::k:
      return "III";
    default:
      return workloads::name(*split);
  }
}

}  // namespace tessera::partition
