// Validation: suites of published and measured values, each computed again and judged. A suite is anything that yields rows.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "arch/base/config.hpp"
#include "arch/base/registry.hpp"
#include "sim/terminal/progress.hpp"
#include "sim/validation/row.hpp"

namespace tessera::sim {

/// How suites run.
struct ValidationOptions {
  std::size_t workers = 1;
  Progress::Wanted progress = Progress::Wanted::no;
};

class Suite {
 public:
  virtual ~Suite() = default;
  [[nodiscard]] virtual std::vector<Row> run(ValidationOptions const& options) const = 0;
  /// Minutes: only run when it is asked for by name.
  [[nodiscard]] virtual bool takes_long() const { return false; }
};

/// The suite of a reference file (references.hpp): plans, simulated.
[[nodiscard]] std::unique_ptr<Suite> reference_suite(std::string const& name_or_path);

using SuiteRegistry = Registry<Suite>;
/// The table of contents: what `tessera validate` can run.
[[nodiscard]] SuiteRegistry builtin_suites();

/// A built-in suite by name, or one of the references in a file ("mine.yaml"). Throws ConfigError.
[[nodiscard]] std::unique_ptr<Suite> make_suite(std::string const& name_or_path);

/// The rows of sim/validation/references/<name>.csv, each a map from column to cell.
[[nodiscard]] std::vector<ConfigNode> reference_table(std::string const& name);

}  // namespace tessera::sim
