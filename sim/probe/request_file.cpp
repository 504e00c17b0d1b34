// Three words per line.
#include "sim/probe/request_file.hpp"

#include <algorithm>
#include <charconv>

#include "arch/base/config_error.hpp"
#include "arch/base/nearest_name.hpp"

namespace tessera::sim {

namespace {

constexpr std::string_view blanks = " \t\r";

struct Word {
  std::string_view text;
  SourceLocation where;
  [[nodiscard]] ConfigError error(std::string const& problem) const {
    return ConfigError(where, {}, in_quotes(text) + " " + problem);
  }
};

[[nodiscard]] std::vector<Word> words_of(std::string_view line, std::string const& name,
                                         int number) {
  std::vector<Word> words;
  for (std::size_t at = line.find_first_not_of(blanks); at < line.size();) {
    auto const end = std::min(line.find_first_of(blanks, at), line.size());
    words.push_back({line.substr(at, end - at), {name, number, static_cast<int>(at) + 1}});
    at = line.find_first_not_of(blanks, end);
  }
  return words;
}

template <typename Number>
[[nodiscard]] Number number_of(Word const& word, std::string_view digits, int base,
                               char const* expected) {
  Number number = 0;
  auto const* const end = digits.data() + digits.size();
  auto const [stop, error] = std::from_chars(digits.data(), end, number, base);
  if (error == std::errc{} && stop == end && number >= 0) return number;
  throw word.error(std::string{"is no "} + expected);
}

[[nodiscard]] std::uint64_t address_of(Word const& word, arch::DramSpec const& spec, Bytes bytes) {
  constexpr char const* expected = "address (a hexadecimal number that begins with 0x)";
  if (word.text.substr(0, 2) != "0x") throw word.error(std::string{"is no "} + expected);
  auto const address = number_of<std::uint64_t>(word, word.text.substr(2), 16, expected);
  if (address >= static_cast<std::uint64_t>(spec.organization.capacity().value())) {
    throw word.error("is beyond the memory, which has " + to_text(spec.organization.capacity()));
  }
  if (address % static_cast<std::uint64_t>(bytes.value()) != 0) {
    throw word.error("is not a multiple of the " + to_text(bytes) + " of a request");
  }
  return address;
}

[[nodiscard]] Access access_of(Word const& word) {
  if (word.text == "READ") return Access::read;
  if (word.text == "WRITE") return Access::write;
  throw ConfigError(word.where, {},
                    unknown_name("access", std::string{word.text}, {"READ", "WRITE"}));
}

}  // namespace

std::vector<TimedRequest> read_requests(std::string_view text, std::string const& name,
                                        arch::DramSpec const& spec, Bytes bytes) {
  auto const bursts = static_cast<std::uint16_t>(bytes.value() / spec.organization.burst().value());
  std::vector<TimedRequest> requests;
  for (int number = 1; !text.empty(); ++number) {
    auto const end = std::min(text.find('\n'), text.size());
    auto const words = words_of(text.substr(0, end), name, number);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty() || words.front().text.front() == '#') continue;
    if (words.size() != 3) {
      throw ConfigError(words.back().where, {},
                        std::to_string(words.size()) +
                            " words (a request is 0xADDRESS "
                            "READ|WRITE CYCLE)");
    }
    auto const cycle = number_of<std::int64_t>(words[2], words[2].text, 10, "clock");
    if (!requests.empty() && cycle < requests.back().cycle) {
      throw words[2].error("goes back (requests are offered in order)");
    }
    requests.push_back(
        {{requests.size(), address_of(words[0], spec, bytes), access_of(words[1]), bursts}, cycle});
  }
  if (requests.empty()) throw ConfigError({name}, {}, "has no request in it");
  return requests;
}

}  // namespace tessera::sim
