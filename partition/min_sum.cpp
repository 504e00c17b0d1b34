#include "partition/min_sum.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "arch/base/contract.hpp"

namespace tessera::partition {

namespace {

/// A table beyond this is a graph too dense for elimination: a limit on memory, not on correctness.
std::size_t const table_limit = std::size_t{1} << 24;

}  // namespace

/// What a variable left behind: its best label for every labelling of its neighbours.
struct MinSum::Bucket {
  std::vector<Variable> neighbours;
  std::vector<Label> best;
};

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

std::size_t MinSum::index(std::vector<Variable> const& variables,
                          std::vector<Label> const& labels) const {
  std::size_t position = 0;
  for (auto const variable : variables) {
    position = position * label_counts_[variable] + labels[variable];
  }
  return position;
}

MinSum::Bucket MinSum::eliminate(Variable variable, std::vector<Term>& terms,
                                 std::int64_t& evaluations) const {
  auto const others = std::stable_partition(terms.begin(), terms.end(), [&](Term const& term) {
    return std::find(term.variables.begin(), term.variables.end(), variable) !=
           term.variables.end();
  });
  std::vector<Term> const touched(terms.begin(), others);
  terms.erase(terms.begin(), others);

  std::set<Variable> shared;
  for (auto const& term : touched) shared.insert(term.variables.begin(), term.variables.end());
  shared.erase(variable);

  Bucket bucket{{shared.begin(), shared.end()}, {}};
  Term left{bucket.neighbours, {}};
  std::size_t size = 1;
  for (auto const neighbour : bucket.neighbours) {
    size *= label_counts_[neighbour];
    EXPECTS(size <= table_limit, size, bucket.neighbours.size());
  }
  std::vector<Label> labels(label_counts_.size(), 0);
  for (std::size_t entry = 0; entry < size; ++entry) {
    auto rest = entry;
    for (auto it = bucket.neighbours.rbegin(); it != bucket.neighbours.rend(); ++it) {
      labels[*it] = rest % label_counts_[*it];
      rest /= label_counts_[*it];
    }
    double best_cost = std::numeric_limits<double>::infinity();
    Label best_label = 0;
    for (Label label = 0; label < label_counts_[variable]; ++label) {
      labels[variable] = label;
      double cost = 0;
      for (auto const& term : touched) cost += term.table[index(term.variables, labels)];
      ++evaluations;
      if (cost < best_cost) {
        best_cost = cost;
        best_label = label;
      }
    }
    left.table.push_back(best_cost);
    bucket.best.push_back(best_label);
  }
  terms.push_back(std::move(left));
  return bucket;
}

MinSum::Solution MinSum::solve() const {
  Solution solution;
  auto terms = terms_;
  std::vector<Bucket> buckets;
  for (Variable variable = 0; variable < label_counts_.size(); ++variable) {
    buckets.push_back(eliminate(variable, terms, solution.evaluations));
  }
  for (auto const& term : terms) solution.cost += term.table.front();
  solution.labels.assign(label_counts_.size(), 0);
  for (auto variable = label_counts_.size(); variable-- > 0;) {
    auto const& bucket = buckets[variable];
    solution.labels[variable] = bucket.best[index(bucket.neighbours, solution.labels)];
  }
  return solution;
}

}  // namespace tessera::partition
