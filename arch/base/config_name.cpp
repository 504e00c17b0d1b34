#include "arch/base/config_name.hpp"

namespace tessera {

namespace {

constexpr std::string_view allowed =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
constexpr std::string_view not_first = "-./";

[[nodiscard]] bool is_name(std::string const& text) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string::npos &&
         text.find_first_of(not_first) != 0;
}

}  // namespace

std::string read_name(ConfigNode const& node) {
  auto name = node.as<std::string>();
  if (is_name(name)) return name;
  throw node.error(in_quotes(name) +
                   " is no name (letters, digits and _ - . /; not - . / at its beginning)");
}

std::string as_name(std::string text) {
  for (auto& letter : text) {
    if (allowed.find(letter) == std::string_view::npos) letter = '_';
  }
  return is_name(text) ? text : "_" + text;
}

}  // namespace tessera
