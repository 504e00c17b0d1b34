#include "workloads/name_range.hpp"

namespace tessera::workloads {

namespace {

std::int64_t number(ConfigNode const& name, std::string const& digits) {
  bool const is_number = !digits.empty() && digits.size() <= 9 &&
                         digits.find_first_not_of("0123456789") == std::string::npos;
  if (is_number) return std::stoll(digits);
  throw name.error(in_quotes(name.text()) +
                   " is no range of names (a name, a number, .. and the last number: conv2_2..3)");
}

}  // namespace

ConfigError too_many_operators(ConfigNode const& name) {
  return name.error(in_quotes(name.text()) + " makes more than " + std::to_string(most_operators) +
                    " operators (as many as a network may hold)");
}

std::vector<std::string> names_of(ConfigNode const& name) {
  auto const text = name.as<std::string>();
  auto const dots = text.find("..");
  if (dots == std::string::npos) return {text};
  auto const stem = text.substr(0, dots);
  auto const first_digit = stem.find_last_not_of("0123456789") + 1;  // 0 when there are only digits
  auto const first = number(name, stem.substr(first_digit));
  auto const last = number(name, text.substr(dots + 2));
  if (last <= first) {
    throw name.error("a range of names ascends (" + std::to_string(first) + " to " +
                     std::to_string(last) + " does not)");
  }
  if (last - first >= most_operators) throw too_many_operators(name);
  std::vector<std::string> names;
  for (auto index = first; index <= last; ++index) {
    names.push_back(stem.substr(0, first_digit) + std::to_string(index));
  }
  return names;
}

}  // namespace tessera::workloads
