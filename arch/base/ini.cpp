// Line by line; a section is added to the tree when the next one begins.
#include "arch/base/ini.hpp"

#include <algorithm>
#include <utility>

#include "arch/base/config_source.hpp"

namespace tessera {

namespace {

constexpr std::string_view ini_blanks = " \t\r";

[[nodiscard]] std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(ini_blanks), text.size()));
  return text.substr(0, text.find_last_not_of(ini_blanks) + 1);
}

[[nodiscard]] std::string_view without_comment(std::string_view line) {
  auto const text = trimmed(line);
  if (!text.empty() && text.front() == '#') return {};
  return trimmed(text.substr(0, text.find(';')));
}

[[nodiscard]] bool has(ConfigNode const& map, std::string const& key) {
  auto const& entries = map.entries();
  return std::any_of(entries.begin(), entries.end(),
                     [&](auto const& entry) { return entry.first == key; });
}

class IniReader {
 public:
  explicit IniReader(std::string const& name) : name_{name} { tree_.set_origin({name, 1, 1}); }

  void read_line(std::string_view line, int number) {
    auto const text = without_comment(line);
    if (text.empty()) return;
    where_ = {name_, number, static_cast<int>(text.data() - line.data()) + 1};
    if (text.front() == '[') {
      begin_section(text);
    } else {
      add_key(text);
    }
  }

  ConfigNode finish() {
    end_section();
    if (tree_.entries().empty()) throw ConfigError({name_}, {}, "is empty (there is no section)");
    return std::move(tree_);
  }

 private:
  void begin_section(std::string_view text) {
    end_section();
    if (text.back() != ']') throw ConfigError(where_, {}, "a section without its ']'");
    title_ = trimmed(text.substr(1, text.size() - 2));
    if (title_.empty()) throw ConfigError(where_, {}, "a section without a name");
    if (has(tree_, title_)) throw ConfigError(where_, title_, "a second section of this name");
    section_ = ConfigNode::map();
    section_.set_origin(where_);
  }

  void end_section() {
    if (!title_.empty()) tree_.add(std::exchange(title_, {}), std::exchange(section_, {}));
  }

  void add_key(std::string_view text) {
    auto const equals = text.find('=');
    if (equals == std::string_view::npos) {
      throw ConfigError(where_, title_, in_quotes(text) + " is neither a section nor key = value");
    }
    std::string const key{trimmed(text.substr(0, equals))};
    auto const value = trimmed(text.substr(equals + 1));
    if (title_.empty()) throw ConfigError(where_, key, "a key before the first section");
    if (key.empty() || value.empty()) throw ConfigError(where_, title_, "a key without a value");
    if (has(section_, key)) throw ConfigError(where_, title_ + '.' + key, "a second time this key");
    auto node = ConfigNode::scalar(std::string{value});
    node.set_origin(where_);
    section_.add(key, std::move(node));
  }

  std::string name_;
  ConfigNode tree_ = ConfigNode::map();
  ConfigNode section_;
  std::string title_;
  SourceLocation where_;
};

}  // namespace

ConfigNode read_ini_text(std::string_view text, std::string const& name) {
  detail::check_text(text, name);
  IniReader reader{name};
  for (int number = 1; !text.empty(); ++number) {
    auto const end = std::min(text.find('\n'), text.size());
    reader.read_line(text.substr(0, end), number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

ConfigNode read_ini_file(std::string const& path) {
  return read_ini_text(detail::read_text_file(path), path);
}

}  // namespace tessera
