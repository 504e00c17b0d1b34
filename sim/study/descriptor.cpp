// close, signalfd.
#include "sim/study/descriptor.hpp"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "arch/base/contract.hpp"

namespace tessera::sim {

std::string error_text() { return std::strerror(errno); }

ConfigError exhausted(std::string const& what) {
  auto const error = errno;
  auto const remedy = error == EMFILE   ? "; raise ulimit -n, or use a smaller --jobs"
                      : error == EAGAIN ? "; raise ulimit -u, or use a smaller --jobs"
                                        : "; use a smaller --jobs";
  return ConfigError({}, {}, "cannot get " + what + ": " + std::strerror(error) + remedy);
}

Descriptor::Descriptor(Descriptor&& other) noexcept : number_{std::exchange(other.number_, -1)} {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

void Descriptor::reset() {
  if (number_ >= 0) close(number_);
  number_ = -1;
}

SignalTrap::SignalTrap() {
  sigset_t trapped;
  sigemptyset(&trapped);
  for (auto const signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&trapped, signal);
  descriptor_ = Descriptor{signalfd(-1, &trapped, SFD_CLOEXEC)};
  if (descriptor_.number() < 0) throw exhausted("a descriptor for signals");
  EXPECTS(sigprocmask(SIG_BLOCK, &trapped, &before_) == 0, error_text());
}

int SignalTrap::read_signal() const {
  signalfd_siginfo info{};
  auto const size = read(descriptor_.number(), &info, sizeof info);
  EXPECTS(size == static_cast<ssize_t>(sizeof info), size, error_text());
  return static_cast<int>(info.ssi_signo);
}

}  // namespace tessera::sim
