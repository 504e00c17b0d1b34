// The options that subcommands share, spelled and explained once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "arch/array_spec.hpp"
#include "partition/solver.hpp"
#include "sim/app/progress.hpp"
#include "sim/shell/run.hpp"
#include "traces/overwrite.hpp"
#include "workloads/network.hpp"

namespace CLI {
class App;
}

namespace tessera::sim {

/// How a subcommand reports.
struct ReportOptions {
  bool json = false;
  bool quiet = false;

  [[nodiscard]] Progress::Wanted progress() const {
    return quiet ? Progress::Wanted::no : Progress::Wanted::yes;
  }
};
void add_report_options(CLI::App& parser, ReportOptions& options);

/// What becomes of files that are in the way of outputs.
struct OverwriteOptions {
  bool force = false;

  [[nodiscard]] traces::Overwrite overwrite() const {
    return force ? traces::Overwrite::forced : traces::Overwrite::same;
  }
};
void add_overwrite_options(CLI::App& parser, OverwriteOptions& options);

/// What is studied. Subcommands that take one network use the first.
struct ProblemOptions {
  std::vector<std::string> workloads;
  std::string arch;
  std::vector<std::string> settings;
};
enum class HowMany { one, list };
void add_problem_options(CLI::App& parser, ProblemOptions& options, HowMany workloads);

/// How the kernel is driven: no choice may change a result.
struct KernelOptions {
  std::string module_order = "forward";
  std::int64_t shuffle_seed = 0;
  bool no_fast_forward = false;  ///< and no symmetry
  bool no_symmetry = false;

  [[nodiscard]] bool folds() const { return !no_symmetry && !no_fast_forward; }

  [[nodiscard]] RunOptions run_options() const;
};
void add_kernel_options(CLI::App& parser, KernelOptions& options);

void add_jobs_option(CLI::App& parser, std::size_t& workers);

/// The networks, the array and the planners' options that ProblemOptions name.
struct Problems {
  std::vector<workloads::Network> networks;
  arch::ArraySpec array;
  partition::SolverOptions solver_options;
};
[[nodiscard]] Problems load_problems(ProblemOptions const& options);

/// Throws ConfigError with the nearest name unless `planner` exists.
void check_planner(std::string const& planner);

}  // namespace tessera::sim
