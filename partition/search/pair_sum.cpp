#include "partition/search/pair_sum.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "arch/base/contract.hpp"

namespace tessera::partition {

namespace {

using Variable = MinSum::Variable;
using Label = MinSum::Label;

void add(std::vector<double>& sum, std::vector<double> const& values) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[i];
}

Label cheapest(std::vector<double> const& costs) {
  return static_cast<Label>(std::min_element(costs.begin(), costs.end()) - costs.begin());
}

/// The state of a tabu search.
class Walk final {
 public:
  Walk(PairSum const& sum, std::vector<Label> labels)
      : sum_{sum}, labels_{std::move(labels)}, cost_{sum.cost(labels_)} {
    for (Variable variable = 0; variable < sum_.variables(); ++variable) {
      costs_.push_back(sum_.costs_among(variable, labels_));
      forbidden_until_.emplace_back(costs_.back().size(), 0);
      entries_ += static_cast<double>(costs_.back().size());
    }
  }

  [[nodiscard]] std::vector<Label> const& labels() const { return labels_; }
  [[nodiscard]] double cost() const { return cost_; }
  /// Read so far.
  [[nodiscard]] double entries() const { return entries_; }

  /// False where every change is forbidden.
  bool step(double best) {
    ++steps_;
    auto const [variable, label] = best_change(best);
    if (label == labels_[variable]) return false;
    change(variable, label);
    return true;
  }

 private:
  [[nodiscard]] double gain(Variable variable, Label label) const {
    return costs_[variable][labels_[variable]] - costs_[variable][label];
  }

  /// A forbidden change may be made where it leads below the best cost so far.
  [[nodiscard]] std::pair<Variable, Label> best_change(double best) {
    std::pair<Variable, Label> chosen{0, labels_.front()};
    auto most = -std::numeric_limits<double>::infinity();
    for (Variable variable = 0; variable < labels_.size(); ++variable) {
      for (Label label = 0; label < costs_[variable].size(); ++label) {
        auto const gained = gain(variable, label);
        if (label == labels_[variable] || gained <= most) continue;
        if (forbidden_until_[variable][label] >= steps_ && cost_ - gained >= best) continue;
        most = gained;
        chosen = {variable, label};
      }
      entries_ += static_cast<double>(costs_[variable].size());
    }
    return chosen;
  }

  void change(Variable variable, Label label) {
    auto const old = std::exchange(labels_[variable], label);
    cost_ += costs_[variable][label] - costs_[variable][old];
    for (auto const* const pairs : {&sum_.with_earlier(variable), &sum_.with_later(variable)}) {
      for (auto const index : *pairs) {
        auto const& pair = sum_.pairs()[index];
        auto const other = pair.first == variable ? pair.second : pair.first;
        auto& costs = costs_[other];
        std::vector<double> before(costs.size(), 0.0);
        sum_.add_costs(before, pair, other, old);
        sum_.add_costs(costs, pair, other, label);
        for (Label i = 0; i < costs.size(); ++i) costs[i] -= before[i];
        entries_ += 2 * static_cast<double>(costs.size());
      }
    }
    // For a few steps, not always as many, or the walk could go in circles.
    forbidden_until_[variable][old] = steps_ + 4 + steps_ % 7;
  }

  PairSum const& sum_;
  std::vector<Label> labels_;
  double cost_;
  std::vector<std::vector<double>> costs_;  ///< per variable and label, among the others' labels
  std::vector<std::vector<std::size_t>> forbidden_until_;  ///< [step], per variable and label
  std::size_t steps_ = 0;
  double entries_ = 0;
};

}  // namespace

PairSum::PairSum(std::vector<std::size_t> const& label_counts,
                 std::vector<MinSum::Term> const& terms)
    : with_earlier_(label_counts.size()), with_later_(label_counts.size()) {
  for (auto const count : label_counts) single_.emplace_back(count, 0.0);
  std::map<std::pair<Variable, Variable>, std::size_t> known;
  for (auto const& term : terms) {
    auto const first = term.variables.front();
    if (term.variables.size() == 1) {
      add(single_[first], term.cost);
      continue;
    }
    EXPECTS(term.variables.size() == 2, term.variables.size());
    auto const second = term.variables.back();
    auto const [found, is_new] = known.try_emplace({first, second}, pairs_.size());
    if (!is_new) {
      add(pairs_[found->second].cost, term.cost);
      continue;
    }
    with_later_[first].push_back(pairs_.size());
    with_earlier_[second].push_back(pairs_.size());
    pairs_.push_back({first, second, term.cost});
  }
}

void PairSum::add_costs(std::vector<double>& costs, Pair const& pair, Variable variable,
                        Label of_other) const {
  auto const seconds = single_[pair.second].size();
  bool const is_second = variable == pair.second;
  auto const* entry = &pair.cost[is_second ? of_other * seconds : of_other];
  auto const stride = is_second ? 1 : seconds;
  for (Label label = 0; label < costs.size(); ++label) costs[label] += entry[label * stride];
}

std::vector<double> PairSum::costs_among(Variable variable,
                                         std::vector<Label> const& labels) const {
  auto costs = single_[variable];
  for (auto const index : with_earlier_[variable]) {
    add_costs(costs, pairs_[index], variable, labels[pairs_[index].first]);
  }
  for (auto const index : with_later_[variable]) {
    add_costs(costs, pairs_[index], variable, labels[pairs_[index].second]);
  }
  return costs;
}

double PairSum::cost(std::vector<Label> const& labels) const {
  double sum = 0;
  for (Variable variable = 0; variable < variables(); ++variable) {
    sum += single_[variable][labels[variable]];
  }
  for (auto const& pair : pairs_) {
    sum += pair.cost[labels[pair.first] * single_[pair.second].size() + labels[pair.second]];
  }
  return sum;
}

double PairSum::entries() const {
  double sum = 0;
  for (auto const& pair : pairs_) sum += static_cast<double>(pair.cost.size());
  return sum;
}

std::vector<Label> descended(PairSum const& sum, std::vector<Label> labels) {
  int const most_sweeps = 20;
  bool changed = true;
  for (int i = 0; changed && i < most_sweeps; ++i) {
    changed = false;
    for (Variable variable = 0; variable < labels.size(); ++variable) {
      auto const costs = sum.costs_among(variable, labels);
      auto const label = cheapest(costs);
      if (costs[label] >= costs[labels[variable]]) continue;
      labels[variable] = label;
      changed = true;
    }
  }
  return labels;
}

std::vector<Label> tabu_search(PairSum const& sum, std::vector<Label> labels, double entries) {
  std::size_t const patience = 100 * sum.variables();  // steps without a better labelling
  Walk walk{sum, labels};
  auto best = walk.cost();
  for (std::size_t idle = 0; idle < patience && walk.entries() < entries; ++idle) {
    if (!walk.step(best)) break;
    if (walk.cost() >= best) continue;
    best = walk.cost();
    labels = walk.labels();
    idle = 0;
  }
  return descended(sum, std::move(labels));
}

}  // namespace tessera::partition
