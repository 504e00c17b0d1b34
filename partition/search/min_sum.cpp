#include "partition/search/min_sum.hpp"

#include <utility>

#include "arch/base/contract.hpp"
#include "partition/search/bounded_search.hpp"
#include "partition/search/elimination.hpp"
#include "partition/search/elimination_order.hpp"

namespace tessera::partition {

MinSum::Variable MinSum::add_variable(std::size_t labels) {
  EXPECTS(labels > 0, labels);
  label_counts_.push_back(labels);
  return label_counts_.size() - 1;
}

void MinSum::add_term(Variable variable, std::vector<double> cost) {
  EXPECTS(cost.size() == label_counts_.at(variable), cost.size());
  terms_.push_back({{variable}, std::move(cost)});
}

void MinSum::add_term(Variable first, Variable second, std::vector<double> cost) {
  EXPECTS(first < second, first, second);
  EXPECTS(cost.size() == label_counts_.at(first) * label_counts_.at(second), cost.size());
  terms_.push_back({{first, second}, std::move(cost)});
}

MinSum::Solution MinSum::solve(std::vector<Variable> const& helpers) const {
  auto const order =
      fewest_neighbours_first(label_counts_, terms_, {limits_.table, limits_.sums}, helpers);
  if (!order.is_complete) return bounded_search(label_counts_, terms_, limits_);
  Solution best;
  Elimination elimination{label_counts_, terms_};
  for (auto const variable : order.variables) {
    best.evaluations += elimination.eliminate(variable);
  }
  best.labels.resize(label_counts_.size());
  elimination.complete(best.labels);
  best.cost = best.bound = elimination.constant();
  return best;
}

}  // namespace tessera::partition
