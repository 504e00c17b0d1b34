// What a ConfigError says to the user, for tests that check the whole line.
#pragma once

#include <string>

#include "arch/base/config_error.hpp"

namespace tessera::test {

/// The message of the ConfigError that `action` throws; "no error" when it does not.
template <typename Action>
[[nodiscard]] std::string error_message(Action const& action) {
  try {
    static_cast<void>(action());
  } catch (ConfigError const& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace tessera::test
