// Blocks signals, and looks which are pending: there is no handler and no state outside.
#include "sim/study/signal_hold.hpp"

#include <array>

namespace tessera::sim {

namespace {

constexpr std::array<int, 3> held_signals = {SIGINT, SIGTERM, SIGHUP};

}  // namespace

SignalHold::SignalHold() {
  sigset_t held;
  sigemptyset(&held);
  for (auto const signal : held_signals) sigaddset(&held, signal);
  pthread_sigmask(SIG_BLOCK, &held, &before_);
}

SignalHold::~SignalHold() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

std::optional<int> SignalHold::pending() const {
  sigset_t come;
  sigpending(&come);
  for (auto const signal : held_signals) {
    if (sigismember(&come, signal) == 1) return signal;
  }
  return std::nullopt;
}

}  // namespace tessera::sim
