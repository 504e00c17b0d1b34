// Who simulates the points of a study: this process, a job array of Slurm, or GNU parallel.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/command/parser.hpp"
#include "sim/sweep/study_work.hpp"

namespace tessera::sim {

struct EngineOptions {
  std::string engine = "local";
  std::optional<std::size_t> tasks;       ///< none: of some minutes each
  std::optional<std::size_t> task_cores;  ///< none: 1
  std::optional<std::size_t> throttle;
  std::optional<std::int64_t> task_minutes;  ///< none: SlurmLimits', as of requeues
  std::string task_memory;
  std::optional<std::size_t> requeues;
  std::vector<std::string> sbatch;
  std::vector<std::string> logins;
  std::string ssh;

  [[nodiscard]] bool is_local() const { return engine == "local"; }
};

void add_engine_options(Parser& parser, EngineOptions& options);

/// Throws ConfigError for an option of another engine than the one that is chosen.
void check_engine_options(EngineOptions const& options);

/// What a script works on, and how.
struct EngineTask {
  std::string folder;
  std::string command = "work";  ///< or retry
  std::string worker_options;    ///< " --point-seconds 60"
  std::string status_options;    ///< " --json"
  StudyWork work;                ///< workers: of this machine
};

/// The job script of another engine than the local one. Where it is not said how many tasks there
/// are, a few points are simulated to tell how long the others take. None where no point is left.
/// Throws ConfigError.
[[nodiscard]] std::optional<std::string> engine_script(EngineOptions const& options,
                                                       EngineTask const& task);

/// Writes the script into the folder, says `text` and becomes sbatch, or the script's shell. Throws
/// ConfigError where that cannot be started.
[[noreturn]] void start_engine(EngineOptions const& options, std::string const& folder,
                               std::string const& script, std::string const& text);

}  // namespace tessera::sim
