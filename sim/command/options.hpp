// The options that subcommands share, spelled and explained once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "arch/array/array_spec.hpp"
#include "partition/planners/planner.hpp"
#include "sim/command/parser.hpp"
#include "sim/host/run_options.hpp"
#include "sim/study/experiment.hpp"
#include "sim/terminal/progress.hpp"
#include "traces/overwrite.hpp"
#include "workloads/network.hpp"

namespace tessera::sim {

/// How a subcommand reports.
struct ReportOptions {
  bool json = false;
  bool quiet = false;

  [[nodiscard]] Progress::Wanted progress() const {
    return quiet ? Progress::Wanted::no : Progress::Wanted::yes;
  }
};
void add_report_options(Parser& parser, ReportOptions& options);

/// What becomes of files that are in the way of outputs.
struct OverwriteOptions {
  bool force = false;

  [[nodiscard]] traces::Overwrite overwrite() const {
    return force ? traces::Overwrite::forced : traces::Overwrite::same;
  }
};
void add_overwrite_options(Parser& parser, OverwriteOptions& options);

/// What is studied. Subcommands that take one network use the first.
struct ProblemOptions {
  std::vector<std::string> workloads;
  std::string arch;
  std::vector<std::string> archs;  ///< of a list, in place of it
  std::vector<std::string> settings;
};
/// Of networks, arrays and values of keys.
enum class HowMany { one, list };
void add_problem_options(Parser& parser, ProblemOptions& options, HowMany problems);

/// How the kernel is driven: no choice may change a result.
struct KernelOptions {
  std::string host = "systemc";
  std::string module_order = "forward";
  std::int64_t shuffle_seed = 0;
  bool no_fast_forward = false;  ///< and no symmetry
  bool no_symmetry = false;

  [[nodiscard]] bool folds() const { return !no_symmetry && !no_fast_forward; }

  [[nodiscard]] Host chosen_host() const { return host == "engine" ? Host::engine : Host::systemc; }
  [[nodiscard]] RunOptions run_options() const;
};
void add_kernel_options(Parser& parser, KernelOptions& options);

/// Of training, to be simulated one after another.
void add_steps_option(Parser& parser, std::int64_t& steps);

void add_jobs_option(Parser& parser, std::size_t& workers);

/// The networks, the array and the planners' options that ProblemOptions name.
struct Problems {
  std::vector<workloads::Network> networks;
  arch::ArraySpec array;
  ConfigNode planner_options;
};
/// `planners` are those that will plan; none where a plan is given.
[[nodiscard]] Problems load_problems(ProblemOptions const& options,
                                     std::vector<std::string> const& planners);

/// For the user to know, a line each.
[[nodiscard]] std::vector<std::string> remarks_on(arch::ArraySpec const& array);

}  // namespace tessera::sim
