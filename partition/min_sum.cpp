#include "partition/min_sum.hpp"

#include <limits>
#include <utility>

#include "arch/base/contract.hpp"
#include "partition/elimination.hpp"

namespace tessera::partition {

namespace {

/// The cheapest of all that is left of an elimination, into `best` if it is cheaper.
void search(Elimination elimination, std::size_t largest_table, MinSum::Solution& best) {
  auto variable = elimination.sparsest();
  while (variable && elimination.table_size(*variable) <= static_cast<double>(largest_table)) {
    best.evaluations += elimination.eliminate(*variable);
    variable = elimination.sparsest();
  }
  if (elimination.bound() >= best.cost) return;
  if (!variable) {
    best.cost = elimination.bound();
    best.labels = elimination.labels();
    return;
  }
  auto const densest = elimination.densest();
  for (MinSum::Label label = 0; label < elimination.label_count(densest); ++label) {
    search(elimination.with(densest, label), largest_table, best);
  }
}

}  // namespace

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
  Solution best;
  best.cost = std::numeric_limits<double>::infinity();
  Elimination elimination{label_counts_, terms_};
  for (auto const helper : helpers) {
    if (elimination.table_size(helper) > static_cast<double>(largest_table_)) continue;
    best.evaluations += elimination.eliminate(helper);
  }
  search(std::move(elimination), largest_table_, best);
  ENSURES(best.labels.size() == label_counts_.size(), best.cost);
  return best;
}

}  // namespace tessera::partition
