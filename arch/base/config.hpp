// The strict configuration reader and writer: YAML in, values out, and nothing that nobody asked for gets through.
//
// A file becomes a tree of ConfigNodes, each of which knows where it was written. Overrides (`--set`) change the tree before
// anyone reads it. A ConfigMap hands out the keys that its reader asks for and, at finish(), rejects all the others with the
// nearest known name. Errors as well: aliases, anchors, tags, duplicate keys, a key without a value, several documents, depth over
// 64, files over 16 MiB or a million values.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "arch/base/config_error.hpp"
#include "arch/base/nearest_name.hpp"
#include "arch/base/quantity.hpp"

namespace tessera {

class ConfigMap;

/// The shortest text of a number of zero or more that as<double>() reads as the same number.
[[nodiscard]] std::string to_text(double number);

/// A node of a configuration: a scalar, a list or a map, with its place and its key path
/// ("fabric.link.bandwidth", "operators.2.kernel": an item of a list is named by its index).
class ConfigNode {
 public:
  enum class Kind { scalar, list, map };

  [[nodiscard]] static ConfigNode scalar(std::string text);
  [[nodiscard]] static ConfigNode list();
  [[nodiscard]] static ConfigNode map();
  /// Of many entries: add() looks through all that are there.
  [[nodiscard]] static ConfigNode map(std::vector<std::pair<std::string, ConfigNode>> entries);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] SourceLocation const& where() const { return where_; }
  [[nodiscard]] std::string const& path() const { return path_; }

  /// Typed readers. Each throws ConfigError at this node when the text does not have the demanded
  /// form: as<std::string> (one line, no control characters), as<bool> (true|false),
  /// as<std::int64_t> (a whole number, "1_000" not allowed), as<double>, as<Time> ("40 ns"),
  /// as<Frequency> ("250 MHz"), as<Bandwidth> ("2 Gb/s", "900 GB/s"; decimal prefixes), as<Bytes>
  /// ("8 GiB", "8 GB", "16 B"), as<Energy> ("3.7 pJ"). A missing or wrong unit is an error that
  /// names the unit's family and gives an example; a value that the type cannot hold exactly (0.3
  /// ps) is an error; negative quantities are errors.
  template <typename T>
  [[nodiscard]] T as() const;

  /// Throws unless this is a map / a list.
  [[nodiscard]] ConfigMap as_map() const;
  [[nodiscard]] std::vector<ConfigNode> const& as_list() const;

  /// A ConfigError at this node.
  [[nodiscard]] ConfigError error(std::string problem) const;

  // Building and editing, for writers and overrides. A map's keys are unique (EXPECTS).
  ConfigNode& add(std::string key, ConfigNode value);         ///< to a map; returns *this
  ConfigNode& add(std::string key, std::string scalar_text);  ///< to a map; returns *this
  ConfigNode& append(ConfigNode value);                       ///< to a list; returns *this
  [[nodiscard]] std::vector<std::pair<std::string, ConfigNode>> const& entries() const;
  [[nodiscard]] std::string const& text() const { return text_; }

  /// The place that errors name, of this node and of all below it.
  void set_origin(SourceLocation const& origin);
  /// What `replace` makes of a scalar that stands at `key` of a map, or in a list at that key.
  using Replacement = std::function<ConfigNode(std::string const& key, ConfigNode const& scalar)>;
  /// A copy in which every scalar is replaced, by a whole tree if need be; what stands for it has
  /// the scalar's key path, and keeps the place where it was written.
  [[nodiscard]] ConfigNode with_scalars(Replacement const& replace) const;
  /// A copy of this scalar's place and path with another text.
  [[nodiscard]] ConfigNode with_text(std::string text) const;

  /// Sets `key.path` to the YAML in `value` ("2 GB/s", "[1, 2]"), creating maps on the way; the new
  /// node's place is `origin` (the option as typed). Throws ConfigError when the path runs through
  /// a scalar or a list index that does not exist.
  void override_key(std::string_view key_path, std::string_view value, std::string const& origin);

 private:
  friend class ConfigMap;
  friend class ConfigTreeBuilder;  // config_reader.cpp

  [[nodiscard]] ConfigNode with_scalars_at(std::string const& key,
                                           Replacement const& replace) const;
  [[nodiscard]] ConfigNode& step_into(std::string const& key, SourceLocation const& origin);
  void take_position_of(ConfigNode const& other);  ///< its key and path, not its place
  void set_path(std::string path);

  Kind kind_ = Kind::scalar;
  std::string text_;                                         // scalar
  std::vector<ConfigNode> items_;                            // list
  std::vector<std::pair<std::string, ConfigNode>> entries_;  // map
  SourceLocation where_;
  SourceLocation key_where_;  // of the key in front of this node, if there is one
  std::string path_;
};

template <>
std::string ConfigNode::as<std::string>() const;
template <>
bool ConfigNode::as<bool>() const;
template <>
std::int64_t ConfigNode::as<std::int64_t>() const;
template <>
double ConfigNode::as<double>() const;
template <>
Time ConfigNode::as<Time>() const;
template <>
Frequency ConfigNode::as<Frequency>() const;
template <>
Bandwidth ConfigNode::as<Bandwidth>() const;
template <>
Bytes ConfigNode::as<Bytes>() const;
template <>
Energy ConfigNode::as<Energy>() const;

/// Reads a map's keys and remembers which were asked for.
class ConfigMap final {
 public:
  explicit ConfigMap(ConfigNode const& node) : node_{&node} {}

  /// Throws ConfigError unless all of `keys` are there: at the key that looks like a misspelling of
  /// one, else at the map, with all that are missing. For readers to call first, so that one run
  /// tells of all. `others` may be there too, and are no misspellings.
  void require(std::vector<std::string> const& keys, std::vector<std::string> const& others = {});

  /// The value of `key`; throws as require() does when it is missing.
  [[nodiscard]] ConfigNode const& node(std::string const& key);
  /// The value of `key`, or nullptr when it is absent.
  [[nodiscard]] ConfigNode const* find(std::string const& key);

  template <typename T>
  [[nodiscard]] T required(std::string const& key) {
    return node(key).as<T>();
  }
  template <typename T>
  [[nodiscard]] T optional(std::string const& key, T const& fallback) {
    auto const* const value = find(key);
    if constexpr (std::is_same_v<T, bool>) alternatives_[key] = {fallback ? "true" : "false", {}};
    if constexpr (std::is_same_v<T, double>) alternatives_[key] = {to_text(fallback), {}};
    return value == nullptr ? fallback : value->as<T>();
  }
  template <typename T>
  [[nodiscard]] std::optional<T> optional(std::string const& key) {
    auto const* const value = find(key);
    if (value == nullptr) return std::nullopt;
    return value->as<T>();
  }

  /// The entry of `choices` whose name is written at `key`; an unknown name lists the known ones.
  template <typename Enum>
  [[nodiscard]] Enum choice(std::string const& key,
                            std::vector<std::pair<std::string, Enum>> const& choices) {
    auto const& value = node(key);
    auto const written = value.as<std::string>();
    std::vector<std::string> names;
    for (auto const& [name, entry] : choices) {
      if (written == name) return entry;
      names.push_back(name);
    }
    throw value.error(unknown_name(key, written, names));
  }
  template <typename Enum>
  [[nodiscard]] Enum choice(std::string const& key,
                            std::vector<std::pair<std::string, Enum>> const& choices,
                            Enum fallback) {
    auto& alternatives = alternatives_[key] = {};
    for (auto const& [name, entry] : choices) {
      if (entry == fallback) alternatives.fallback = name;
      alternatives.choices.push_back(name);
    }
    return find(key) == nullptr ? fallback : choice(key, choices);
  }

  /// Throws unless the key `schema` says `schema`; `what` is what such a file describes: "an
  /// array". Requires `keys` as well.
  void expect_schema(std::string const& schema, std::string const& what,
                     std::vector<std::string> keys = {});

  /// Every key that was asked for, there or not.
  [[nodiscard]] std::set<std::string> const& asked() const { return asked_; }

  /// What may stand at a key, and what it is without one.
  struct Alternatives {
    std::string fallback;
    std::vector<std::string> choices;  ///< empty: any value of its type
  };
  /// Of keys that were asked for with a fallback that has a name or is a number.
  [[nodiscard]] std::map<std::string, Alternatives> const& alternatives() const {
    return alternatives_;
  }

  /// Rejects every key that was not asked for, with the nearest one that was. Call it last.
  void finish() const;

  [[nodiscard]] ConfigNode const& whole() const { return *node_; }
  [[nodiscard]] ConfigError error(std::string problem) const {
    return node_->error(std::move(problem));
  }

 private:
  ConfigNode const* node_;
  std::size_t next_ = 0;  ///< the entry behind the one found last: keys are asked for in order
  std::set<std::string> asked_;
  std::map<std::string, Alternatives> alternatives_;
};

/// Reads one YAML document. Throws ConfigError for everything that is wrong with the file, its
/// being a directory, empty, unreadable or not text included.
[[nodiscard]] ConfigNode read_config_file(std::string const& path);
[[nodiscard]] ConfigNode read_config_text(std::string_view text, std::string const& name);

/// YAML text that read_config_text turns into the same tree; short lists and maps of scalars are
/// written on one line.
[[nodiscard]] std::string write_config(ConfigNode const& node);

/// Text of a quantity with the largest unit that keeps it exact: "2 Gb/s", "40 ns", "8 GiB".
/// Reading it gives the same value.
[[nodiscard]] std::string to_text(Time time);
[[nodiscard]] std::string to_text(Frequency frequency);
[[nodiscard]] std::string to_text(Bandwidth bandwidth);
[[nodiscard]] std::string to_text(Bytes bytes);
[[nodiscard]] std::string to_text(Energy energy);

}  // namespace tessera
