// Arrays from files and presets (schema tessera.array/1; arch/presets/*.yaml show every key).
#pragma once

#include <string>
#include <vector>

#include "arch/array_spec.hpp"
#include "arch/base/builtin_config.hpp"
#include "arch/base/config.hpp"

namespace tessera::arch {

/// Reads an array by path or preset name. `overrides` are "key.path=value" relative to the file's
/// root ("accelerators=64"). Throws ConfigError only.
[[nodiscard]] ArraySpec load(std::string const& name_or_path,
                             std::vector<std::string> const& overrides = {});

[[nodiscard]] ArraySpec array_from(ConfigNode const& node);

/// The resolved configuration, every key written out: reading it gives an equal spec.
[[nodiscard]] ConfigNode to_config(ArraySpec const& spec);

[[nodiscard]] std::vector<BuiltinEntry> builtin_arrays();

}  // namespace tessera::arch
