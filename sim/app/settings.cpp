// Splits overrides by their prefix.
#include "sim/app/settings.hpp"

#include <algorithm>

#include "arch/base/nearest_name.hpp"

namespace tessera::sim {

std::vector<std::vector<std::string>> split_by_prefix(std::vector<std::string> const& assignments,
                                                      std::vector<std::string> const& prefixes) {
  std::vector<std::vector<std::string>> parts(prefixes.size());
  for (auto const& assignment : assignments) {
    auto const equals = assignment.find('=');
    auto const key = assignment.substr(0, equals);
    SourceLocation const origin{"--set " + key};
    if (equals == std::string::npos) {
      throw ConfigError(origin, {}, "no value; write --set " + key + "=VALUE");
    }
    auto const dot = key.find('.');
    auto const prefix = key.substr(0, dot);
    auto const known = std::find(prefixes.begin(), prefixes.end(), prefix);
    if (known == prefixes.end()) {
      throw ConfigError(origin, {}, unknown_name("prefix", prefix, prefixes));
    }
    if (dot == std::string::npos || dot + 1 == key.size()) {
      throw ConfigError(origin, {}, "no key; write --set " + prefix + ".KEY=VALUE");
    }
    parts[static_cast<std::size_t>(known - prefixes.begin())].push_back(assignment.substr(dot + 1));
  }
  return parts;
}

partition::SolverOptions solver_options_of(arch::ArraySpec const& array, Settings const& settings) {
  auto planner = array.planner;
  for (auto const& assignment : settings.planner) {
    auto const equals = assignment.find('=');
    auto const key = assignment.substr(0, equals);
    planner.override_key(key, assignment.substr(equals + 1), "--set planner." + key);
  }
  return partition::solver_options_from(planner);
}

Settings split_settings(std::vector<std::string> const& assignments) {
  auto const parts = split_by_prefix(assignments, {"workload", "arch", "planner"});
  return {parts[0], parts[1], parts[2]};
}

}  // namespace tessera::sim
