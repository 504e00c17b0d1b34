// A lower bound of a sum over single variables and pairs, and good labellings of it, whatever the graph.
//
// Reparametrisation: what a label of a variable costs may be moved between the variable's own term and those of its pairs without any
// change to the cost of a labelling. However it is moved, the sum of all terms' minima is at most the cost of the cheapest
// labelling; the best that can be done is the dual of the problem's linear relaxation. It is climbed by sequential reweighted message
// passing (TRW-S: Kolmogorov, IEEE TPAMI 28(10), 2006): along the variables' order and back, each collects what its pairs with those
// before it can spare, then hands equal parts of all it has to its pairs with those after it. The bound never falls, and where the
// relaxation is tight (trees; any graph whose pairs are submodular, as n and c are at the first level of HyPar) it meets the optimum.
//
// On the way each variable takes the label that is cheapest with those already taken and with what those to come have moved.
#pragma once

#include <cstddef>
#include <vector>

#include "partition/search/min_sum.hpp"
#include "partition/search/pair_sum.hpp"

namespace tessera::partition {

class Relaxation final {
 public:
  using Variable = MinSum::Variable;
  using Label = MinSum::Label;

  explicit Relaxation(PairSum const& sum);

  /// All variables once, in their order and back.
  void pass();

  /// No labelling costs less, but for rounding.
  [[nodiscard]] double bound() const;

  /// Per variable and label: no labelling with that label costs less. The star of the variable and
  /// its neighbours is minimised exactly, all else is bounded term by term.
  [[nodiscard]] std::vector<std::vector<double>> bounds_by_label() const;

  /// The best labelling so far.
  [[nodiscard]] std::vector<Label> const& labels() const { return labels_; }

 private:
  enum class Direction { forward, backward };
  /// What has been moved to a pair from its variables' own terms, by label.
  struct Moved {
    std::vector<double> from_first;
    std::vector<double> from_second;
  };

  void sweep(Direction direction);
  void collect(std::size_t pair, Variable into);
  void distribute(Variable variable, Direction direction);
  [[nodiscard]] Label greedy_label(Variable variable, Direction direction,
                                   std::vector<Label> const& taken) const;
  [[nodiscard]] std::vector<std::size_t> const& behind(Variable variable,
                                                       Direction direction) const;
  [[nodiscard]] std::vector<std::size_t> const& ahead(Variable variable, Direction direction) const;

  PairSum const& sum_;
  std::vector<std::vector<double>> own_;  ///< what is left of single terms, per variable and label
  std::vector<Moved> moved_;              ///< per pair
  std::vector<Label> labels_;
  double cost_;
};

}  // namespace tessera::partition
