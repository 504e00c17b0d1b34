// Columns then rows of weights (columns_and_rows.hpp), on groups of accelerators.
//
// The groups that do so are the whole array, or with the option `tensor` groups of so many accelerators, which split samples between them
// (section 3: "hybrid model and data parallelism"). Which accelerators make a group is free: those that the hierarchy's innermost levels
// cut off, neighbours in any array and a block of a grid; or, in a grid with dimensions that make so many, whole rows along these. Rows of
// a torus are rings, on which sums go round; blocks have shorter ways. Which is better the predicted time says.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arch/array/translation.hpp"
#include "partition/planners/builtin_planners.hpp"
#include "partition/planners/columns_and_rows.hpp"
#include "partition/planners/staged_plan.hpp"
#include "partition/search/planning.hpp"

namespace tessera::partition {

namespace {

using SharedLevels = ColumnsAndRows::SharedLevels;

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

/// Adds innermost levels until groups have `size` accelerators; false where they never have.
bool fill_up(SharedLevels& shared, Hierarchy const& hierarchy, std::size_t size) {
  std::size_t filled = 1;
  for (std::size_t level = 0; level < shared.size(); ++level) {
    if (shared[level]) filled *= hierarchy.ways(level);
  }
  for (auto level = shared.size(); level-- > 0 && filled < size;) {
    if (shared[level]) continue;
    shared[level] = true;
    filled *= hierarchy.ways(level);
  }
  return filled == size;
}

/// Whole rows along one dimension of a grid or several, in all ways that there are; where these
/// do not make so many accelerators, several rows side by side. A pair is no row: nothing goes
/// round it, and it leaves at most 12 dimensions of 2^20 accelerators.
std::vector<SharedLevels> rows_of(arch::ArraySpec const& array, std::size_t size) {
  auto const grid = arch::Translations::of(array);
  if (!grid || !array.fabric.tree.empty()) return {};
  auto const hierarchy = array.hierarchy();
  auto rows = arch::place_digits(*grid, hierarchy);
  for (auto i = rows.size(); i-- > 0;) {
    if (grid->extent(i) <= 2) rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(i));
  }
  std::vector<SharedLevels> ways;
  for (std::size_t chosen = 1; chosen < std::size_t{1} << rows.size(); ++chosen) {
    SharedLevels shared(hierarchy.levels());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if ((chosen >> i & 1U) == 0) continue;
      for (auto const& digit : rows[i]) shared[digit.level] = true;
    }
    if (!fill_up(shared, hierarchy, size)) continue;
    bool const is_new = std::find(ways.begin(), ways.end(), shared) == ways.end();
    if (is_new) ways.push_back(std::move(shared));
  }
  return ways;
}

Plan plan_of(Problem const& problem, SharedLevels shared) {
  auto plan = empty_plan("tp", problem);
  ColumnsAndRows columns_and_rows{problem.network, problem.array.hierarchy(), std::move(shared)};
  for (auto const op : problem.network.operators().ids()) {
    plan.splits[op] = columns_and_rows.splits_of(op);
  }
  return finished(std::move(plan), problem);
}

}  // namespace

TensorParallel::TensorParallel(ConfigMap& options)
    : tensor_{count_from(options, "tensor", "a group has an accelerator at least")},
      groups_{options.choice<Groups>(
          "groups",
          {{"quicker", Groups::quicker}, {"block", Groups::block}, {"rows", Groups::rows}},
          Groups::quicker)} {}

Plan TensorParallel::solve(Problem const& problem) const {
  auto const hierarchy = problem.array.hierarchy();
  auto const size = static_cast<std::size_t>(tensor_.value_or(problem.array.accelerators));
  std::vector<SharedLevels> layouts;
  if (groups_ != Groups::block) layouts = rows_of(problem.array, size);
  if (groups_ != Groups::rows) {
    auto block = ColumnsAndRows::innermost(hierarchy, levels_above(hierarchy, size));
    layouts.erase(std::remove(layouts.begin(), layouts.end(), block), layouts.end());
    layouts.insert(layouts.begin(), std::move(block));
  }
  if (layouts.empty()) {
    throw ConfigError{{},
                      "planner.groups",
                      "no whole rows of the array make groups of " + std::to_string(size) +
                          " accelerators; leave it out, or use block"};
  }
  std::optional<Plan> best;
  for (auto& shared : layouts) {
    auto plan = plan_of(problem, std::move(shared));
    if (!best || plan.predicted->time_s < best->predicted->time_s) best = std::move(plan);
  }
  best->evaluations = static_cast<std::int64_t>(layouts.size());
  return *std::move(best);
}

}  // namespace tessera::partition
