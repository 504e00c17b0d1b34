// Running something in a process of its own: the SystemC kernel elaborates once per process.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace tessera::test {

namespace detail {

inline void write_all(int file, std::string const& text) {
  for (std::size_t written = 0; written < text.size();) {
    auto const count = ::write(file, text.data() + written, text.size() - written);
    if (count <= 0) ::_exit(1);
    written += static_cast<std::size_t>(count);
  }
}

inline std::string read_all(int file) {
  std::string text;
  char buffer[4096];
  for (ssize_t count = 0; (count = ::read(file, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(count));
  }
  return text;
}

}  // namespace detail

/// The text that `body()` returns, computed in a child process. What the child throws is thrown
/// here as std::runtime_error; so is its death.
template <typename Body>
[[nodiscard]] std::string forked(Body body) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  pid_t const child = ::fork();
  if (child < 0) throw std::runtime_error("no child process");
  if (child == 0) {
    ::close(ends[0]);
    try {
      detail::write_all(ends[1], '=' + body());
    } catch (std::exception const& error) {
      detail::write_all(ends[1], std::string{'!'} + error.what());
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string const answer = detail::read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (status != 0 || answer.empty()) throw std::runtime_error("the child process died");
  if (answer.front() == '!') throw std::runtime_error(answer.substr(1));
  return answer.substr(1);
}

}  // namespace tessera::test
