// Splits overrides by their prefix.
#include "sim/study/settings.hpp"

#include <algorithm>
#include <set>

#include "arch/base/nearest_name.hpp"

namespace tessera::sim {

namespace {

/// "inter_layer" of "inter_layer=printed".
[[nodiscard]] std::string key_of(std::string const& assignment) {
  return assignment.substr(0, assignment.find('='));
}

[[nodiscard]] std::string origin_of(std::string const& key) { return "--set planner." + key; }

/// The options that one of `planners` reads where they are these.
[[nodiscard]] std::vector<std::string> read_by(std::vector<std::string> const& planners,
                                               ConfigNode const& options) {
  std::set<std::string> all;
  for (auto const& planner : planners) all.merge(partition::options_read_by(planner, options));
  return {all.begin(), all.end()};
}

/// Throws unless one of the planners reads the option; it is one of some planner.
void check_is_read(std::string const& key, ConfigNode const& options,
                   std::vector<std::string> const& planners) {
  auto const option = key.substr(0, key.find('.'));
  auto const read = planners.empty() ? std::vector<std::string>{"fit"} : read_by(planners, options);
  auto const has = [&](std::vector<std::string> const& names) {
    return std::find(names.begin(), names.end(), option) != names.end();
  };
  if (has(read)) return;
  std::vector<std::string> others;
  for (auto const& planner : partition::builtin_planners().names()) {
    if (has(read_by({planner}, ConfigNode::map()))) others.push_back(planner);
  }
  auto const who = planners.empty() ? "a plan that is given" : joined(planners);
  auto const nearest = nearest_name(option, read);
  throw ConfigError(SourceLocation{origin_of(key)}, "planner." + key,
                    "is not an option of " + who + " (but of " + joined(others) + "); " +
                        (nearest ? "did you mean '" + *nearest + "'?"
                                 : "options of " + who + ": " + joined(read)));
}

}  // namespace

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

ConfigNode planner_options(arch::ArraySpec const& array, Settings const& settings,
                           std::vector<std::string> const& planners,
                           std::vector<workloads::Network> const& networks) {
  auto options = array.planner;
  for (auto const& assignment : settings.planner) {
    auto const key = key_of(assignment);
    options.override_key(key, assignment.substr(key.size() + 1), origin_of(key));
  }
  std::vector<std::string> planned;
  planned.reserve(networks.size());
  for (auto const& network : networks) planned.push_back(network.name());
  partition::check_options(options, planned);
  for (auto const& assignment : settings.planner) {
    check_is_read(key_of(assignment), options, planners);
  }
  return options;
}

void check_planner(std::string const& planner) {
  auto const known = partition::builtin_planners().names();
  if (std::find(known.begin(), known.end(), planner) != known.end()) return;
  auto const several = planner.find(',') != std::string::npos;
  throw ConfigError({}, {},
                    unknown_name("planner", planner, known, "tessera list planners") +
                        (several ? "; several are for tessera compare" : ""));
}

Settings split_settings(std::vector<std::string> const& assignments) {
  auto const parts = split_by_prefix(assignments, {"workload", "arch", "planner"});
  return {parts[0], parts[1], parts[2]};
}

}  // namespace tessera::sim
