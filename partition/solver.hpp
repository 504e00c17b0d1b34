// Planners: a network and an array in, a plan out. Stateless and deterministic.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "arch/array_spec.hpp"
#include "arch/base/config.hpp"
#include "arch/base/registry.hpp"
#include "partition/plan.hpp"
#include "workloads/network.hpp"

namespace tessera::partition {

struct Problem {
  workloads::Network const& network;
  arch::ArraySpec const& array;
};

/// What becomes of a plan that makes an accelerator hold more than its memory has (footprint.hpp):
/// refused, looked away from, or replaced by one that fits (solvers/fit_search.hpp; by planners
/// that have a choice and a cost per operator: hypar, accpar, optcnn, exhaustive). The option `fit`
/// is of every planner, and of plans from files.
enum class Fit { reject, ignore, search };
[[nodiscard]] Fit fit_from(ConfigMap& options);

class Solver {
 public:
  virtual ~Solver() = default;
  /// Every returned plan is valid and carries cost_model's prediction.
  [[nodiscard]] virtual Plan solve(Problem const& problem) const = 0;
};

/// Planners by name, made from a map of options: `--set planner.KEY=value`, over the section
/// `planner` of an array's file, where that is the array of an evaluation with conventions of its
/// own. A planner's constructor reads those that it has (solvers/solvers.hpp) and leaves the
/// others.
using SolverRegistry = Registry<Solver, ConfigMap&>;
/// The table of contents of partition/solvers.
[[nodiscard]] SolverRegistry builtin_solvers();

/// A planner of builtin_solvers(), with its options out of `options`.
[[nodiscard]] std::unique_ptr<Solver> make_solver(std::string const& planner,
                                                  ConfigNode const& options = ConfigNode::map());

/// The keys that a planner reads where the options are these, `fit` included.
[[nodiscard]] std::set<std::string> options_read_by(std::string const& planner,
                                                    ConfigNode const& options = ConfigNode::map());

/// Throws ConfigError unless every option is one of some planner, with a value that it can have,
/// and every network that they name is built in or among `planned`.
void check_options(ConfigNode const& options, std::vector<std::string> const& planned);

}  // namespace tessera::partition
