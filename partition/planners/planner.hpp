// Planners: a network and an array in, a plan out. Stateless and deterministic.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "arch/base/config.hpp"
#include "arch/base/registry.hpp"
#include "partition/plan/plan.hpp"
#include "partition/plan/problem.hpp"

namespace tessera::partition {

class Planner {
 public:
  virtual ~Planner() = default;
  /// Every returned plan is valid and carries cost_model's prediction.
  [[nodiscard]] virtual Plan solve(Problem const& problem) const = 0;
  /// Does it end with the best plan so far when it is interrupted (PlanningContext)?
  [[nodiscard]] virtual bool is_anytime() const { return false; }
};

/// Planners by name, made from a map of options: `--set planner.KEY=value`, over the section
/// `planner` of an array's file, where that is the array of an evaluation with conventions of its
/// own. A planner's constructor reads those that it has (planners/builtin_planners.hpp) and leaves
/// the others.
using PlannerRegistry = Registry<Planner, ConfigMap&>;
/// The table of contents of partition/planners.
[[nodiscard]] PlannerRegistry builtin_planners();

/// A planner of builtin_planners(), with its options out of `options`.
[[nodiscard]] std::unique_ptr<Planner> make_planner(std::string const& planner,
                                                    ConfigNode const& options = ConfigNode::map());

/// The keys that a planner reads where the options are these, `fit` included.
[[nodiscard]] std::set<std::string> options_read_by(std::string const& planner,
                                                    ConfigNode const& options = ConfigNode::map());

/// An option of a planner.
struct PlannerOption {
  std::string key;
  /// What it is unless it is given; none: the planner finds a value, or the array says it.
  std::optional<std::string> fallback;
  std::vector<std::string> choices;  ///< empty: a number, or a list
};
/// All that a planner reads, by key.
[[nodiscard]] std::vector<PlannerOption> options_of(std::string const& planner);

/// Throws ConfigError unless every option is one of some planner, with a value that it can have,
/// and every network that they name is built in or among `planned`.
void check_options(ConfigNode const& options, std::vector<std::string> const& planned);

}  // namespace tessera::partition
