// What a worker process does, and what it says to its parent through a pipe: for each of its jobs one reply, a letter (the exit
// code), the length of a text in eight bytes, and the text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/study/process_pool.hpp"

namespace tessera::sim {

/// Jobs one after another: from `next` to before `end`.
struct JobRange {
  std::size_t next = 0;
  std::size_t end = 0;

  [[nodiscard]] std::size_t size() const { return end - next; }
};

/// Works the jobs off and leaves by _exit: what the parent has buffered is not the child's to
/// flush.
[[noreturn]] void run_child(std::vector<Job> const& jobs, JobRange const& range, int pipe);

/// The status of a child that has no memory left to say so.
inline constexpr int out_of_memory_status = 102;

struct Reply {
  ExitCode code = ExitCode::done;
  std::string text;  ///< what the job returned, or why it failed
};

/// Bytes of a pipe, taken apart again.
class ReplyReader final {
 public:
  void receive(char const* bytes, std::size_t size) { received_.append(bytes, size); }
  /// The first that is whole and was not returned before.
  [[nodiscard]] std::optional<Reply> next();

 private:
  std::string received_;
};

/// "killed by signal 9 (Killed)", of what waitpid(2) says.
[[nodiscard]] std::string describe_death(int status);

}  // namespace tessera::sim
