#include "partition/search/strategy_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tessera::partition {

using workloads::OperatorId;

namespace {

/// How likely a configuration is taken over once more (the released search, 2020).
double const goes_on = 0.75;

double milliseconds(Time time) { return seconds(time) * 1e3; }

/// Those that read what it makes, and those that make what it reads.
std::vector<OperatorId> neighbours_of(workloads::Network const& network, OperatorId id) {
  auto const& op = network.at(id);
  auto all = network.at(op.output.tensor).consumers;
  for (auto const& input : op.inputs) {
    auto const producer = network.at(input.tensor).producer;
    if (producer) all.push_back(*producer);
  }
  return all;
}

}  // namespace

StrategySearch::StrategySearch(Problem const& problem, ConfigSpace const& space,
                               StrategySearchOptions const& options, SearchLimits limits,
                               OperatorTimes times)
    : problem_{problem},
      space_{space},
      options_{options},
      limits_{std::move(limits)},
      times_{std::move(times)},
      random_{options.seed} {}

void StrategySearch::run_from(std::string const& name, Strategy const& initial) {
  if (timeline_) {
    timeline_->restart(initial);
  } else {
    timeline_.emplace(problem_, initial, times_);
  }
  auto const beta = beta_for(timeline_->length());
  auto const patience =
      static_cast<std::int64_t>(options_.patience * static_cast<double>(options_.proposals));
  note_best(name);
  std::int64_t improved_at = 0;
  std::int64_t proposal = 0;
  while (proposal < options_.proposals && proposal - improved_at <= patience &&
         !limits_.is_over()) {
    ++proposal;
    auto const before = timeline_->length();
    auto const proposed = timeline_->propose(any_moves());
    if (!is_accepted(before, proposed, beta) || !fits()) {
      timeline_->reject();
      continue;
    }
    timeline_->accept();
    if (note_best(name)) improved_at = proposal;
  }
  history_.push_back("from " + name + ": " + std::to_string(proposal) + " proposals, the best " +
                     std::to_string(milliseconds(length_)) + " ms so far");
}

bool StrategySearch::polish() {
  if (!best_) return false;
  timeline_->restart(*best_);
  auto const last = timeline_->evaluations() + options_.proposals;
  auto const operators = problem_.network.operators().ids();
  std::size_t unchanged = 0;
  for (std::size_t turn = 0; unchanged < operators.size(); ++turn) {
    if (limits_.is_over() || timeline_->evaluations() >= last) break;
    unchanged = shortens_by_any_config(operators[turn % operators.size()]) ? 0 : unchanged + 1;
  }
  note_best(found_from_);
  bool const is_done = unchanged == operators.size();
  history_.push_back(
      is_done ? "polished: no change of one operator makes it shorter"
              : "polish ended with its budget; changes of one operator may make it shorter");
  return is_done;
}

bool StrategySearch::shortens_by_any_config(OperatorId op) {
  bool is_shorter = false;
  for (auto const& config : space_.configs(op)) {
    if (config == timeline_->strategy()[op]) continue;
    is_shorter |= shortens_by({{op, config}});
    auto const moves = together(op, config);
    if (moves.size() > 1) is_shorter |= shortens_by(moves);
  }
  return is_shorter;
}

bool StrategySearch::shortens_by(std::vector<OperatorMove> const& moves) {
  auto const before = timeline_->length();
  bool const is_better = timeline_->propose(moves) < before && fits();
  is_better ? timeline_->accept() : timeline_->reject();
  return is_better;
}

/// The operator and all that share its weights, which are of the same kind and shape, but where a
/// table is an output's weights, too.
std::vector<OperatorMove> StrategySearch::together(OperatorId op,
                                                   OperatorConfig const& config) const {
  std::vector<OperatorMove> moves{{op, config}};
  auto const& weight = problem_.network.at(op).weight;
  if (!weight) return moves;
  for (auto const other : problem_.network.at(weight->tensor).consumers) {
    if (other != op && space_.has_degrees(other, config)) moves.push_back({other, config});
  }
  return moves;
}

std::int64_t StrategySearch::evaluations() const {
  return timeline_ ? timeline_->evaluations() : 0;
}

std::vector<OperatorMove> StrategySearch::any_moves() {
  OperatorId const op{random_() % problem_.network.operators().size()};
  auto const config = space_.random_config(op, random_);
  std::vector<OperatorMove> moves{{op, config}};
  if (uniform() < options_.together) moves = together(op, config);
  if (moves.size() == 1 && uniform() < options_.propagation) propagate(moves);
  return moves;
}

/// From the last one to a neighbour that can be split like it, and on.
void StrategySearch::propagate(std::vector<OperatorMove>& moves) {
  do {
    auto const neighbours = neighbours_of(problem_.network, moves.back().op);
    if (neighbours.empty()) return;
    auto const next = neighbours[random_() % neighbours.size()];
    auto const config = moves.back().config;
    if (!space_.has_degrees(next, config)) return;
    moves.push_back({next, config});
  } while (uniform() < goes_on);
}

bool StrategySearch::is_accepted(Time before, Time proposed, double beta) {
  if (proposed <= before) return true;
  return uniform() < std::exp(-beta * milliseconds(proposed - before));
}

bool StrategySearch::fits() const {
  return options_.fit == Fit::ignore || fullest(problem_, timeline_->plan()).fits();
}

/// Keeps the strategy that the timeline is of if it is the shortest so far.
bool StrategySearch::note_best(std::string const& name) {
  if (best_ && timeline_->length() >= length_) return false;
  if (!fits()) return false;
  best_ = timeline_->strategy();
  length_ = timeline_->length();
  found_from_ = name;
  return true;
}

double StrategySearch::beta_for(Time first) const {
  return options_.beta.value_or(options_.beta_relative / milliseconds(first));
}

/// In [0, 1), the same with every standard library.
double StrategySearch::uniform() { return static_cast<double>(random_() >> 11U) * 0x1p-53; }

}  // namespace tessera::partition
