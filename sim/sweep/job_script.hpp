// What other programs run to work on a study: a job array of Slurm, or a list of parts for GNU parallel. A task works on every
// N-th point that has no result (`tessera sweep work DIR --slice K/N`), so it may die at any moment, run again or run twice; what
// is done is told by the folder alone, which all hosts have to see under one path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arch/base/quantity.hpp"

namespace tessera::sim {

/// What a task does.
struct PartsOfStudy {
  std::string name;                      ///< of the sweep
  std::string folder;                    ///< absolute
  std::string program;                   ///< absolute, and the same while the tasks run
  std::string command = "work";          ///< or retry
  std::string options;                   ///< of the command, behind its own: " --point-seconds 60"
  std::size_t parts = 1;                 ///< that the points are dealt into
  std::vector<std::size_t> wanted = {};  ///< those with points left, rising; at least one
  std::size_t cores = 1;                 ///< of a task
};

struct SlurmLimits {
  std::optional<std::size_t> throttle = {};  ///< tasks at a time
  std::int64_t minutes = 60;                 ///< a task may run; it is warned one before
  std::optional<Bytes> memory_per_core = {};
  std::size_t requeues = 20;              ///< of a task that was warned or whose worker died
  std::vector<std::string> options = {};  ///< of sbatch, a line each: "--partition=long"
};

/// A script for sbatch. Throws ConfigError for an option that is no single line.
[[nodiscard]] std::string slurm_script(PartsOfStudy const& parts, SlurmLimits const& limits);

struct ParallelHosts {
  std::size_t jobs = 1;                  ///< at a time on each host
  std::vector<std::string> logins = {};  ///< "4/host"; none: this machine
  std::string ssh = {};                  ///< in place of ssh: "ssh -F FILE"
  std::string status_options = {};       ///< of `sweep status`, with which it ends: " --json"
};

/// A script for sh. A part that fails is tried three times, on another host if there is one.
[[nodiscard]] std::string parallel_script(PartsOfStudy const& parts, ParallelHosts const& hosts);

/// Of rising numbers, as job arrays are written: "0-3,7".
[[nodiscard]] std::string ranges_text(std::vector<std::size_t> const& numbers);

}  // namespace tessera::sim
