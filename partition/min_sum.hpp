// Min-sum: the cheapest labelling of a set of variables whose cost is a sum of small terms. One engine for all planners that choose a
// type per operator and pay per operator and per edge.
//
// Bucket elimination (Dechter, 1999): variables are eliminated in order; each leaves a table over the variables that it shared a
// term with. On a chain that is the dynamic programme of HyPar's Algorithm 1, O(variables * labels^2).
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::partition {

class MinSum final {
 public:
  using Variable = std::size_t;
  using Label = std::size_t;

  /// Adds a variable with `labels` choices (at least one).
  Variable add_variable(std::size_t labels);
  /// `cost[label]`
  void add_term(Variable variable, std::vector<double> cost);
  /// `cost[first_label * labels(second) + second_label]`
  void add_term(Variable first, Variable second, std::vector<double> cost);

  struct Solution {
    double cost = 0;
    std::vector<Label> labels;     ///< per variable
    std::int64_t evaluations = 0;  ///< sums formed
  };
  /// The optimum. Ties go to the lower label, of later variables first (HyPar: "choose dp").
  [[nodiscard]] Solution solve() const;

 private:
  /// A cost table over some variables, ascending; the last one varies fastest.
  struct Term {
    std::vector<Variable> variables;
    std::vector<double> table;
  };
  struct Bucket;

  [[nodiscard]] Bucket eliminate(Variable variable, std::vector<Term>& terms,
                                 std::int64_t& evaluations) const;
  [[nodiscard]] std::size_t index(std::vector<Variable> const& variables,
                                  std::vector<Label> const& labels) const;

  std::vector<std::size_t> label_counts_;
  std::vector<Term> terms_;
};

}  // namespace tessera::partition
