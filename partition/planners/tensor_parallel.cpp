// Columns then rows of weights (columns_and_rows.hpp), on groups of accelerators.
//
// The groups that do so are the whole array, or with the option `tensor` those of so many accelerators that the hierarchy's innermost
// levels make; the levels above split samples (section 3: "hybrid model and data parallelism").
#include <string>

#include "partition/planners/builtin_planners.hpp"
#include "partition/planners/columns_and_rows.hpp"
#include "partition/planners/staged_plan.hpp"
#include "partition/search/planning.hpp"

namespace tessera::partition {

namespace {

/// How many levels cut the array in groups of `size`.
std::size_t levels_above(Hierarchy const& hierarchy, std::size_t size) {
  std::string known;
  for (std::size_t levels = 0; levels <= hierarchy.levels(); ++levels) {
    if (hierarchy.group_size(levels) == size) return levels;
    known += (levels == 0 ? "" : ", ") + std::to_string(hierarchy.group_size(levels));
  }
  throw ConfigError{{},
                    "planner.tensor",
                    "no level of the array has groups of " + std::to_string(size) +
                        " accelerators; use one of " + known};
}

}  // namespace

TensorParallel::TensorParallel(ConfigMap& options)
    : tensor_{count_from(options, "tensor", "a group has an accelerator at least")} {}

Plan TensorParallel::solve(Problem const& problem) const {
  auto plan = empty_plan("tp", problem);
  auto const hierarchy = problem.array.hierarchy();
  auto const size = tensor_.value_or(problem.array.accelerators);
  ColumnsAndRows columns_and_rows{problem.network, hierarchy,
                                  levels_above(hierarchy, static_cast<std::size_t>(size))};
  for (auto const op : problem.network.operators().ids()) {
    plan.splits[op] = columns_and_rows.splits_of(op);
  }
  plan.evaluations = 1;
  return finished(std::move(plan), problem);
}

}  // namespace tessera::partition
