// Min-sum: the cheapest labelling of a set of variables whose cost is a sum of small terms. One engine for all planners that choose a
// type per operator and pay per operator and per edge.
//
// Bucket elimination (Dechter, 1999): variables are eliminated one by one, each leaves a table over the variables that it shared a
// term with. The one with the fewest neighbours goes first: then a chain is the dynamic programme of HyPar's Algorithm 1,
// O(variables * labels^2), a tree costs as little, and in a series-parallel graph (the forks and joins of ResNet or Inception; node and
// edge elimination of OptCNN) no table has more than two variables. What all eliminations cost is known before any is made. Where it
// is too much (DenseNet), the best labelling is searched with a lower bound (bounded_search.hpp), which most often proves it optimal,
// and else says how far from it the labelling is at most.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::partition {

class MinSum final {
 public:
  using Variable = std::size_t;
  using Label = std::size_t;

  /// Limits on work and memory, counted so that results never depend on the machine.
  struct Limits {
    double table = 1 << 20;   ///< entries of one table of an elimination
    double sums = 1 << 23;    ///< formed by an elimination: twice what those of our networks form
                              ///< that are not dense
    double search = 1 << 26;  ///< entries and sums of a bounded search
  };

  MinSum() = default;
  explicit MinSum(Limits limits) : limits_{limits} {}

  /// Adds a variable with `labels` choices (at least one).
  Variable add_variable(std::size_t labels);
  /// `cost[label]`
  void add_term(Variable variable, std::vector<double> cost);
  /// `cost[first_label * labels(second) + second_label]`, first < second
  void add_term(Variable first, Variable second, std::vector<double> cost);

  struct Solution {
    double cost = 0;
    std::vector<Label> labels;     ///< per variable
    std::int64_t evaluations = 0;  ///< sums formed, and entries read by relaxations
    double bound = 0;              ///< no labelling costs less; `cost` if that is the optimum
  };
  /// The optimum, or the best labelling found. Ties of the optimum by elimination go to the lower
  /// label: on a chain of later variables first (HyPar: "choose dp"), else of those first that are
  /// eliminated last.
  [[nodiscard]] Solution solve() const { return solve({}); }

  /// The same with `helpers` eliminated before all others, unless their tables would become too
  /// large: ties go by the other variables.
  [[nodiscard]] Solution solve(std::vector<Variable> const& helpers) const;

  /// A cost per labelling of some variables, ascending; the last one varies fastest.
  struct Term {
    std::vector<Variable> variables;
    std::vector<double> cost;
  };

 private:
  Limits limits_;
  std::vector<std::size_t> label_counts_;
  std::vector<Term> terms_;
};

}  // namespace tessera::partition
