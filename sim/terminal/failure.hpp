// How the program ends: exit codes, and every exception as one of them with its text.
#pragma once

#include <stdexcept>
#include <string>

namespace tessera::sim {

/// The exit codes of the command line.
enum class ExitCode : int {
  done = 0,
  users_fault = 2,   ///< a bad option or file
  check_failed = 3,  ///< a validation row is out of its tolerance, or one point of many failed
  no_progress = 4,   ///< the simulation cannot proceed
  our_fault = 5,     ///< a broken invariant
};

/// Why a command ended early.
struct Failure {
  ExitCode code = ExitCode::our_fault;
  std::string text;  ///< for stderr: one line, or the lines of a report
};

/// Carries a Failure to main, for what is neither a ConfigError nor a ContractError.
class FailureError final : public std::runtime_error {
 public:
  explicit FailureError(Failure failure)
      : std::runtime_error{failure.text}, failure_{std::move(failure)} {}

  [[nodiscard]] Failure const& failure() const { return failure_; }

 private:
  Failure failure_;
};

/// The exception that is being handled, as a failure. Call it in a catch block.
[[nodiscard]] Failure current_failure();

inline constexpr char const* out_of_memory_text =
    "tessera: out of memory (of the machine, or of ulimit -v); use a smaller problem or fewer "
    "--jobs";

/// The user's limit, not our fault.
[[nodiscard]] Failure out_of_memory();

/// In a terminate handler: is the exception that could not go on one of memory that ran out? It may
/// have come out of a destructor, or out of telling of another one.
[[nodiscard]] bool is_out_of_memory() noexcept;

/// `text` without line breaks and without blanks at its ends.
[[nodiscard]] std::string one_line(std::string text);

}  // namespace tessera::sim
