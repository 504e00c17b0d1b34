// Validation: suites of published values, each value rerun by simulation and judged.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arch/base/registry.hpp"
#include "sim/app/progress.hpp"
#include "sim/app/references.hpp"
#include "sim/app/result.hpp"

namespace tessera::sim {

/// A judged value. Texts are for tables; numbers for scripts.
struct Row {
  std::string suite;
  Reference reference;
  std::string value_text;
  double value = 0;     ///< not for choices
  double error = 0;     ///< relative, absolute, or cells that differ, as the tolerance says
  bool within = false;  ///< its tolerance
  bool pass = false;    ///< within, or out as a known deviation says
};

using SimulatedPoints = std::map<PointName, Point>;

/// Judges a reference by points that were simulated; all of its points must be there.
[[nodiscard]] Row judge(std::string const& suite, Reference const& reference,
                        SimulatedPoints const& points);

/// How suites run.
struct ValidationOptions {
  std::size_t workers = 1;
  Progress::Wanted progress = Progress::Wanted::no;
};

class Suite {
 public:
  virtual ~Suite() = default;
  [[nodiscard]] virtual std::vector<Row> run(ValidationOptions const& options) const = 0;
};

using SuiteRegistry = Registry<Suite>;
/// The table of contents: what `tessera validate` can run.
[[nodiscard]] SuiteRegistry builtin_suites();

/// A built-in suite by name, or one of the references in a file ("mine.yaml"). Throws ConfigError.
[[nodiscard]] std::unique_ptr<Suite> make_suite(std::string const& name_or_path);

}  // namespace tessera::sim
