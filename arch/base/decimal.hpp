// Decimal numbers as text, taken apart without rounding. Internal to arch/base.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::detail {

/// digits * 10^exponent, and the text that follows the number. No zeros at either end of the
/// digits; none at all is 0.
struct Decimal {
  std::string digits;
  int exponent = 0;
  std::string_view rest;

  /// The digits as a number; none when there are too many for 64 bits.
  [[nodiscard]] std::optional<std::uint64_t> mantissa() const;
};

/// Reads "2", "2.5" or "2.5e-3" at the front of `text`; none when no number stands there.
[[nodiscard]] std::optional<Decimal> read_decimal(std::string_view text);

/// "1.25", "0.004" or "3e40" for digits * 10^exponent; `digits` is not empty.
[[nodiscard]] std::string decimal_text(std::string digits, int exponent);

}  // namespace tessera::detail
