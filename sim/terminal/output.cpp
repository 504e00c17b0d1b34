// POSIX writes, because a stream forgets why it failed.
#include "sim/terminal/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <system_error>

#include "arch/base/config_error.hpp"

namespace tessera::sim {

void write_stdout(std::string const& text) {
  for (std::size_t written = 0; written < text.size();) {
    auto const size = write(STDOUT_FILENO, text.data() + written, text.size() - written);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) {
      auto const why = std::generic_category().message(errno);
      throw ConfigError({}, {}, "cannot write standard output: " + why);
    }
    written += static_cast<std::size_t>(size);
  }
}

void write_stderr(std::string const& text) { std::cerr << text << std::flush; }

void reserve_standard_descriptors() {
  // NOLINTBEGIN(cppcoreguidelines-pro-type-vararg): fcntl(2) and open(2) are declared so
  for (auto const descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    // open() returns the lowest free descriptor, which is this one. Standard output read-only:
    // writing to it fails, as it should.
    static_cast<void>(open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY));
  }
  // NOLINTEND(cppcoreguidelines-pro-type-vararg)
}

}  // namespace tessera::sim
