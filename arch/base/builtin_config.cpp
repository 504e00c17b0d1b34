// Finding a configuration by name or path, and applying overrides to it.
#include "arch/base/builtin_config.hpp"

#include <filesystem>

namespace tessera {

namespace {

[[nodiscard]] bool is_path(std::string const& text) {
  constexpr std::string_view suffix = ".yaml";
  bool const is_yaml = text.size() > suffix.size() &&
                       text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
  std::error_code ignored;
  return is_yaml || (text.find('/') != std::string::npos && std::filesystem::exists(text, ignored));
}

[[nodiscard]] ConfigNode read(ConfigLibrary const& library, std::string const& name_or_path) {
  std::vector<std::string> names;
  for (auto const& [name, text] : library.builtins) {
    if (name == name_or_path) return read_config_text(text, std::string{name} + ".yaml");
    names.emplace_back(name);
  }
  if (is_path(name_or_path)) return read_config_file(name_or_path);
  throw ConfigError({}, {},
                    unknown_name(library.kind, name_or_path, names, library.listing) +
                        "; or a path to a .yaml file");
}

void apply(ConfigNode& root, std::string const& override_text, std::string const& scope) {
  auto const origin = "--set " + scope + '.' + override_text;
  auto const equals = override_text.find('=');
  if (equals == std::string::npos) {
    throw ConfigError({origin}, {}, "no '=' (an override is key.path=value)");
  }
  root.override_key(std::string_view{override_text}.substr(0, equals),
                    std::string_view{override_text}.substr(equals + 1), origin);
}

}  // namespace

ConfigNode load_config(ConfigLibrary const& library, std::string const& name_or_path,
                       std::vector<std::string> const& overrides) {
  auto root = read(library, name_or_path);
  if (library.expand) library.expand(root);
  for (auto const& override_text : overrides) {
    apply(root, override_text, library.scope);
    if (library.expand) library.expand(root);
  }
  return root;
}

std::vector<BuiltinConfig> files_in(std::string_view folder,
                                    std::vector<BuiltinConfig> const& files) {
  std::vector<BuiltinConfig> found;
  for (auto file : files) {
    bool const inside = folder.empty() ? file.name.find('/') == std::string_view::npos
                                       : file.name.substr(0, folder.size()) == folder &&
                                             file.name.substr(folder.size(), 1) == "/";
    if (!inside) continue;
    if (!folder.empty()) file.name.remove_prefix(folder.size() + 1);
    found.push_back(file);
  }
  return found;
}

std::vector<BuiltinEntry> described(std::vector<BuiltinConfig> const& files) {
  std::vector<BuiltinEntry> entries;
  entries.reserve(files.size());
  for (auto const& [name, text] : files) {
    auto const node = read_config_text(text, std::string{name} + ".yaml");
    entries.push_back({std::string{name}, node.as_map().optional<std::string>("description", {})});
  }
  return entries;
}

}  // namespace tessera
