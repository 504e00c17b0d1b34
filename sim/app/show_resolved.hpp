// A thing with every default, and where each value is from.
#pragma once

#include <string>
#include <vector>

#include "sim/app/show_things.hpp"

namespace tessera::sim {

/// A configuration that means the same as the thing's file with `settings`, every key written out;
/// behind each line where its value stands ("# hypar-paper.yaml:12"), or that it is a default.
/// Throws ConfigError.
[[nodiscard]] std::string resolved_text(Thing const& thing,
                                        std::vector<std::string> const& settings);

/// The same of any configuration: `resolved` with the places of what `written` has at the same
/// paths.
[[nodiscard]] std::string with_sources(ConfigNode const& resolved, ConfigNode const& written);

}  // namespace tessera::sim
