// Reading and writing decimal numbers digit by digit.
#include "arch/base/decimal.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace tessera::detail {

namespace {

[[nodiscard]] bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// Takes the digits at the front of `text` away from it.
[[nodiscard]] std::string_view take_digits(std::string_view& text) {
  auto const end = std::find_if_not(text.begin(), text.end(), is_digit);
  auto const count = static_cast<std::size_t>(end - text.begin());
  auto const digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

/// Takes "e-3" away from the front of `text`; 0 when there is no exponent.
[[nodiscard]] int take_exponent(std::string_view& text) {
  constexpr int beyond_everything = 100'000;
  if (text.empty() || (text.front() != 'e' && text.front() != 'E')) return 0;
  auto rest = text.substr(1);
  bool const negative = !rest.empty() && rest.front() == '-';
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) rest.remove_prefix(1);
  auto const digits = take_digits(rest);
  if (digits.empty()) return 0;  // the "e" belongs to what follows the number
  int value = 0;
  auto const parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (parsed.ec != std::errc{} || value > beyond_everything) value = beyond_everything;
  text = rest;
  return negative ? -value : value;
}

void strip_zeros(Decimal& decimal) {
  auto& digits = decimal.digits;
  while (!digits.empty() && digits.back() == '0') {
    digits.pop_back();
    ++decimal.exponent;
  }
  digits.erase(0, digits.find_first_not_of('0'));
}

}  // namespace

std::optional<std::uint64_t> Decimal::mantissa() const {
  if (digits.empty()) return 0;
  std::uint64_t value = 0;
  auto const parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (parsed.ec != std::errc{}) return std::nullopt;
  return value;
}

std::optional<Decimal> read_decimal(std::string_view text) {
  auto const whole = take_digits(text);
  if (whole.empty()) return std::nullopt;
  std::string_view fraction;
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    fraction = take_digits(text);
    if (fraction.empty()) return std::nullopt;
  }
  Decimal decimal;
  decimal.digits = std::string{whole} + std::string{fraction};
  decimal.exponent = take_exponent(text) - static_cast<int>(fraction.size());
  decimal.rest = text;
  strip_zeros(decimal);
  return decimal;
}

std::string decimal_text(std::string digits, int exponent) {
  constexpr std::size_t most_zeros = 6;
  auto const zeros_or_places = static_cast<std::size_t>(std::abs(exponent));
  if (exponent >= 0 && zeros_or_places <= most_zeros) return digits.append(zeros_or_places, '0');
  bool const is_readable = exponent < 0 && zeros_or_places <= digits.size() + most_zeros;
  if (!is_readable) return digits + 'e' + std::to_string(exponent);
  if (zeros_or_places >= digits.size()) digits.insert(0, zeros_or_places - digits.size() + 1, '0');
  return digits.insert(digits.size() - zeros_or_places, ".");
}

}  // namespace tessera::detail
