// Network files as text, for tests: what every file has is in front, so that operators begin in line 7.
#pragma once

#include <string>
#include <vector>

#include "arch/base/config.hpp"
#include "workloads/load.hpp"

namespace tessera::test {

struct NetworkText {
  std::string input = "{name: x, channels: 3, rows: 8, columns: 8}";
  std::string batch = "4";
  std::string element = "fp32";
  std::string more = "";  ///< further keys, at the end

  /// One operator per line, the first at net.yaml:7:5.
  [[nodiscard]] std::string with(std::vector<std::string> const& operators) const {
    std::string text = "schema: tessera.network/1\nname: test\nbatch: " + batch +
                       "\nelement: " + element + "\ninput: " + input + "\noperators:\n";
    for (auto const& op : operators) text += "  - " + op + "\n";
    return text + more;
  }
};

[[nodiscard]] inline workloads::Network network_of(std::string const& text) {
  return workloads::network_from(read_config_text(text, "net.yaml"));
}

/// The message of the error that `text` makes, or "" when there is none.
[[nodiscard]] inline std::string error_of(std::string const& text) {
  try {
    static_cast<void>(network_of(text));
  } catch (ConfigError const& error) {
    return error.what();
  }
  return {};
}

}  // namespace tessera::test
