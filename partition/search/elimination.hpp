// Variables that are eliminated from a sum of terms, one after another (min_sum.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "partition/search/min_sum.hpp"

namespace tessera::partition {

class Elimination final {
 public:
  using Variable = MinSum::Variable;
  using Label = MinSum::Label;

  Elimination(std::vector<std::size_t> label_counts, std::vector<MinSum::Term> terms);

  /// Replaces all terms with `variable` by one over its neighbours: those that it shares a term
  /// with. Returns how many sums it formed.
  std::int64_t eliminate(Variable variable);

  /// The terms that are left.
  [[nodiscard]] std::vector<MinSum::Term> terms() const;

  /// The cheapest sum of all that is eliminated already and has no neighbour left.
  [[nodiscard]] double constant() const { return constant_; }

  /// Sets the labels of the eliminated variables to the cheapest with those of the others.
  void complete(std::vector<Label>& labels) const;

 private:
  /// What a variable left behind: its best label for every labelling of its neighbours.
  struct Bucket {
    Variable variable;
    std::vector<Variable> neighbours;
    std::vector<Label> best;
  };

  void add(MinSum::Term term);
  [[nodiscard]] std::vector<MinSum::Term> take_terms_of(Variable variable);

  std::vector<std::size_t> label_counts_;
  std::vector<MinSum::Term> terms_;             ///< those taken are empty
  std::vector<std::vector<std::size_t>> uses_;  ///< indices of terms, per variable
  std::vector<Bucket> buckets_;                 ///< in the order of elimination
  double constant_ = 0;
};

}  // namespace tessera::partition
