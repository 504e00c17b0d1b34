// The values that expressions of a sweep compute with: truths, numbers, texts, and quantities with a unit.
#pragma once

#include <string>
#include <variant>

namespace tessera::sim {

/// A number of base units (ps, b/s, B, Hz, J) of one family: "a time".
struct SweepQuantity {
  double number = 0;
  std::string family;
  std::string base_unit;
};

using SweepValue = std::variant<bool, double, std::string, SweepQuantity>;

/// What a text of a file or an option means: "true", "16" and "2 Gb/s" are what they look like, all
/// else is text.
[[nodiscard]] SweepValue sweep_value(std::string const& text);

/// A text that means the value; of numbers and quantities with up to 12 significant digits.
[[nodiscard]] std::string to_text(SweepValue const& value);

/// For messages: "the number 16", "the text 'dp'".
[[nodiscard]] std::string described(SweepValue const& value);

}  // namespace tessera::sim
