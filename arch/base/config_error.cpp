// The one-line message of a ConfigError.
#include "arch/base/config_error.hpp"

namespace tessera {

namespace {

[[nodiscard]] bool is_control(char letter) {
  return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f;
}

[[nodiscard]] std::string escaped(char control) {
  constexpr std::string_view digits = "0123456789abcdef";
  if (control == '\n') return "\\n";
  if (control == '\t') return "\\t";
  auto const code = static_cast<unsigned char>(control);
  return std::string{"\\x"} + digits[code / 16U] + digits[code % 16U];
}

[[nodiscard]] std::string one_line(std::string const& text) {
  std::string line;
  for (char const letter : text) {
    line += is_control(letter) ? escaped(letter) : std::string{letter};
  }
  return line;
}

[[nodiscard]] std::string message(SourceLocation const& where, std::string const& key_path,
                                  std::string const& problem) {
  std::string text = where.file;
  if (where.line > 0) text += ':' + std::to_string(where.line);
  if (where.line > 0 && where.column > 0) text += ':' + std::to_string(where.column);
  if (!text.empty()) text += ": ";
  if (!key_path.empty()) text += key_path + ": ";
  return one_line(text + problem);
}

}  // namespace

ConfigError::ConfigError(SourceLocation where, std::string key_path, std::string problem)
    : std::runtime_error{message(where, key_path, problem)},
      where_{std::move(where)},
      key_path_{std::move(key_path)},
      problem_{std::move(problem)} {}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 80;
  if (text.size() <= longest) return '\'' + std::string{text} + '\'';
  auto end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;  // whole UTF-8
  return '\'' + std::string{text.substr(0, end)} + "...'";
}

}  // namespace tessera
