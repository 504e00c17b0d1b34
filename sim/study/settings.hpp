// `--set PREFIX.key=value`: overrides, split by who reads them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "arch/array/array_spec.hpp"
#include "partition/planners/planner.hpp"
#include "workloads/network.hpp"

namespace tessera::sim {

struct Settings {
  std::vector<std::string> workload;  ///< "batch=512", for workloads::load
  std::vector<std::string> arch;      ///< "fabric.link.bandwidth=2 GB/s", for arch::load
  std::vector<std::string> planner;   ///< "inter_layer=printed", for planner_options()
};

/// The assignments of each of `prefixes`, without it: "workload.batch=2" is "batch=2" of
/// "workload". Throws ConfigError for an assignment without "=", without a key or with another
/// prefix.
[[nodiscard]] std::vector<std::vector<std::string>> split_by_prefix(
    std::vector<std::string> const& assignments, std::vector<std::string> const& prefixes);

/// The planners' options: those of the array's file, with the settings on top. The file may hold
/// options of every planner; a setting has to be read by one of `planners`, or if there are none
/// since a plan is given, by what looks at all plans (partition::Fit). Throws ConfigError.
[[nodiscard]] ConfigNode planner_options(arch::ArraySpec const& array, Settings const& settings,
                                         std::vector<std::string> const& planners,
                                         std::vector<workloads::Network> const& networks);

/// Throws ConfigError with the nearest name unless `planner` exists.
void check_planner(std::string const& planner);

/// Throws ConfigError for an assignment without "=" or with a prefix other than workload, arch and
/// planner.
[[nodiscard]] Settings split_settings(std::vector<std::string> const& assignments);

/// A choice of one value for each assignment.
struct SettingsChoice {
  std::vector<std::string> assignments;  ///< "workload.batch=64"
  /// Keys of assignments with several values, and the one that is chosen.
  std::vector<std::pair<std::string, std::string>> varied;
};

/// Every choice from assignments with lists of values: "workload.batch=64,128". The last varies
/// fastest. Commas in brackets, braces and quotes are a value's own. Throws ConfigError for an
/// empty value beside a comma, and for too many choices.
[[nodiscard]] std::vector<SettingsChoice> choices_of(std::vector<std::string> const& assignments);

}  // namespace tessera::sim
