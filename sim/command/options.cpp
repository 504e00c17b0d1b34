// Registers shared options and loads what they name.
#include "sim/command/options.hpp"

#include <algorithm>
#include <limits>
#include <thread>

#include "arch/array/load.hpp"
#include "sim/study/settings.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

void add_report_options(Parser& parser, ReportOptions& options) {
  parser.add_flag("--json", options.json, "One JSON document on stdout instead of tables");
  parser.add_flag("--quiet", options.quiet, "No progress bar on stderr");
}

void add_overwrite_options(Parser& parser, OverwriteOptions& options) {
  parser.add_flag("--force", options.force,
                  "Replace output files of another experiment or of another kind");
}

void add_problem_options(Parser& parser, ProblemOptions& options, HowMany problems) {
  bool const is_list = problems == HowMany::list;
  auto* const workload = parser
                             .add_option("-w,--workload", options.workloads,
                                         "Network: a built-in name (tessera list networks) or a "
                                         "path")
                             ->required()
                             ->type_name("NETWORK");
  std::string const array = "Array: a built-in name (tessera list archs) or a path";
  if (is_list) {
    workload->one_value_each()->delimiter(',')->type_name("NETWORK,...");
    parser.add_option("-a,--arch", options.archs, array)
        ->required()
        ->one_value_each()
        ->delimiter(',')
        ->type_name("ARRAY,...");
  } else {
    workload->expected(1);
    parser.add_option("-a,--arch", options.arch, array)->required()->type_name("ARRAY");
  }
  parser
      .add_option("--set", options.settings,
                  std::string{"Override a key: arch.fabric.link.bandwidth='2 GB/s', "
                              "workload.batch=512, planner.inter_layer=printed; may be repeated"} +
                      (is_list ? "; with several values, every combination is compared" : ""))
      ->one_value_each()
      ->type_name(is_list ? "KEY=VALUE,..." : "KEY=VALUE");
}

void add_kernel_options(Parser& parser, KernelOptions& options) {
  parser.add_flag("--no-fast-forward", options.no_fast_forward,
                  "Work out every tile on every accelerator and every request on every channel of "
                  "memory, even where they provably repeat others (must not change any result)");
  parser.add_flag("--no-symmetry", options.no_symmetry,
                  "Simulate every accelerator, even where several provably mirror each other (must "
                  "not change any result)");
  parser
      .add_option(
          "--host", options.host,
          "What wakes the modules: SystemC, or our own queue of events, which is quicker (must "
          "not change any result)")
      ->one_of({"systemc", "engine"})
      ->capture_default_str()
      ->type_name("systemc|engine");
  parser
      .add_option("--module-order", options.module_order,
                  "Order in which modules are built (must not change any result; for checking "
                  "determinism)")
      ->one_of({"forward", "reverse"})
      ->type_name("forward|reverse");
  parser
      .add_option("--shuffle-same-time", options.shuffle_seed,
                  "Shuffle what happens at the same time (must not change any result; for "
                  "checking determinism); 0: off")
      ->within(std::int64_t{0}, std::numeric_limits<std::int64_t>::max())
      ->type_name("SEED");
}

RunOptions KernelOptions::run_options() const {
  RunOptions options;
  if (module_order == "reverse") options.module_order = RunOptions::ModuleOrder::reverse;
  options.shuffle_seed = static_cast<std::uint64_t>(shuffle_seed);
  if (no_fast_forward) options.fast_forward = PhaseMemo::Use::off;
  return options;
}

void add_steps_option(Parser& parser, std::int64_t& steps) {
  parser
      .add_option(
          "--steps", steps,
          "Training steps, one after another; from 3 on with the steady state (of a schedule "
          "without flushes no stage drains between them)")
      ->within(std::int64_t{1}, std::int64_t{std::numeric_limits<std::int32_t>::max()})
      ->capture_default_str()
      ->type_name("N");
}

void add_jobs_option(Parser& parser, std::size_t& workers) {
  workers = std::max(1U, std::thread::hardware_concurrency());
  parser.add_option("-j,--jobs", workers, "Simulations at a time, each in a process of its own")
      ->within(1, 4096)
      ->capture_default_str()
      ->type_name("N");
}

Problems load_problems(ProblemOptions const& options, std::vector<std::string> const& planners) {
  for (auto const& planner : planners) check_planner(planner);
  auto const settings = split_settings(options.settings);
  Problems problems;
  for (auto const& workload : options.workloads) {
    problems.networks.push_back(workloads::load(workload, settings.workload));
  }
  problems.array = arch::load(options.arch, settings.arch);
  problems.planner_options = planner_options(problems.array, settings, planners, problems.networks);
  return problems;
}

std::vector<std::string> remarks_on(arch::ArraySpec const& array) {
  std::vector<std::string> lines;
  for (auto const& remark : array.remarks) lines.push_back(remark.text);
  return lines;
}

}  // namespace tessera::sim
