#include "arch/base/config_path.hpp"

#include <algorithm>
#include <filesystem>

namespace tessera {

std::string name_or_path(ConfigNode const& scalar,
                         std::function<std::vector<BuiltinEntry>()> const& builtins) {
  auto text = scalar.as<std::string>();
  std::filesystem::path const path{text};
  bool const is_typed = scalar.where().line == 0;
  bool const is_path = text.find('/') != std::string::npos || path.extension() == ".yaml";
  if (is_typed || !is_path) return text;
  auto const known = builtins();
  bool const is_builtin = std::any_of(
      known.begin(), known.end(), [&](BuiltinEntry const& entry) { return entry.name == text; });
  if (is_builtin) return text;
  return (std::filesystem::path{scalar.where().file}.parent_path() / path).string();
}

}  // namespace tessera
