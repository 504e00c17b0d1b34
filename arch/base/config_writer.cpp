// A configuration tree as YAML that the strict reader turns into the same tree.
#include <algorithm>
#include <optional>

#include "arch/base/config.hpp"

namespace tessera {

namespace {

constexpr std::size_t line_width = 100;

[[nodiscard]] bool is_plain_letter(char letter) {
  constexpr std::string_view others = " _-+./()%*=<>^";
  bool const is_word = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
                       (letter >= 'A' && letter <= 'Z');
  return is_word || others.find(letter) != std::string_view::npos;
}

/// Does YAML read the text back without quotes, in a block and in [ ] and { }?
[[nodiscard]] bool is_plain(std::string const& text) {
  constexpr std::string_view first_letters = "_/(";
  if (text.empty() || text.back() == ' ') return false;
  bool const is_null = text == "null" || text == "Null" || text == "NULL";
  bool const starts_well = first_letters.find(text.front()) != std::string_view::npos ||
                           (text.front() >= '0' && text.front() <= '9') ||
                           (text.front() >= 'a' && text.front() <= 'z') ||
                           (text.front() >= 'A' && text.front() <= 'Z');
  return starts_well && !is_null && std::all_of(text.begin(), text.end(), is_plain_letter);
}

[[nodiscard]] std::string escaped_letter(char letter) {
  constexpr std::string_view digits = "0123456789abcdef";
  auto const code = static_cast<unsigned char>(letter);
  if (letter == '"' || letter == '\\') return std::string{'\\', letter};
  if (letter == '\n') return "\\n";
  if (letter == '\t') return "\\t";
  if (code >= 0x20 && code != 0x7f) return {letter};
  return std::string{"\\x"} + digits[code / 16U] + digits[code % 16U];
}

[[nodiscard]] std::string scalar_text(std::string const& text) {
  if (is_plain(text)) return text;
  std::string result = "\"";
  for (char const letter : text) result += escaped_letter(letter);
  return result + '"';
}

/// "[a, b]" or "{a: 1, b: 2}" when it holds scalars only and fits into `width`.
[[nodiscard]] std::optional<std::string> one_line(ConfigNode const& node, std::size_t width) {
  if (node.kind() == ConfigNode::Kind::scalar) return scalar_text(node.text());
  bool const is_list = node.kind() == ConfigNode::Kind::list;
  std::string text;
  auto const append = [&text](std::string const& key, ConfigNode const& value) {
    bool const is_scalar = value.kind() == ConfigNode::Kind::scalar;
    if (is_scalar) text += (text.empty() ? "" : ", ") + key + scalar_text(value.text());
    return is_scalar;
  };
  if (is_list) {
    for (auto const& item : node.as_list()) {
      if (!append("", item) || text.size() + 2 > width) return std::nullopt;
    }
    return '[' + text + ']';
  }
  for (auto const& [key, value] : node.entries()) {
    if (!append(scalar_text(key) + ": ", value) || text.size() + 2 > width) return std::nullopt;
  }
  return '{' + text + '}';
}

[[nodiscard]] std::string block(ConfigNode const& node, std::size_t indent);

/// Behind "key:": on the same line, or below and deeper.
[[nodiscard]] std::string entry(std::string const& key, ConfigNode const& value,
                                std::size_t indent) {
  auto const start = std::string(indent, ' ') + scalar_text(key) + ':';
  auto const room = line_width - std::min(line_width, start.size() + 1);
  if (auto const line = one_line(value, room)) return start + ' ' + *line + '\n';
  return start + '\n' + block(value, indent + 2);
}

/// Behind "-": a block's first line moves up beside the dash.
[[nodiscard]] std::string item(ConfigNode const& value, std::size_t indent) {
  auto const start = std::string(indent, ' ') + "- ";
  auto const room = line_width - std::min(line_width, start.size());
  if (auto const line = one_line(value, room)) return start + *line + '\n';
  return start + block(value, indent + 2).substr(indent + 2);
}

[[nodiscard]] std::string block(ConfigNode const& node, std::size_t indent) {
  std::string text;
  if (node.kind() == ConfigNode::Kind::list) {
    for (auto const& value : node.as_list()) text += item(value, indent);
  } else {
    for (auto const& [key, value] : node.entries()) text += entry(key, value, indent);
  }
  return text;
}

}  // namespace

std::string write_config(ConfigNode const& node) {
  bool const is_empty = (node.kind() == ConfigNode::Kind::list && node.as_list().empty()) ||
                        (node.kind() == ConfigNode::Kind::map && node.entries().empty());
  if (node.kind() == ConfigNode::Kind::scalar || is_empty)
    return *one_line(node, line_width) + '\n';
  return block(node, 0);
}

}  // namespace tessera
