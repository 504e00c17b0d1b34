// Options of the probes that are names, and options that cannot be.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "arch/base/config_error.hpp"
#include "arch/base/nearest_name.hpp"

namespace tessera::sim {

/// What is wrong with the command line; it has no place in a file.
[[nodiscard]] inline ConfigError refused(std::string problem) {
  return {{}, {}, std::move(problem)};
}

/// The entry of `choices` that is called `name`. Throws ConfigError with the known names; `what` is
/// the option: "--pattern".
template <typename Enum>
[[nodiscard]] Enum chosen(std::string const& what, std::string const& name,
                          std::vector<std::pair<std::string, Enum>> const& choices) {
  std::vector<std::string> names;
  for (auto const& [known, value] : choices) {
    if (known == name) return value;
    names.push_back(known);
  }
  throw refused(unknown_name(what, name, names));
}

}  // namespace tessera::sim
