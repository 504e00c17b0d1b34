// What a value that names another file means.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "arch/base/builtin_config.hpp"

namespace tessera {

/// The name or path that load_config() is to be given for `scalar`, the value of a key such as
/// `core`. In this order: what one of `builtins` is called is that one, whatever files there are; a
/// path that stands in a file is taken from beside that file; one that was typed (--set) from the
/// working directory.
[[nodiscard]] std::string name_or_path(ConfigNode const& scalar,
                                       std::function<std::vector<BuiltinEntry>()> const& builtins);

}  // namespace tessera
