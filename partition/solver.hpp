// Planners: a network and an array in, a plan out. Stateless and deterministic.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "arch/array_spec.hpp"
#include "arch/base/registry.hpp"
#include "partition/plan.hpp"
#include "workloads/network.hpp"

namespace tessera::partition {

struct Problem {
  workloads::Network const& network;
  arch::ArraySpec const& array;
};

/// Switches of all planners: `--set planner.KEY=value`, or the section `planner` of an array's
/// file, where that is the array of an evaluation with conventions of its own.
struct SolverOptions {
  /// HyPar's cost of mp-mp and mp-dp between layers. Its printed Table 2 charges 0.5 A(E) for both,
  /// but with that Fig. 5 comes out wrong for six of ten networks; with 0 every cell of Fig. 5 and
  /// every bar of Fig. 8 is met. 0 is also what the layouts say: reduce-scatter of F plus
  /// all-gather of E is one A(F) each way, which Table 1 has charged already. (AccPar's printed
  /// tables extend HyPar's; its released solver goes by them.)
  enum class InterLayer { as_evaluated, printed };
  InterLayer inter_layer = InterLayer::as_evaluated;

  /// AccPar: does computation count, or only communication, as in its released solver?
  enum class Compute { counted, ignored };
  Compute compute = Compute::counted;

  /// AccPar: may the halves of a heterogeneous group have unequal shares?
  enum class Ratio { solved, equal };
  Ratio ratio = Ratio::solved;

  /// Whose choices does `exhaustive` enumerate?
  enum class OracleOf { hypar, accpar };
  OracleOf oracle_of = OracleOf::hypar;

  /// SoyBean: may the error of an activation lie otherwise than the activation? (Its code says yes;
  /// its paper and Tofu tie the two.)
  enum class Errors { free, tied };
  Errors errors = Errors::free;

  /// Tofu: does an element-wise operator leave its output as its input lies? (solvers/soybean.hpp)
  enum class Coarsening { element_wise, none };
  Coarsening coarsening = Coarsening::element_wise;

  /// A plan that makes an accelerator hold more than its memory has (footprint.hpp): refused,
  /// looked away from, or replaced by one that fits (solvers/fit_search.hpp; by planners that have
  /// a choice and a cost per operator: hypar, accpar, optcnn, exhaustive).
  enum class Fit { reject, ignore, search };
  Fit fit = Fit::reject;

  /// What AccPar's released solver does with a ResNet: its tables know no shortcuts, so it adds one
  /// to every `span`-th layer, by the layer's number (shortcut_search.hpp). Networks by name, with
  /// their spans.
  std::map<std::string, std::int64_t> shortcut_spans = {};
};
[[nodiscard]] SolverOptions solver_options_from(ConfigNode const& node);

/// The options of an array's own evaluation.
[[nodiscard]] SolverOptions solver_options_of(arch::ArraySpec const& array);

class Solver {
 public:
  virtual ~Solver() = default;
  /// Every returned plan is valid and carries cost_model's prediction.
  [[nodiscard]] virtual Plan solve(Problem const& problem) const = 0;
};

using SolverRegistry = Registry<Solver, SolverOptions const&>;
/// The table of contents of partition/solvers.
[[nodiscard]] SolverRegistry builtin_solvers();

}  // namespace tessera::partition
