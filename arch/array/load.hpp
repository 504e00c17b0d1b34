// Arrays from files and presets (schemas tessera.array/1 and /2, which differ in what a link's bandwidth is of: fabric_config.hpp;
// arch/presets/*.yaml show every key).
#pragma once

#include <string>
#include <vector>

#include "arch/array/array_spec.hpp"
#include "arch/base/builtin_config.hpp"
#include "arch/base/config.hpp"
#include "arch/collective/builtin_collectives.hpp"

namespace tessera::arch {

/// Reads an array by path or preset name. `overrides` are "key.path=value" relative to the file's
/// root ("accelerators=64"). Remarks are on what the user wrote, not on presets. Throws ConfigError
/// only. `collectives` are those that it may name.
[[nodiscard]] ArraySpec load(std::string const& name_or_path,
                             std::vector<std::string> const& overrides = {},
                             CollectiveTable const& collectives = builtin_collectives());

/// The file behind load(), not read yet.
[[nodiscard]] ConfigNode array_config(std::string const& name_or_path,
                                      std::vector<std::string> const& overrides = {});

[[nodiscard]] ArraySpec array_from(ConfigNode const& node,
                                   CollectiveTable const& collectives = builtin_collectives());

/// The resolved configuration, as of tessera.array/2, every key written out: reading it gives an
/// equal spec.
[[nodiscard]] ConfigNode to_config(ArraySpec const& spec);

[[nodiscard]] std::vector<BuiltinEntry> builtin_arrays();

}  // namespace tessera::arch
