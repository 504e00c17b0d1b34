// Texts as values and back.
#include "sim/sweep/value.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <utility>

#include "arch/base/config.hpp"

namespace tessera::sim {

namespace {

/// All of `text` as a number, as decimal notation has it; no "0x", "inf" or "nan".
std::optional<double> number_in(std::string const& text) {
  if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string::npos) return {};
  char* end = nullptr;
  auto const number = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size()) return {};
  return number;
}

template <typename Q>
bool reads_as(std::string const& text, SweepValue& value, std::string const& family,
              std::string const& base_unit) {
  try {
    auto const quantity = ConfigNode::scalar(text).as<Q>();
    value = SweepQuantity{static_cast<double>(quantity.value()), family, base_unit};
    return true;
  } catch (ConfigError const&) {
    return false;
  }
}

bool may_have_a_unit(std::string const& text) {
  return !text.empty() && text.front() >= '0' && text.front() <= '9' &&
         text.find(' ') != std::string::npos;
}

std::string number_of_12_digits(double number) {
  std::array<char, 32> text{};
  auto* const end =
      std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::general, 12)
          .ptr;
  return {text.data(), end};
}

}  // namespace

SweepValue sweep_value(std::string const& text) {
  if (text == "true" || text == "false") return text == "true";
  if (auto const number = number_in(text)) return *number;
  SweepValue value = text;
  if (may_have_a_unit(text)) {
    static_cast<void>(reads_as<Time>(text, value, "a time", "ps") ||
                      reads_as<Bandwidth>(text, value, "a bandwidth", "b/s") ||
                      reads_as<Bytes>(text, value, "a size", "B") ||
                      reads_as<Frequency>(text, value, "a frequency", "Hz") ||
                      reads_as<Energy>(text, value, "an energy", "J"));
  }
  return value;
}

std::string to_text(SweepValue const& value) {
  struct Writer {
    std::string operator()(bool truth) const { return truth ? "true" : "false"; }
    std::string operator()(double number) const { return number_of_12_digits(number); }
    std::string operator()(std::string const& text) const { return text; }
    std::string operator()(SweepQuantity const& quantity) const {
      return number_of_12_digits(quantity.number) + " " + quantity.base_unit;
    }
  };
  return std::visit(Writer{}, value);
}

std::string described(SweepValue const& value) {
  struct Describer {
    std::string operator()(bool truth) const { return truth ? "true" : "false"; }
    std::string operator()(double number) const {
      return "the number " + number_of_12_digits(number);
    }
    std::string operator()(std::string const& text) const { return "the text " + in_quotes(text); }
    std::string operator()(SweepQuantity const& quantity) const {
      return quantity.family + " (" + number_of_12_digits(quantity.number) + " " +
             quantity.base_unit + ")";
    }
  };
  return std::visit(Describer{}, value);
}

}  // namespace tessera::sim
