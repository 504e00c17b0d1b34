// What a scalar's text means: words, numbers and quantities.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "arch/base/config.hpp"
#include "arch/base/quantity_text.hpp"

namespace tessera {

namespace {

/// The text of a scalar; `expected` says in an error what should stand there instead.
[[nodiscard]] std::string const& scalar_text(ConfigNode const& node, std::string const& expected) {
  if (node.kind() == ConfigNode::Kind::scalar) return node.text();
  throw node.error("expected " + expected + ", got " +
                   (node.kind() == ConfigNode::Kind::map ? "a map" : "a list"));
}

/// The number that the whole text spells.
template <typename Number>
[[nodiscard]] Number number(ConfigNode const& node, std::string const& expected) {
  auto const& text = scalar_text(node, expected);
  Number value{};
  auto const* const end = text.data() + text.size();
  auto const [rest, problem] = std::from_chars(text.data(), end, value);
  if (problem == std::errc::result_out_of_range) {
    throw node.error(in_quotes(text) + " does not fit (expected " + expected + ')');
  }
  if (problem != std::errc{} || rest != end) {
    throw node.error(in_quotes(text) + " is not " + expected);
  }
  return value;
}

template <typename Q>
[[nodiscard]] Q quantity(ConfigNode const& node, std::string const& expected) {
  auto const& text = scalar_text(node, expected);
  try {
    return detail::parse_quantity<Q>(text);
  } catch (detail::QuantityTextError const& error) {
    throw node.error(error.what());
  }
}

}  // namespace

template <>
std::string ConfigNode::as<std::string>() const {
  auto const& text = scalar_text(*this, "a text");
  bool const has_control = std::any_of(text.begin(), text.end(), [](char letter) {
    return (static_cast<unsigned char>(letter) < 0x20U && letter != '\t') || letter == 0x7f;
  });
  if (has_control) throw error(in_quotes(text) + " has a control character (a text is one line)");
  return text;
}

template <>
bool ConfigNode::as<bool>() const {
  auto const& text = scalar_text(*this, "true or false");
  if (text == "true") return true;
  if (text == "false") return false;
  throw error(in_quotes(text) + " is neither true nor false");
}

template <>
std::int64_t ConfigNode::as<std::int64_t>() const {
  return number<std::int64_t>(*this, "a whole number");
}

template <>
double ConfigNode::as<double>() const {
  auto const value = number<double>(*this, "a number");
  if (!std::isfinite(value)) throw error(in_quotes(text_) + " is not a finite number");
  return value;
}

template <>
Time ConfigNode::as<Time>() const {
  return quantity<Time>(*this, "a time such as '40 ns'");
}

template <>
Frequency ConfigNode::as<Frequency>() const {
  return quantity<Frequency>(*this, "a frequency such as '250 MHz'");
}

template <>
Bandwidth ConfigNode::as<Bandwidth>() const {
  return quantity<Bandwidth>(*this, "a bandwidth such as '2 GB/s'");
}

template <>
Bytes ConfigNode::as<Bytes>() const {
  return quantity<Bytes>(*this, "a size such as '8 GiB'");
}

template <>
Energy ConfigNode::as<Energy>() const {
  return quantity<Energy>(*this, "an energy such as '3.7 pJ'");
}

}  // namespace tessera
