// Reading a file as bytes, and making sure that they are text.
#include "arch/base/config_source.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "arch/base/config_error.hpp"
#include "arch/base/config_limits.hpp"

namespace tessera::detail {

namespace {

[[noreturn]] void reject_size(std::string const& name) {
  throw ConfigError({name}, {}, "is larger than 16 MiB (no configuration needs that much)");
}

[[nodiscard]] unsigned at(std::string_view text, std::size_t index) {
  return index < text.size() ? static_cast<unsigned char>(text[index]) : 0U;
}

[[nodiscard]] bool continues(unsigned byte) { return (byte & 0xc0U) == 0x80U; }

/// The length of the UTF-8 character at `index` (RFC 3629, table 3-7 of the Unicode standard); 0
/// when it is none: cut off, overlong, a surrogate or above U+10FFFF.
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t index) {
  auto const first = at(text, index);
  auto const second = at(text, index + 1);
  if (first < 0x80U) return 1;
  if (first >= 0xc2U && first <= 0xdfU) return continues(second) ? 2 : 0;
  bool const overlong = (first == 0xe0U && second < 0xa0U) || (first == 0xf0U && second < 0x90U);
  bool const beyond = (first == 0xedU && second > 0x9fU) || (first == 0xf4U && second > 0x8fU);
  if (overlong || beyond || !continues(second) || !continues(at(text, index + 2))) return 0;
  if (first >= 0xe0U && first <= 0xefU) return 3;
  return first >= 0xf0U && first <= 0xf4U && continues(at(text, index + 3)) ? 4 : 0;
}

/// C0, which terminals obey, and C1, U+0080 to U+009F, which some do. A carriage return is layout
/// at the end of a line only.
[[nodiscard]] bool is_control(std::string_view text, std::size_t index) {
  auto const letter = at(text, index);
  bool const ends_line = letter == '\r' && at(text, index + 1) == '\n';
  bool const is_layout = letter == '\n' || letter == '\t' || ends_line;
  bool const is_c1 = letter == 0xc2U && at(text, index + 1) < 0xa0U;
  return (letter < 0x20U && !is_layout) || letter == 0x7fU || is_c1;
}

/// What a value begins or ends with. The parser may hold all of a text's tokens before it hands out
/// the first, so their number is bounded beforehand.
[[nodiscard]] bool is_separator(char letter) {
  return letter == ',' || letter == '[' || letter == '{' || letter == '\n';
}

[[nodiscard]] SourceLocation locate(std::string_view text, std::size_t index,
                                    std::string const& name) {
  SourceLocation where{name, 1, 1};
  for (char const letter : text.substr(0, index)) {
    ++where.column;
    if (letter != '\n') continue;
    ++where.line;
    where.column = 1;
  }
  return where;
}

}  // namespace

std::string read_text_file(std::string const& path) {
  std::error_code problem;
  auto const status = std::filesystem::status(path, problem);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw ConfigError({path}, {}, "no such file");
  }
  if (std::filesystem::is_directory(status)) throw ConfigError({path}, {}, "is a directory");
  std::ifstream file{path, std::ios::binary};
  std::string text;
  std::array<char, 1U << 16U> piece{};
  while (file && text.size() <= config_limits::file_bytes) {
    file.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.is_open() || file.bad()) {
    throw ConfigError({path}, {}, "cannot be read; check its permissions");
  }
  if (text.size() > config_limits::file_bytes) reject_size(path);
  return text;
}

void check_text(std::string_view text, std::string const& name) {
  if (text.size() > config_limits::file_bytes) reject_size(name);
  auto const separators = std::count_if(text.begin(), text.end(), is_separator);
  if (static_cast<std::size_t>(separators) > config_limits::separators) {
    throw ConfigError({name}, {},
                      "has more than " + std::to_string(config_limits::separators) +
                          " lines and commas (no configuration needs that many)");
  }
  for (std::size_t index = 0; index < text.size();) {
    auto const length = utf8_length(text, index);
    if (length == 0) {
      throw ConfigError(locate(text, index, name), {}, "is not UTF-8 text (a binary file?)");
    }
    if (is_control(text, index)) {
      throw ConfigError(locate(text, index, name), {},
                        "has a control character here (a binary file?)");
    }
    index += length;
  }
}

}  // namespace tessera::detail
