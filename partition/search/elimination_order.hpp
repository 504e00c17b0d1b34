// In which order the variables of a min-sum problem are eliminated, and at what cost: found on who shares a term with whom alone,
// before any table is made.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "partition/search/min_sum.hpp"

namespace tessera::partition {

struct EliminationLimits {
  double table = std::numeric_limits<double>::infinity();  ///< entries of one table
  double sums = std::numeric_limits<double>::infinity();   ///< of all eliminations together
  std::size_t neighbours = std::numeric_limits<std::size_t>::max();
};

struct EliminationOrder {
  std::vector<MinSum::Variable> variables;
  bool is_complete = false;  ///< are these all?
  double sums = 0;           ///< formed by their eliminations
};

/// `helpers` first, those whose tables are not too large, then always the variable with the fewest
/// neighbours, the first of several; up to where a limit would be passed.
[[nodiscard]] EliminationOrder fewest_neighbours_first(
    std::vector<std::size_t> const& label_counts, std::vector<MinSum::Term> const& terms,
    EliminationLimits const& limits, std::vector<MinSum::Variable> const& helpers = {});

/// Always the variable whose elimination leaves the smallest table: better where some have many
/// labels and others few.
[[nodiscard]] EliminationOrder smallest_table_first(std::vector<std::size_t> const& label_counts,
                                                    std::vector<MinSum::Term> const& terms,
                                                    EliminationLimits const& limits);

}  // namespace tessera::partition
