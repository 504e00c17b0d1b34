// Lists in --set.
#include "sim/study/settings.hpp"

namespace tessera::sim {

namespace {

constexpr std::size_t most_choices = 10'000;

/// Tells commas between values from those inside of one.
class CommaFinder final {
 public:
  /// Of the next letter.
  [[nodiscard]] bool is_between(char letter) {
    if (quote_ != 0) {
      if (letter == quote_) quote_ = 0;
      return false;
    }
    if (letter == '"' || letter == '\'') quote_ = letter;
    if (letter == '[' || letter == '{') ++depth_;
    if (letter == ']' || letter == '}') --depth_;
    return letter == ',' && depth_ == 0;
  }

 private:
  char quote_ = 0;
  int depth_ = 0;
};

std::string trimmed(std::string const& text) {
  auto const first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// "64" and "128" of "workload.batch=64,128"; a list of one is as it is typed.
std::vector<std::string> values_of(std::string const& assignment, std::size_t equals) {
  std::vector<std::string> values(1);
  CommaFinder finder;
  for (auto const letter : assignment.substr(equals + 1)) {
    if (finder.is_between(letter)) {
      values.emplace_back();
    } else {
      values.back() += letter;
    }
  }
  if (values.size() == 1) return values;
  for (auto& value : values) {
    value = trimmed(value);
    if (!value.empty()) continue;
    throw ConfigError{{"--set " + assignment},
                      {},
                      "a value beside a comma is empty; put a text with commas in quotes"};
  }
  return values;
}

/// Every choice, followed by every one of these values.
std::vector<SettingsChoice> with_each(std::vector<SettingsChoice> const& choices,
                                      std::string const& key,
                                      std::vector<std::string> const& values) {
  if (choices.size() * values.size() > most_choices) {
    throw ConfigError{{"--set " + key},
                      {},
                      "makes more than " + std::to_string(most_choices) +
                          " combinations; tessera sweep is for so many"};
  }
  std::vector<SettingsChoice> more;
  for (auto const& choice : choices) {
    for (auto const& value : values) {
      more.push_back(choice);
      more.back().assignments.push_back(std::string{key}.append("=").append(value));
      if (values.size() > 1) more.back().varied.emplace_back(key, value);
    }
  }
  return more;
}

}  // namespace

std::vector<SettingsChoice> choices_of(std::vector<std::string> const& assignments) {
  std::vector<SettingsChoice> choices(1);
  for (auto const& assignment : assignments) {
    auto const equals = assignment.find('=');
    if (equals == std::string::npos) {  // is refused where it is read
      for (auto& choice : choices) choice.assignments.push_back(assignment);
      continue;
    }
    choices = with_each(choices, assignment.substr(0, equals), values_of(assignment, equals));
  }
  return choices;
}

}  // namespace tessera::sim
