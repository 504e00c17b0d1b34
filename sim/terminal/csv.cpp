#include "sim/terminal/csv.hpp"

#include <array>
#include <charconv>

namespace tessera::sim {

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string{text};
  std::string quoted = "\"";
  for (auto const letter : text) quoted += letter == '"' ? "\"\"" : std::string{letter};
  return quoted + '"';
}

std::string csv_cell(double value) {
  std::array<char, 32> text{};
  auto const end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

}  // namespace tessera::sim
