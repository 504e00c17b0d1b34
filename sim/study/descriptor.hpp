// File descriptors that close themselves, and signals as something to read.
#pragma once

#include <csignal>
#include <string>

#include "arch/base/config_error.hpp"

namespace tessera::sim {

/// What errno says.
[[nodiscard]] std::string error_text();

/// The system has no more of what a pool needs: the limit is the user's to raise. Keeps errno.
[[nodiscard]] ConfigError exhausted(std::string const& what);

/// A file descriptor that is closed once.
class Descriptor final {
 public:
  explicit Descriptor(int number = -1) : number_{number} {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(Descriptor const&) = delete;
  Descriptor& operator=(Descriptor const&) = delete;

  [[nodiscard]] int number() const { return number_; }
  void reset();

 private:
  int number_;
};

/// Collects SIGINT, SIGTERM and SIGHUP in a descriptor while it lives.
class SignalTrap final {
 public:
  SignalTrap();
  ~SignalTrap() { release(); }
  SignalTrap(SignalTrap const&) = delete;
  SignalTrap& operator=(SignalTrap const&) = delete;

  /// Back to how signals were; a child calls it too.
  void release() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

  [[nodiscard]] int descriptor() const { return descriptor_.number(); }
  [[nodiscard]] int read_signal() const;

 private:
  sigset_t before_{};
  Descriptor descriptor_;
};

}  // namespace tessera::sim
