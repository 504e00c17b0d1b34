// Signals that ask a program to end, held back while it makes something that is of use unfinished, too.
#pragma once

#include <csignal>
#include <optional>

namespace tessera::sim {

/// SIGINT, SIGTERM and SIGHUP wait while it lives; afterwards one that came does what it does.
class SignalHold final {
 public:
  SignalHold();
  ~SignalHold();
  SignalHold(SignalHold const&) = delete;
  SignalHold& operator=(SignalHold const&) = delete;

  /// One that has come, if any has.
  [[nodiscard]] std::optional<int> pending() const;

 private:
  sigset_t before_{};
};

}  // namespace tessera::sim
