// A sum of terms over single variables and pairs of them, as methods that improve a labelling step by step read it.
#pragma once

#include <cstddef>
#include <vector>

#include "partition/search/min_sum.hpp"

namespace tessera::partition {

class PairSum final {
 public:
  using Variable = MinSum::Variable;
  using Label = MinSum::Label;

  struct Pair {
    Variable first;
    Variable second;           ///< larger than the first
    std::vector<double> cost;  ///< the second's label varies fastest
  };

  /// Of terms over one or two variables each; those over the same are joined.
  PairSum(std::vector<std::size_t> const& label_counts, std::vector<MinSum::Term> const& terms);

  [[nodiscard]] std::size_t variables() const { return single_.size(); }
  /// By label.
  [[nodiscard]] std::vector<double> const& single(Variable variable) const {
    return single_[variable];
  }
  [[nodiscard]] std::vector<Pair> const& pairs() const { return pairs_; }

  /// Indices of a variable's pairs: with variables before it, and with those after it.
  [[nodiscard]] std::vector<std::size_t> const& with_earlier(Variable variable) const {
    return with_earlier_[variable];
  }
  [[nodiscard]] std::vector<std::size_t> const& with_later(Variable variable) const {
    return with_later_[variable];
  }

  /// Adds, to what each label of one variable of a pair costs, its cost with the other's label.
  void add_costs(std::vector<double>& costs, Pair const& pair, Variable variable,
                 Label of_other) const;

  /// What each label of a variable costs with those of all others, without terms that it is not in.
  [[nodiscard]] std::vector<double> costs_among(Variable variable,
                                                std::vector<Label> const& labels) const;

  [[nodiscard]] double cost(std::vector<Label> const& labels) const;

  /// Entries that one reading of all pairs reads.
  [[nodiscard]] double entries() const;

 private:
  std::vector<std::vector<double>> single_;
  std::vector<Pair> pairs_;
  std::vector<std::vector<std::size_t>> with_earlier_;
  std::vector<std::vector<std::size_t>> with_later_;
};

/// A labelling in which no variable alone can be changed for the better: iterated conditional modes
/// (Besag, J. R. Stat. Soc. B 48(3), 1986).
[[nodiscard]] std::vector<MinSum::Label> descended(PairSum const& sum,
                                                   std::vector<MinSum::Label> labels);

/// The best labelling that is met on a walk from `labels`: every step changes the variable that it
/// helps most, or harms least, and what it changed may not change back for some steps (tabu search:
/// Glover, ORSA J. Computing 1(3), 1989). Reads so many entries at most.
[[nodiscard]] std::vector<MinSum::Label> tabu_search(PairSum const& sum,
                                                     std::vector<MinSum::Label> labels,
                                                     double entries);

}  // namespace tessera::partition
