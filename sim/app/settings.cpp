// Splits overrides by their prefix.
#include "sim/app/settings.hpp"

#include "arch/base/nearest_name.hpp"

namespace tessera::sim {

namespace {

void put(Settings& settings, std::string const& assignment) {
  auto const equals = assignment.find('=');
  auto const key = assignment.substr(0, equals);
  auto const origin = "--set " + key;
  if (equals == std::string::npos) {
    throw ConfigError({origin}, {}, "no value; write --set " + key + "=VALUE");
  }
  auto const dot = key.find('.');
  auto const prefix = key.substr(0, dot);
  if (prefix != "workload" && prefix != "arch" && prefix != "planner") {
    throw ConfigError({origin}, {},
                      unknown_name("prefix", prefix, {"workload", "arch", "planner"}));
  }
  if (dot == std::string::npos || dot + 1 == key.size()) {
    throw ConfigError({origin}, {}, "no key; write --set " + prefix + ".KEY=VALUE");
  }
  if (prefix == "workload") settings.workload.push_back(assignment.substr(dot + 1));
  if (prefix == "arch") settings.arch.push_back(assignment.substr(dot + 1));
  if (prefix == "planner") {
    settings.planner.override_key(key.substr(dot + 1), assignment.substr(equals + 1), origin);
  }
}

}  // namespace

Settings split_settings(std::vector<std::string> const& assignments) {
  Settings settings;
  for (auto const& assignment : assignments) put(settings, assignment);
  return settings;
}

}  // namespace tessera::sim
