#include "partition/search/strategy_search.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <utility>

namespace tessera::partition {

using workloads::OperatorId;

namespace {

/// How likely a configuration is taken over once more (the released search, 2020).
double const goes_on = 0.75;

/// A chain whose patience is over goes on for half as long, so much hotter, before it ends (ours:
/// of 60 searches of LeNet on four accelerators 9 ended 22 % above its optimum without, none with).
double const reheating = 3;
double const reheated_part = 0.5;

double milliseconds(Time time) { return seconds(time) * 1e3; }

std::string milliseconds_text(Time time) {
  std::ostringstream text;
  text << std::setprecision(4) << milliseconds(time) << " ms";
  return text.str();
}

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
  if (best_ && is_over()) return;
  begin_chain();
  if (timeline_) {
    timeline_->restart(initial);
  } else {
    timeline_.emplace(problem_, initial, times_);
  }
  auto const beta = beta_for(timeline_->length());
  note_best(name);
  tell();
  double improved_at = 0;
  auto const patience = options_.patience * chain_length();
  auto const in_vain = [&] { return used_of_chain() - improved_at; };
  while (!is_chain_over() && in_vain() <= (1 + reheated_part) * patience) {
    ++proposals_;
    auto const before = timeline_->length();
    auto const proposed = timeline_->propose(any_moves());
    tell();
    bool const is_reheated = in_vain() > patience;
    if (!is_accepted(before, proposed, is_reheated ? beta / reheating : beta) || !fits()) {
      timeline_->reject();
      continue;
    }
    timeline_->accept();
    if (note_best(name)) improved_at = used_of_chain();
  }
  history_.push_back("from " + name + ": " + std::to_string(proposals_) + " proposals, the best " +
                     milliseconds_text(length_) + " so far");
}

/// What earlier chains left over is shared by all that are still to come.
void StrategySearch::begin_chain() {
  proposals_ = 0;
  auto const left = std::max<std::size_t>(1, limits_.chains - std::min(chain_, limits_.chains));
  ++chain_;
  if (!limits_.used) return;
  begin_ = std::min(1.0, limits_.used(evaluations()));
  end_ = begin_ + (1 - begin_) / static_cast<double>(left);
}

/// In proposals, or as a part of the budget's share.
double StrategySearch::used_of_chain() const {
  if (!limits_.used) return static_cast<double>(proposals_);
  auto const share = end_ - begin_;
  return share <= 0 ? 1 : (limits_.used(evaluations()) - begin_) / share;
}

double StrategySearch::chain_length() const {
  return limits_.used ? 1 : static_cast<double>(options_.proposals);
}

bool StrategySearch::is_chain_over() const {
  return is_over() || used_of_chain() >= chain_length();
}

bool StrategySearch::is_over() const {
  return limits_.is_interrupted() || (limits_.used && limits_.used(evaluations()) >= 1);
}

void StrategySearch::tell() const {
  limits_.progress(evaluations(), best_ ? std::optional{length_} : std::nullopt);
}

bool StrategySearch::polish() {
  if (!best_ || is_over()) return false;
  begin_chain();
  timeline_->restart(*best_);
  auto const operators = problem_.network.operators().ids().list();
  std::size_t unchanged = 0;
  for (std::size_t turn = 0; unchanged < operators.size() && !is_chain_over(); ++turn) {
    unchanged = shortens_by_any_config(operators[turn % operators.size()]) ? 0 : unchanged + 1;
  }
  note_best(found_from_);
  bool const is_done = unchanged == operators.size() && !is_chain_over();
  history_.push_back(
      is_done ? "polished: no change of one operator makes it shorter"
              : "polish ended with its budget; changes of one operator may make it shorter");
  return is_done;
}

bool StrategySearch::shortens_by_any_config(OperatorId op) {
  bool is_shorter = false;
  for (auto const& config : space_.configs(op)) {
    if (is_chain_over()) break;
    if (config == timeline_->strategy()[op]) continue;
    is_shorter |= shortens_by({{op, config}});
    auto const moves = together(op, config);
    if (moves.size() > 1) is_shorter |= shortens_by(moves);
  }
  return is_shorter;
}

bool StrategySearch::shortens_by(std::vector<OperatorMove> const& moves) {
  auto const before = timeline_->length();
  ++proposals_;
  bool const is_better = timeline_->propose(moves) < before && fits();
  tell();
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
