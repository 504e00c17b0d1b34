// The moves, and what comes of one.
#include "partition/search/split_moves.hpp"

#include <array>
#include <map>

#include "partition/price/work.hpp"

namespace tessera::partition {

using workloads::Dim;
using workloads::Network;
using workloads::Operator;
using workloads::OperatorId;

namespace {

constexpr int steps_of_share = 16;

std::vector<std::optional<Split>> choices_at(Problem const& problem, Operator const& op,
                                             std::size_t level) {
  std::vector<std::optional<Split>> choices{std::nullopt};
  bool const has_shares =
      problem.array.hierarchy().ways(level) == 2 && !has_alike_halves(problem.array, level);
  for (auto const dim : op.splittable_dims()) {
    if (!has_shares) choices.emplace_back(Split{dim});
    for (int share = 1; has_shares && share < steps_of_share; ++share) {
      choices.emplace_back(Split{dim, share / static_cast<double>(steps_of_share)});
    }
  }
  return choices;
}

/// Does every part have something of every dimension?
bool has_no_empty_part(Operator const& op, Splits const& splits, Hierarchy const& hierarchy) {
  for (auto const dim : op.splittable_dims()) {
    std::int64_t parts = 1;
    for (std::size_t level = 0; level < splits.size(); ++level) {
      if (is_over(splits[level], dim)) parts *= static_cast<std::int64_t>(hierarchy.ways(level));
    }
    if (parts > op.extents[dim]) return false;
  }
  return true;
}

/// Sets it at the move's levels. Returns whether that changes something.
bool change(Splits& splits, SplitMove const& move) {
  bool is_changed = false;
  for (auto const& [level, split] : move.levels) {
    is_changed = is_changed || splits[level] != split;
    splits[level] = split;
  }
  return is_changed;
}

std::string words_of(std::optional<Split> const& split) {
  if (!split) return "-";
  std::string const dim = workloads::name(split->dim);
  return split->is_even() ? dim : dim + ' ' + std::to_string(split->first).substr(0, 6);
}

}  // namespace

std::vector<std::vector<OperatorId>> operators_alike(Network const& network) {
  std::vector<std::vector<OperatorId>> sets;
  std::map<std::vector<std::int64_t>, std::vector<OperatorId>> alike;
  for (auto const id : network.operators().ids()) {
    auto const& op = network.at(id);
    std::vector<std::int64_t> size{static_cast<std::int64_t>(op.kind)};
    for (auto const dim : workloads::all_dims) {
      size.push_back(op.extents[dim]);
      size.push_back(op.can_split(dim) ? 1 : 0);
    }
    alike[size].push_back(id);
    sets.push_back({id});
  }
  for (auto const& [size, operators] : alike) {
    if (operators.size() > 1) sets.push_back(operators);
  }
  return sets;
}

std::vector<SplitMove> split_moves(Problem const& problem) {
  std::vector<SplitMove> moves;
  auto const levels = problem.array.hierarchy().levels();
  for (auto const& operators : operators_alike(problem.network)) {
    auto const& op = problem.network.at(operators.front());
    for (std::size_t level = 0; level < levels; ++level) {
      for (auto const& split : choices_at(problem, op, level)) {
        moves.push_back({operators, {{level, split}}});
      }
    }
  }
  return moves;
}

std::optional<Plan> moved(Plan const& plan, SplitMove const& move, Network const& network) {
  auto next = plan;
  bool is_changed = false;
  auto const hierarchy = plan.hierarchy();
  for (auto const op : move.operators) {
    auto splits = move.phase ? plan.splits_of(op, *move.phase) : plan.splits[op];
    is_changed = change(splits, move) || is_changed;
    if (!has_no_empty_part(network.at(op), splits, hierarchy)) return std::nullopt;
    if (!move.phase) {
      next.splits[op] = std::move(splits);
    } else if (splits != plan.splits[op]) {
      next.phase_splits[{op, *move.phase}] = std::move(splits);
    } else {
      next.phase_splits.erase({op, *move.phase});
    }
  }
  if (!is_changed || !divides_samples(next)) return std::nullopt;
  next.predicted.reset();
  return next;
}

std::string describe(SplitMove const& move, Network const& network) {
  auto text = network.at(move.operators.front()).name;
  auto const others = move.operators.size() - 1;
  if (others > 0) text += " and " + std::to_string(others) + " like it";
  if (move.phase) text += std::string{" "} + workloads::name(*move.phase);
  for (auto const& [level, split] : move.levels) {
    text += ' ' + words_of(split);
    if (move.levels.size() == 1) text += " at level " + std::to_string(level + 1);
  }
  return text;
}

}  // namespace tessera::partition
