// Reading and writing quantities without rounding: a decimal number times a unit is integer * integer * 10^integer, and that is
// either a whole number of base units or an error.
#include "arch/base/quantity_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "arch/base/config.hpp"
#include "arch/base/decimal.hpp"
#include "arch/base/units.hpp"

namespace tessera {

namespace {

using detail::Decimal;
using detail::Unit;
using detail::UnitFamily;
using detail::units_of;

__extension__ using Wide = __int128;

/// What a text says, before it is known whether the quantity's type can hold it.
struct Reading {
  Decimal number;
  Unit unit;
};

[[noreturn]] void reject(UnitFamily const& family, std::string const& problem) {
  throw detail::QuantityTextError(problem + "; write it like '" + std::string{family.example} +
                                  '\'');
}

[[nodiscard]] Unit find_unit(UnitFamily const& family, std::string_view name,
                             std::string_view text) {
  for (auto const& unit : family.units) {
    if (unit.name == name) return unit;
  }
  std::string const quantity{family.quantity};
  reject(family, in_quotes(text) + (name.empty() ? " has no unit" : " is not " + quantity) + " (" +
                     quantity + " has one of " + family.names() + ')');
}

[[nodiscard]] Reading read(UnitFamily const& family, std::string_view text) {
  std::string const quantity{family.quantity};
  bool const negative = !text.empty() && text.front() == '-';
  auto const number = detail::read_decimal(negative ? text.substr(1) : text);
  if (!number) reject(family, in_quotes(text) + " is not " + quantity);
  auto name = number->rest;
  name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
  auto const unit = find_unit(family, name, text);
  if (negative) {
    reject(family, in_quotes(text) + " is negative (" + quantity + " is zero or more)");
  }
  return {*number, unit};
}

/// value * 10^exponent as a whole number of base units; `text` is what an error quotes.
[[nodiscard]] std::int64_t whole_number(UnitFamily const& family, std::string_view text, Wide value,
                                        int exponent) {
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  std::string const quantity{family.quantity};
  std::string const base{family.base};
  for (; exponent < 0 && value != 0 && value % 10 == 0; ++exponent) value /= 10;
  if (exponent < 0 && value != 0) {
    reject(family, in_quotes(text) + " is not a whole number of " + base + " (the finest step of " +
                       quantity + ')');
  }
  for (; exponent > 0 && value != 0 && value <= largest; --exponent) value *= 10;
  if (value > largest) {
    reject(family, in_quotes(text) + " is too large (" + quantity + " has at most " +
                       std::to_string(largest) + ' ' + base + ')');
  }
  return static_cast<std::int64_t>(value);
}

template <typename Q>
[[nodiscard]] Q read_exact(std::string_view text) {
  auto const family = units_of<Q>();
  auto const [number, unit] = read(family, text);
  auto const mantissa = number.mantissa();
  if (!mantissa) reject(family, in_quotes(text) + " has too many digits (19 at most)");
  return Q{
      whole_number(family, text, Wide{*mantissa} * unit.factor, number.exponent + unit.exponent)};
}

/// "250 MHz": the largest unit of which there is a whole number.
template <typename Q>
[[nodiscard]] std::string exact_text(Q quantity) {
  auto const family = units_of<Q>();
  if (quantity.value() == 0) return "0 " + std::string{family.base};
  std::string text;
  for (auto const& unit : family.units) {
    auto const size = whole_number(family, unit.name, unit.factor, unit.exponent);
    if (quantity.value() % size != 0) continue;
    text = std::to_string(quantity.value() / size) + ' ' + std::string{unit.name};
  }
  return text;
}

/// As few digits as give a positive number back.
[[nodiscard]] Decimal shortest_decimal(double value) {
  std::array<char, 32> buffer{};
  auto const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific);
  std::string_view const text{buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data())};
  auto decimal = detail::read_decimal(text);
  ENSURES(decimal.has_value(), value);
  decimal->rest = {};
  return *decimal;
}

}  // namespace

namespace detail {

template <>
Time parse_quantity<Time>(std::string_view text) {
  return read_exact<Time>(text);
}

template <>
Frequency parse_quantity<Frequency>(std::string_view text) {
  return read_exact<Frequency>(text);
}

template <>
Bandwidth parse_quantity<Bandwidth>(std::string_view text) {
  return read_exact<Bandwidth>(text);
}

template <>
Bytes parse_quantity<Bytes>(std::string_view text) {
  return read_exact<Bytes>(text);
}

template <>
Energy parse_quantity<Energy>(std::string_view text) {
  auto const family = units_of<Energy>();
  auto const [number, unit] = read(family, text);
  if (number.digits.empty()) return Energy{0};
  auto const scientific = number.digits + 'e' + std::to_string(number.exponent + unit.exponent);
  double joules = 0;
  auto const parsed =
      std::from_chars(scientific.data(), scientific.data() + scientific.size(), joules);
  if (parsed.ec != std::errc{}) {
    reject(family, in_quotes(text) + " is out of range (of double-precision J)");
  }
  return Energy{joules};
}

}  // namespace detail

std::string to_text(Time time) { return exact_text(time); }
std::string to_text(Frequency frequency) { return exact_text(frequency); }
std::string to_text(Bandwidth bandwidth) { return exact_text(bandwidth); }
std::string to_text(Bytes bytes) { return exact_text(bytes); }

std::string to_text(double number) {
  EXPECTS(number >= 0 && number <= std::numeric_limits<double>::max(), number);
  if (number == 0) return "0";
  auto const decimal = shortest_decimal(number);
  return detail::decimal_text(decimal.digits, decimal.exponent);
}

std::string to_text(Energy energy) {
  EXPECTS(energy >= Energy{0} && energy.value() <= std::numeric_limits<double>::max(), energy);
  if (energy == Energy{0}) return "0 J";
  auto const number = shortest_decimal(energy.value());
  auto const magnitude = number.exponent + static_cast<int>(number.digits.size()) - 1;
  auto const units = units_of<Energy>().units;
  auto best = units.front();
  for (auto const& unit : units) {
    if (unit.exponent <= magnitude) best = unit;
  }
  return detail::decimal_text(number.digits, number.exponent - best.exponent) + ' ' +
         std::string{best.name};
}

}  // namespace tessera
