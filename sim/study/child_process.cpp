// The child's side of the pool.
#include "sim/study/child_process.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

namespace tessera::sim {

namespace {

constexpr std::size_t head_size = 1 + sizeof(std::uint64_t);

/// Where that cannot be, the parent is gone, and nobody is left to work for.
void tell(int descriptor, std::string const& text) {
  for (std::size_t written = 0; written < text.size();) {
    auto const size = write(descriptor, text.data() + written, text.size() - written);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) _exit(0);
    written += static_cast<std::size_t>(size);
  }
}

std::string framed(Reply const& reply) {
  std::string frame(head_size, static_cast<char>('0' + static_cast<int>(reply.code)));
  auto const size = static_cast<std::uint64_t>(reply.text.size());
  std::memcpy(frame.data() + 1, &size, sizeof size);
  return frame + reply.text;
}

Reply reply_of(Job const& job) {
  try {
    return {ExitCode::done, job.work()};
  } catch (...) {
    auto failure = current_failure();
    return {failure.code, std::move(failure.text)};
  }
}

/// A child's terminate handler.
[[noreturn]] void leave_out_of_memory() {
  if (is_out_of_memory()) _exit(out_of_memory_status);
  std::abort();
}

}  // namespace

void run_child(std::vector<Job> const& jobs, JobRange const& range, int pipe) {
  std::set_terminate(leave_out_of_memory);
  prctl(PR_SET_PDEATHSIG, SIGKILL);    // NOLINT(cppcoreguidelines-pro-type-vararg): declared so
  dup2(STDERR_FILENO, STDOUT_FILENO);  // a library that prints must not spoil the document
  try {
    for (auto job = range.next; job < range.end; ++job) {
      tell(pipe, framed(reply_of(jobs[job])));
    }
  } catch (std::bad_alloc const&) {  // while it told of another failure
    _exit(out_of_memory_status);
  }
  _exit(0);
}

std::optional<Reply> ReplyReader::next() {
  if (received_.size() < head_size) return std::nullopt;
  std::uint64_t size = 0;
  std::memcpy(&size, received_.data() + 1, sizeof size);
  if (received_.size() - head_size < size) return std::nullopt;
  Reply reply{static_cast<ExitCode>(received_.front() - '0'), received_.substr(head_size, size)};
  received_.erase(0, head_size + size);
  return reply;
}

std::string describe_death(int status) {
  if (WIFSIGNALED(status)) {
    std::string const name = strsignal(WTERMSIG(status));
    return "killed by signal " + std::to_string(WTERMSIG(status)) + " (" + name + ")" +
           (WTERMSIG(status) == SIGKILL ? "; is there enough memory?" : "");
  }
  return "ended with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace tessera::sim
