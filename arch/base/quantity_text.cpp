// Reading and writing quantities without rounding: a decimal text is an integer mantissa and a power of ten, a unit is an integer
// factor and a power of ten, and their product is either a whole number of base units or an error.
#include "arch/base/quantity_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "arch/base/config.hpp"

namespace tessera {

namespace {

__extension__ using Wide = __int128;

/// A unit is factor * 10^exponent base units.
struct Unit {
  std::string_view name;
  std::int64_t factor;
  int exponent;
};

/// The units of a quantity, smallest first.
struct Family {
  std::string_view kind;  ///< "time"
  std::string_view with_article;
  std::string_view base_unit;
  std::string_view example;
  std::vector<Unit> units;
};

template <typename Q>
[[nodiscard]] Family family();

template <>
Family family<Time>() {
  return {"time",
          "a time",
          "ps",
          "40 ns",
          {{"ps", 1, 0}, {"ns", 1, 3}, {"us", 1, 6}, {"ms", 1, 9}, {"s", 1, 12}}};
}

template <>
Family family<Frequency>() {
  return {"frequency",
          "a frequency",
          "Hz",
          "250 MHz",
          {{"Hz", 1, 0}, {"kHz", 1, 3}, {"MHz", 1, 6}, {"GHz", 1, 9}, {"THz", 1, 12}}};
}

template <>
Family family<Bandwidth>() {
  return {"bandwidth",
          "a bandwidth",
          "b/s",
          "2 GB/s",
          {{"b/s", 1, 0},
           {"B/s", 8, 0},
           {"kb/s", 1, 3},
           {"kB/s", 8, 3},
           {"Mb/s", 1, 6},
           {"MB/s", 8, 6},
           {"Gb/s", 1, 9},
           {"GB/s", 8, 9},
           {"Tb/s", 1, 12},
           {"TB/s", 8, 12}}};
}

template <>
Family family<Bytes>() {
  constexpr std::int64_t kibi = 1024;
  return {"size",
          "a size",
          "B",
          "8 GiB",
          {{"B", 1, 0},
           {"kB", 1, 3},
           {"KiB", kibi, 0},
           {"MB", 1, 6},
           {"MiB", kibi * kibi, 0},
           {"GB", 1, 9},
           {"GiB", kibi * kibi * kibi, 0},
           {"TB", 1, 12},
           {"TiB", kibi * kibi * kibi * kibi, 0}}};
}

template <>
Family family<Energy>() {
  return {"energy",
          "an energy",
          "J",
          "3.7 pJ",
          {{"fJ", 1, -15},
           {"pJ", 1, -12},
           {"nJ", 1, -9},
           {"uJ", 1, -6},
           {"mJ", 1, -3},
           {"J", 1, 0},
           {"kJ", 1, 3}}};
}

[[nodiscard]] std::vector<std::string> unit_names(Family const& family) {
  std::vector<std::string> names;
  for (auto const& unit : family.units) names.emplace_back(unit.name);
  return names;
}

[[noreturn]] void reject(Family const& family, std::string const& problem) {
  throw detail::QuantityTextError(problem + "; write it like '" + std::string{family.example} +
                                  '\'');
}

/// mantissa * 10^exponent; the mantissa does not end in 0 unless it is 0.
struct Decimal {
  std::uint64_t mantissa = 0;
  int exponent = 0;
};

/// A text such as "2.5e3 GB/s", taken apart.
struct Reading {
  std::string digits;  ///< of the number, without point and leading zeros
  int exponent = 0;    ///< of the last digit
  std::string_view unit;
};

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
  if (digits.empty()) return 0;  // the "e" belongs to the unit
  int value = 0;
  auto const parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (parsed.ec != std::errc{} || value > beyond_everything) value = beyond_everything;
  text = rest;
  return negative ? -value : value;
}

/// none: there is no number at the front.
[[nodiscard]] std::optional<Reading> take_apart(std::string_view text) {
  Reading reading;
  auto const whole = take_digits(text);
  std::string_view fraction;
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    fraction = take_digits(text);
    if (fraction.empty()) return std::nullopt;
  }
  if (whole.empty()) return std::nullopt;
  reading.exponent = take_exponent(text) - static_cast<int>(fraction.size());
  reading.digits = std::string{whole} + std::string{fraction};
  reading.digits.erase(0, reading.digits.find_first_not_of('0'));
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  reading.unit = text;
  return reading;
}

/// none: more digits than any quantity has.
[[nodiscard]] std::optional<Decimal> to_decimal(Reading const& reading) {
  auto digits = reading.digits;
  int exponent = reading.exponent;
  while (!digits.empty() && digits.back() == '0') {
    digits.pop_back();
    ++exponent;
  }
  if (digits.empty()) return Decimal{};
  Decimal decimal{0, exponent};
  auto const parsed =
      std::from_chars(digits.data(), digits.data() + digits.size(), decimal.mantissa);
  if (parsed.ec != std::errc{}) return std::nullopt;
  return decimal;
}

/// What a text says, before it is known whether the quantity's type can hold it.
struct Parsed {
  Decimal number;
  Unit unit;
};

[[nodiscard]] Unit find_unit(Family const& family, std::string_view name, std::string_view text) {
  auto const names = unit_names(family);
  auto const choices =
      " (" + std::string{family.with_article} + " has one of " + joined(names) + ')';
  if (name.empty()) reject(family, in_quotes(text) + " has no unit" + choices);
  for (auto const& unit : family.units) {
    if (unit.name == name) return unit;
  }
  reject(family, in_quotes(text) + " has no unit of " + std::string{family.kind} + choices);
}

[[nodiscard]] Parsed parse(Family const& family, std::string_view text) {
  bool const negative = !text.empty() && text.front() == '-';
  auto const reading = take_apart(negative ? text.substr(1) : text);
  if (!reading) reject(family, in_quotes(text) + " is not " + std::string{family.with_article});
  auto const unit = find_unit(family, reading->unit, text);
  if (negative) {
    reject(family, in_quotes(text) + " is negative (" + std::string{family.with_article} +
                       " is zero or more)");
  }
  auto const number = to_decimal(*reading);
  if (!number) reject(family, in_quotes(text) + " has too many digits (19 at most)");
  return {*number, unit};
}

/// parsed.number * parsed.unit as a whole number of base units.
[[nodiscard]] std::int64_t exact(Family const& family, std::string_view text,
                                 Parsed const& parsed) {
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  Wide value = Wide{parsed.number.mantissa} * parsed.unit.factor;
  int exponent = parsed.number.exponent + parsed.unit.exponent;
  if (value == 0) return 0;
  for (; exponent < 0 && value % 10 == 0; ++exponent) value /= 10;
  if (exponent < 0) {
    reject(family, in_quotes(text) + " is not a whole number of " + std::string{family.base_unit} +
                       " (the finest step of " + std::string{family.with_article} + ')');
  }
  for (; exponent > 0 && value <= largest; --exponent) value *= 10;
  if (value > largest) {
    reject(family, in_quotes(text) + " is too large (" + std::string{family.with_article} +
                       " has at most " + std::to_string(largest) + ' ' +
                       std::string{family.base_unit} + ')');
  }
  return static_cast<std::int64_t>(value);
}

template <typename Q>
[[nodiscard]] Q parse_exact(std::string_view text) {
  auto const units = family<Q>();
  return Q{exact(units, text, parse(units, text))};
}

/// "250 MHz": the largest unit of which there is a whole number.
template <typename Q>
[[nodiscard]] std::string exact_text(Q quantity) {
  auto const units = family<Q>();
  if (quantity.value() == 0) return "0 " + std::string{units.base_unit};
  auto best = units.units.front();
  auto count = quantity.value();
  for (auto const& unit : units.units) {
    auto const size = exact(units, unit.name, {{1, 0}, unit});
    if (quantity.value() % size != 0) continue;
    best = unit;
    count = quantity.value() / size;
  }
  return std::to_string(count) + ' ' + std::string{best.name};
}

/// The digits of a finite positive number, as few as give it back: digits * 10^exponent.
[[nodiscard]] Reading shortest_digits(double value) {
  std::array<char, 32> buffer{};
  auto const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific);
  auto const reading =
      take_apart({buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data())});
  ENSURES(reading.has_value(), value);
  return *reading;
}

/// "1.25", "0.004" or "3e40" for digits * 10^exponent.
[[nodiscard]] std::string decimal_text(std::string digits, int exponent) {
  constexpr int most_zeros = 6;
  if (exponent > most_zeros) return digits + 'e' + std::to_string(exponent);
  if (exponent >= 0) return digits + std::string(static_cast<std::size_t>(exponent), '0');
  auto const after_point = static_cast<std::size_t>(-exponent);
  if (after_point > digits.size() + most_zeros) return digits + 'e' + std::to_string(exponent);
  if (after_point >= digits.size()) digits.insert(0, after_point - digits.size() + 1, '0');
  return digits.insert(digits.size() - after_point, ".");
}

}  // namespace

namespace detail {

template <>
Time parse_quantity<Time>(std::string_view text) {
  return parse_exact<Time>(text);
}

template <>
Frequency parse_quantity<Frequency>(std::string_view text) {
  return parse_exact<Frequency>(text);
}

template <>
Bandwidth parse_quantity<Bandwidth>(std::string_view text) {
  return parse_exact<Bandwidth>(text);
}

template <>
Bytes parse_quantity<Bytes>(std::string_view text) {
  return parse_exact<Bytes>(text);
}

template <>
Energy parse_quantity<Energy>(std::string_view text) {
  auto const units = family<Energy>();
  auto const [number, unit] = parse(units, text);
  auto const scientific =
      std::to_string(number.mantissa) + 'e' + std::to_string(number.exponent + unit.exponent);
  double joules = 0;
  auto const parsed =
      std::from_chars(scientific.data(), scientific.data() + scientific.size(), joules);
  if (parsed.ec != std::errc{}) {
    reject(units, in_quotes(text) + " is out of range (a double-precision number of J)");
  }
  return Energy{joules};
}

}  // namespace detail

std::string to_text(Time time) { return exact_text(time); }
std::string to_text(Frequency frequency) { return exact_text(frequency); }
std::string to_text(Bandwidth bandwidth) { return exact_text(bandwidth); }
std::string to_text(Bytes bytes) { return exact_text(bytes); }

std::string to_text(Energy energy) {
  EXPECTS(energy >= Energy{0} && energy.value() <= std::numeric_limits<double>::max(), energy);
  if (energy == Energy{0}) return "0 J";
  auto const number = shortest_digits(energy.value());
  auto const magnitude = number.exponent + static_cast<int>(number.digits.size()) - 1;
  auto const units = family<Energy>().units;
  auto best = units.front();
  for (auto const& unit : units) {
    if (unit.exponent <= magnitude) best = unit;
  }
  return decimal_text(number.digits, number.exponent - best.exponent) + ' ' +
         std::string{best.name};
}

}  // namespace tessera
