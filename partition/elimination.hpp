// Variables that are eliminated from a sum of terms, one after another (min_sum.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "partition/min_sum.hpp"

namespace tessera::partition {

class Elimination final {
 public:
  using Variable = MinSum::Variable;
  using Label = MinSum::Label;

  Elimination(std::vector<std::size_t> label_counts, std::vector<MinSum::Term> const& terms);
  Elimination(Elimination const& other);
  Elimination(Elimination&& other) noexcept;
  Elimination& operator=(Elimination const&) = delete;
  Elimination& operator=(Elimination&&) = delete;
  ~Elimination();

  /// Of the variables that are left, the one with the fewest neighbours / with the most; the first
  /// of several.
  [[nodiscard]] std::optional<Variable> sparsest() const;
  [[nodiscard]] Variable densest() const;

  [[nodiscard]] std::size_t label_count(Variable variable) const { return label_counts_[variable]; }

  /// How many entries the table has that its elimination leaves.
  [[nodiscard]] double table_size(Variable variable) const;

  /// Replaces all terms with `variable` by one over its neighbours. Returns how many sums it
  /// formed.
  std::int64_t eliminate(Variable variable);

  /// What is left when `variable` has `label`.
  [[nodiscard]] Elimination with(Variable variable, Label label) const;

  /// What the sum is at least; once nothing is left, what it is.
  [[nodiscard]] double bound() const;

  /// The cheapest labels, once nothing is left.
  [[nodiscard]] std::vector<Label> labels() const;

 private:
  /// What a variable left behind: its best label for every labelling of its neighbours.
  struct Bucket {
    Variable variable;
    std::vector<Variable> neighbours;
    std::vector<Label> best;
  };
  class Graph;

  void add(MinSum::Term term);
  [[nodiscard]] std::vector<MinSum::Term> take_terms_of(Variable variable);
  void forget(Variable variable);

  std::vector<std::size_t> label_counts_;
  std::vector<MinSum::Term> terms_;             ///< those taken are empty
  std::vector<std::vector<std::size_t>> uses_;  ///< indices of terms, per variable
  std::unique_ptr<Graph> graph_;                ///< who shares a term with whom
  std::vector<bool> is_left_;
  std::vector<Bucket> buckets_;  ///< in the order of elimination
  double constant_ = 0;
};

}  // namespace tessera::partition
