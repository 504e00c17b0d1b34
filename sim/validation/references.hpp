// Published values to check simulations against, as data: a file says which points to simulate, what to measure, what was
// published where, and how close is close enough.
//
//   schema: tessera.references/1
//   description: HyPar (HPCA 2019), Figs 5 to 12                # one line
//   checks:
//     - source: "HyPar, Fig. 6"
//       metric: speedup          # choices | communication | speedup | energy_efficiency
//       arch: hypar-paper
//       planner: hypar
//       set: [arch.accelerators=16]                             # optional
//       note: read from bars                                    # optional
//       baseline: {planner: dp, set: []}                        # of the two ratios; may have an arch of its own, too
//       tolerance: 0.5 %         # exact | printed digits | at least | a percentage of the value
//       cases:
//         - {workload: hypar/sfc, value: 23.48}
//         - {workload: hypar/alexnet, value: 3.27, tolerance: 1 %, note: why}
//         - {workload: hypar/vgg-a, value: 9.1, deviation: D1}  # a row of DEVIATIONS.md
//         - {workload: geomean, value: 3.39}                    # over all networks of the check
//       networks: [hypar/sfc]    # what a geomean is over, if not the networks of the cases
// A case may have its own planner, set and note, too. `value` of `choices` is one string of 0 (I) and 1 (II) per level, in GB for
// communication. "printed digits": within half a unit of the last digit of the value as it is written.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "arch/base/config.hpp"
#include "sim/validation/row.hpp"

namespace tessera::sim {

/// What to simulate, by name.
struct PointName {
  std::string workload;
  std::string arch;
  std::string planner;
  std::vector<std::string> settings;
  SourceLocation where = {};  ///< of the first case that names it; tells no points apart

  [[nodiscard]] auto key() const { return std::tie(workload, arch, planner, settings); }
  friend bool operator<(PointName const& a, PointName const& b) { return a.key() < b.key(); }
};

enum class Metric { choices, communication, speedup, energy_efficiency };
[[nodiscard]] char const* name(Metric metric);

/// One published value.
struct Reference {
  std::string title;  ///< "hypar/vgg-e, dp, arch.accelerators=4"
  Metric metric = Metric::choices;
  std::vector<PointName> points;     ///< several: the geometric mean over them
  std::vector<PointName> baselines;  ///< one per point, or none
  std::string value;                 ///< as written
  Tolerance tolerance;
  std::string source;
  std::string note;                      ///< may be empty
  std::optional<std::string> deviation;  ///< a known difference: a row of DEVIATIONS.md
};

struct ReferenceFile {
  std::string description;
  std::vector<Reference> references;
};

/// Throws ConfigError.
[[nodiscard]] ReferenceFile references_from(ConfigNode const& node);

/// A built-in file by name, or any by path.
[[nodiscard]] ReferenceFile load_references(std::string const& name_or_path);
[[nodiscard]] std::vector<std::string> builtin_references();

}  // namespace tessera::sim
