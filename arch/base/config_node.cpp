// The configuration tree: building it, naming its nodes, and overriding parts of it.
#include <algorithm>
#include <set>

#include "arch/base/config.hpp"
#include "arch/base/config_limits.hpp"

namespace tessera {

namespace {

[[nodiscard]] std::string joined_path(std::string const& parent, std::string const& key) {
  return parent.empty() ? key : parent + '.' + key;
}

/// "a.b.c" -> a, b, c
[[nodiscard]] std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> keys;
  while (true) {
    auto const dot = path.find('.');
    keys.emplace_back(path.substr(0, dot));
    if (dot == std::string_view::npos) return keys;
    path.remove_prefix(dot + 1);
  }
}

[[nodiscard]] std::vector<std::string> checked_keys(std::string_view path,
                                                    SourceLocation const& origin) {
  auto keys = split_path(path);
  bool const has_gap =
      std::any_of(keys.begin(), keys.end(), [](auto const& k) { return k.empty(); });
  if (has_gap) {
    throw ConfigError(origin, {}, "empty key (an override is key.path=value, key.path not empty)");
  }
  if (keys.size() > config_limits::depth) {
    throw ConfigError(
        origin, {}, "key path is deeper than " + std::to_string(config_limits::depth) + " levels");
  }
  return keys;
}

/// The YAML of an override; whatever is wrong with it is reported at the option as typed.
[[nodiscard]] ConfigNode parse_override(std::string_view key_path, std::string_view value,
                                        SourceLocation const& origin) {
  if (value.find_first_not_of(' ') == std::string_view::npos) {
    throw ConfigError(origin, std::string{key_path},
                      "no value after '='; write \"\" for an empty text");
  }
  try {
    return read_config_text(value, origin.file);
  } catch (ConfigError const& error) {
    throw ConfigError(origin, std::string{key_path}, error.problem());
  }
}

}  // namespace

ConfigNode ConfigNode::scalar(std::string text) {
  ConfigNode node;
  node.text_ = std::move(text);
  return node;
}

ConfigNode ConfigNode::list() {
  ConfigNode node;
  node.kind_ = Kind::list;
  return node;
}

ConfigNode ConfigNode::map() {
  ConfigNode node;
  node.kind_ = Kind::map;
  return node;
}

ConfigNode ConfigNode::map(std::vector<std::pair<std::string, ConfigNode>> entries) {
  auto node = map();
  std::set<std::string_view> keys;
  for (auto& [key, value] : entries) {
    EXPECTS(keys.insert(key).second, key);
    value.set_path(key);
  }
  node.entries_ = std::move(entries);
  return node;
}

ConfigError ConfigNode::error(std::string problem) const {
  return ConfigError(where_, path_, std::move(problem));
}

ConfigMap ConfigNode::as_map() const {
  if (kind_ == Kind::map) return ConfigMap{*this};
  throw error("expected a map of keys to values, got " +
              (kind_ == Kind::list ? "a list" : in_quotes(text_)));
}

std::vector<ConfigNode> const& ConfigNode::as_list() const {
  if (kind_ == Kind::list) return items_;
  throw error("expected a list, got " + (kind_ == Kind::map ? "a map" : in_quotes(text_)));
}

ConfigNode& ConfigNode::add(std::string key, ConfigNode value) {
  EXPECTS(kind_ == Kind::map, path_, key);
  for (auto const& [name, node] : entries_) EXPECTS(name != key, path_, key);
  value.set_path(joined_path(path_, key));
  entries_.emplace_back(std::move(key), std::move(value));
  return *this;
}

ConfigNode& ConfigNode::add(std::string key, std::string scalar_text) {
  return add(std::move(key), scalar(std::move(scalar_text)));
}

ConfigNode& ConfigNode::append(ConfigNode value) {
  EXPECTS(kind_ == Kind::list, path_);
  value.set_path(joined_path(path_, std::to_string(items_.size())));
  items_.push_back(std::move(value));
  return *this;
}

std::vector<std::pair<std::string, ConfigNode>> const& ConfigNode::entries() const {
  EXPECTS(kind_ == Kind::map, path_);
  return entries_;
}

ConfigNode ConfigNode::with_scalars(Replacement const& replace) const {
  return with_scalars_at({}, replace);
}

ConfigNode ConfigNode::with_scalars_at(std::string const& key, Replacement const& replace) const {
  if (kind_ == Kind::scalar) {
    auto replacement = replace(key, *this);
    replacement.take_position_of(*this);
    return replacement;
  }
  auto copy = *this;
  for (auto& [name, node] : copy.entries_) node = node.with_scalars_at(name, replace);
  for (auto& item : copy.items_) item = item.with_scalars_at(key, replace);
  return copy;
}

ConfigNode ConfigNode::with_text(std::string text) const {
  EXPECTS(kind_ == Kind::scalar, path_);
  auto copy = *this;
  copy.text_ = std::move(text);
  return copy;
}

void ConfigNode::override_key(std::string_view key_path, std::string_view value,
                              std::string const& origin) {
  SourceLocation const place{origin};
  auto* target = this;
  for (auto const& key : checked_keys(key_path, place)) target = &target->step_into(key, place);
  auto replacement = parse_override(key_path, value, place);
  replacement.set_origin(place);
  replacement.take_position_of(*target);
  *target = std::move(replacement);
}

ConfigNode& ConfigNode::step_into(std::string const& key, SourceLocation const& origin) {
  if (kind_ == Kind::map) {
    for (auto& [name, node] : entries_) {
      if (name == key) return node;
    }
    add(key, map());
    entries_.back().second.set_origin(origin);
    return entries_.back().second;
  }
  if (kind_ == Kind::list) {
    for (std::size_t index = 0; index < items_.size(); ++index) {
      if (std::to_string(index) == key) return items_[index];
    }
    throw ConfigError(origin, path_,
                      "no item " + in_quotes(key) + " (the list has " +
                          std::to_string(items_.size()) + ", counted from 0)");
  }
  throw ConfigError(
      origin, path_,
      "has no key " + in_quotes(key) + " (its value is " + in_quotes(text_) + ", not a map)");
}

void ConfigNode::take_position_of(ConfigNode const& other) {
  set_path(other.path_);
  key_where_ = other.key_where_;
}

void ConfigNode::set_path(std::string path) {
  path_ = std::move(path);
  for (auto& [key, node] : entries_) node.set_path(joined_path(path_, key));
  for (std::size_t index = 0; index < items_.size(); ++index) {
    items_[index].set_path(joined_path(path_, std::to_string(index)));
  }
}

void ConfigNode::set_origin(SourceLocation const& origin) {
  where_ = origin;
  key_where_ = origin;
  for (auto& [key, node] : entries_) node.set_origin(origin);
  for (auto& item : items_) item.set_origin(origin);
}

}  // namespace tessera
