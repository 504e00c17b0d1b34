// Configurations by name or by path: files of the user, and files that were compiled into the program (tessera_embed() in
// third_party/cmake/EmbedFiles.cmake), which are found wherever the program runs.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "arch/base/config.hpp"

namespace tessera {

/// A file in the program; `name` is its path without its extension: "hypar/vgg-a".
struct BuiltinConfig {
  std::string_view name;
  std::string_view text;
};

/// The built-in configurations of one kind.
struct ConfigLibrary {
  std::string kind;   ///< what an error calls an entry: "array"
  std::string scope;  ///< the first key of an override as a user types it: "arch"
  std::vector<BuiltinConfig> builtins;
  /// Called after reading and after every override: puts other files in the place of their names.
  std::function<void(ConfigNode&)> expand = {};
  std::string listing = {};  ///< what lists the built-ins: "tessera list archs"
};

/// Reads a configuration and applies `overrides` ("key.path=value", relative to its root).
///
/// A name of the library is that built-in; a text that ends in ".yaml", or that has a "/" and
/// exists, is a path. Everything else is a ConfigError with the nearest and all known names. Errors
/// in a built-in name it "hypar-paper.yaml:7:5", errors in an override "--set arch.key=value".
[[nodiscard]] ConfigNode load_config(ConfigLibrary const& library, std::string const& name_or_path,
                                     std::vector<std::string> const& overrides);

/// Those of `files` that lie directly in `folder` ("cores"; "" = at the top) or below it, named
/// relative to it. At the top: only those that lie in no folder.
[[nodiscard]] std::vector<BuiltinConfig> files_in(std::string_view folder,
                                                  std::vector<BuiltinConfig> const& files);

/// A built-in configuration as a list shows it.
struct BuiltinEntry {
  std::string name;         ///< "hypar/vgg-a"
  std::string description;  ///< one line with its source
};
[[nodiscard]] std::vector<BuiltinEntry> described(std::vector<BuiltinConfig> const& files);

/// The entries of files that the program embeds: each file is read once a process.
template <std::vector<BuiltinConfig> (*Files)()>
[[nodiscard]] std::vector<BuiltinEntry> const& described_once() {
  static auto const entries = described(Files());
  return entries;
}

}  // namespace tessera
