#include "arch/base/config_difference.hpp"

#include <algorithm>

namespace tessera {

namespace {

using Kind = ConfigNode::Kind;

[[nodiscard]] ConfigNode const* entry_of(ConfigNode const& map, std::string const& key) {
  for (auto const& [name, value] : map.entries()) {
    if (name == key) return &value;
  }
  return nullptr;
}

[[nodiscard]] std::string shown(ConfigNode const& node) {
  if (node.kind() == Kind::scalar) return in_quotes(node.text());
  return node.kind() == Kind::list ? "a list of " + std::to_string(node.as_list().size()) : "a map";
}

[[nodiscard]] std::string both(std::string const& path, std::string const& there,
                               std::string const& here) {
  return (path.empty() ? "" : path + " is ") + there + " there, " + here + " here";
}

[[nodiscard]] std::optional<std::string> map_difference(ConfigNode const& there,
                                                        ConfigNode const& here,
                                                        std::set<std::string> const& ignored) {
  for (auto const& [key, value] : there.entries()) {
    if (ignored.count(key) > 0) continue;
    auto const* const other = entry_of(here, key);
    if (other == nullptr) return both(value.path(), shown(value), "absent");
    if (auto found = difference(value, *other)) return found;
  }
  for (auto const& [key, value] : here.entries()) {
    if (ignored.count(key) > 0 || entry_of(there, key) != nullptr) continue;
    return both(value.path(), "absent", shown(value));
  }
  return std::nullopt;
}

[[nodiscard]] std::optional<std::string> list_difference(ConfigNode const& there,
                                                         ConfigNode const& here) {
  auto const& first = there.as_list();
  auto const& second = here.as_list();
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    if (auto found = difference(first[i], second[i])) return found;
  }
  if (first.size() == second.size()) return std::nullopt;
  return both(there.path(), shown(there), shown(here));
}

}  // namespace

std::optional<std::string> difference(ConfigNode const& there, ConfigNode const& here,
                                      std::set<std::string> const& ignored) {
  if (there.kind() != here.kind()) return both(there.path(), shown(there), shown(here));
  if (there.kind() == Kind::map) return map_difference(there, here, ignored);
  if (there.kind() == Kind::list) return list_difference(there, here);
  if (there.text() == here.text()) return std::nullopt;
  return both(there.path(), shown(there), shown(here));
}

}  // namespace tessera
