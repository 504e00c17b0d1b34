#include "partition/search/relaxation.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tessera::partition {

namespace {

using Variable = MinSum::Variable;
using Label = MinSum::Label;
using Costs = std::vector<double>;

double minimum(Costs const& values) { return *std::min_element(values.begin(), values.end()); }

void add_costs(Costs& sum, Costs const& values) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[i];
}

Costs sum_of(Costs sum, Costs const& values) {
  add_costs(sum, values);
  return sum;
}

/// The least of cost[x][y] + of_first[x] over x, by y.
Costs least_by_second(Costs const& cost, Costs const& of_first, std::size_t seconds) {
  Costs least(seconds, std::numeric_limits<double>::infinity());
  auto const* entry = cost.data();
  for (auto const first : of_first) {
    for (auto& value : least) value = std::min(value, first + *entry++);
  }
  return least;
}

/// The least of cost[x][y] + of_second[y] over y, by x.
Costs least_by_first(Costs const& cost, std::size_t firsts, Costs const& of_second) {
  Costs least(firsts, std::numeric_limits<double>::infinity());
  auto const* entry = cost.data();
  for (auto& value : least) {
    for (auto const second : of_second) value = std::min(value, second + *entry++);
  }
  return least;
}

}  // namespace

Relaxation::Relaxation(PairSum const& sum)
    : sum_{sum}, labels_(sum.variables(), 0), cost_{sum.cost(labels_)} {
  for (Variable variable = 0; variable < sum_.variables(); ++variable) {
    own_.push_back(sum_.single(variable));
  }
  for (auto const& pair : sum_.pairs()) {
    moved_.push_back({Costs(own_[pair.first].size(), 0.0), Costs(own_[pair.second].size(), 0.0)});
  }
}

std::vector<std::size_t> const& Relaxation::behind(Variable variable, Direction direction) const {
  return direction == Direction::forward ? sum_.with_earlier(variable) : sum_.with_later(variable);
}

std::vector<std::size_t> const& Relaxation::ahead(Variable variable, Direction direction) const {
  return direction == Direction::forward ? sum_.with_later(variable) : sum_.with_earlier(variable);
}

void Relaxation::pass() {
  sweep(Direction::forward);
  sweep(Direction::backward);
}

void Relaxation::sweep(Direction direction) {
  std::vector<Label> taken(sum_.variables(), 0);
  for (std::size_t i = 0; i < taken.size(); ++i) {
    auto const variable = direction == Direction::forward ? i : taken.size() - 1 - i;
    for (auto const pair : behind(variable, direction)) collect(pair, variable);
    taken[variable] = greedy_label(variable, direction, taken);
    distribute(variable, direction);
  }
  taken = descended(sum_, std::move(taken));
  auto const cost = sum_.cost(taken);
  if (cost >= cost_) return;
  cost_ = cost;
  labels_ = std::move(taken);
}

void Relaxation::collect(std::size_t index, Variable into) {
  auto const& pair = sum_.pairs()[index];
  auto& [from_first, from_second] = moved_[index];
  bool const is_second = into == pair.second;
  auto& moved = is_second ? from_second : from_first;
  auto spare = is_second ? least_by_second(pair.cost, from_first, from_second.size())
                         : least_by_first(pair.cost, from_first.size(), from_second);
  add_costs(spare, moved);
  for (Label label = 0; label < spare.size(); ++label) moved[label] -= spare[label];
  add_costs(own_[into], spare);
}

void Relaxation::distribute(Variable variable, Direction direction) {
  auto const& pairs = ahead(variable, direction);
  if (pairs.empty()) return;
  auto const parts = std::max(pairs.size(), behind(variable, direction).size());
  auto& own = own_[variable];
  auto part = own;
  for (auto& value : part) value /= static_cast<double>(parts);
  for (auto const index : pairs) {
    auto& [from_first, from_second] = moved_[index];
    add_costs(variable == sum_.pairs()[index].first ? from_first : from_second, part);
  }
  auto const left = static_cast<double>(parts - pairs.size()) / static_cast<double>(parts);
  for (auto& value : own) value *= left;
}

Label Relaxation::greedy_label(Variable variable, Direction direction,
                               std::vector<Label> const& taken) const {
  auto costs = sum_.single(variable);
  for (auto const index : behind(variable, direction)) {
    auto const& pair = sum_.pairs()[index];
    auto const other = variable == pair.first ? pair.second : pair.first;
    sum_.add_costs(costs, pair, variable, taken[other]);
  }
  for (auto const index : ahead(variable, direction)) {
    auto const& [from_first, from_second] = moved_[index];
    auto const& moved = variable == sum_.pairs()[index].first ? from_first : from_second;
    for (Label label = 0; label < costs.size(); ++label) costs[label] -= moved[label];
  }
  return static_cast<Label>(std::min_element(costs.begin(), costs.end()) - costs.begin());
}

double Relaxation::bound() const {
  double sum = 0;
  for (auto const& own : own_) sum += minimum(own);
  for (std::size_t index = 0; index < moved_.size(); ++index) {
    auto const& [from_first, from_second] = moved_[index];
    auto const& cost = sum_.pairs()[index].cost;
    sum += minimum(sum_of(least_by_second(cost, from_first, from_second.size()), from_second));
  }
  return sum;
}

std::vector<std::vector<double>> Relaxation::bounds_by_label() const {
  auto const whole = bound();
  auto bounds = own_;
  Costs replaced;  // what `whole` has of each variable's star
  for (auto const& own : own_) replaced.push_back(minimum(own));
  for (std::size_t index = 0; index < moved_.size(); ++index) {
    auto const& [first, second, cost] = sum_.pairs()[index];
    auto const& [from_first, from_second] = moved_[index];
    auto const alone =
        minimum(sum_of(least_by_second(cost, from_first, from_second.size()), from_second));
    add_costs(bounds[first], from_first);
    add_costs(bounds[first],
              least_by_first(cost, from_first.size(), sum_of(from_second, own_[second])));
    add_costs(bounds[second], from_second);
    add_costs(bounds[second],
              least_by_second(cost, sum_of(from_first, own_[first]), from_second.size()));
    replaced[first] += alone + minimum(own_[second]);
    replaced[second] += alone + minimum(own_[first]);
  }
  for (Variable variable = 0; variable < bounds.size(); ++variable) {
    for (auto& value : bounds[variable]) value += whole - replaced[variable];
  }
  return bounds;
}

}  // namespace tessera::partition
