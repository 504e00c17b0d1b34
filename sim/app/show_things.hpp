// What `tessera show` shows: what is built in, by kind and name, and files of the user.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arch/base/config.hpp"

namespace tessera::sim {

enum class ThingKind : std::uint8_t {
  network,
  array,
  core,
  memory,
  fabric,
  profile,
  planner,
  schedule,
};

/// As --kind has them.
[[nodiscard]] std::vector<std::pair<std::string, ThingKind>> const& thing_kinds();

struct Thing {
  ThingKind kind;
  std::string name;  ///< or a path
};

/// The one thing that is called so; a path to a file is of the kind that its schema says. Throws
/// ConfigError when there is none, or when several kinds have one and `kind` does not say which.
[[nodiscard]] Thing find_thing(std::string const& name, std::optional<ThingKind> kind);

/// The file with its comments. Planners and schedules are code: what they choose, as a
/// configuration has it.
[[nodiscard]] std::string text_of(Thing const& thing);

/// Of `settings` ("fabric.router.pipeline=3 ns"), without what --set calls the kind.
[[nodiscard]] std::vector<std::string> overrides_of(Thing const& thing,
                                                    std::vector<std::string> const& settings);

/// The file as it was read, `settings` ("arch.accelerators=64") applied.
[[nodiscard]] ConfigNode written(Thing const& thing, std::vector<std::string> const& settings);

}  // namespace tessera::sim
