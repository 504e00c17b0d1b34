// A pool of worker processes. SystemC elaborates once per process, so such a simulation runs in a child of its own, and its result
// comes back as text through a pipe; the parent never elaborates. Jobs that do not mind may share a child, one after another.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/terminal/failure.hpp"

namespace tessera::sim {

/// Work for a child process.
struct Job {
  std::string what;                   ///< for error messages: "simulating hypar/vgg-a with dp"
  std::function<std::string()> work;  ///< runs in the child; its text comes back
  std::optional<std::string> output;  ///< the file it writes by traces::PendingFile
};

/// SIGINT, SIGTERM or SIGHUP came; the children are gone and so are their unfinished files.
struct Interrupted {
  int signal = 0;
};

/// What became of a job.
struct Ended {
  std::optional<std::string> text;  ///< what it returned
  Failure failure = {};             ///< else why not
  std::optional<int> signal = {};   ///< that killed its process
};

struct EndedJob {
  std::size_t job = 0;
  Ended ended;
};

/// Hears of every job once, soon after it has ended; of those that ended together, together.
using OnEnded = std::function<void(std::vector<EndedJob> const& jobs)>;

struct PoolOptions {
  std::size_t workers = 1;              ///< processes at a time
  std::size_t most_jobs_a_process = 1;  ///< one after another, in their order
};

/// Runs the jobs in child processes and tells what became of each as it ends: one that fails is no
/// end of the others, also where its process dies, which others would have shared. Keeps nothing of
/// what it told. Throws Interrupted after a signal; what `on_ended` throws stops all.
void run_each_job(std::vector<Job> const& jobs, PoolOptions const& options,
                  OnEnded const& on_ended);

/// Runs the jobs in child processes, at most `workers` >= 1 at a time, and returns what became of
/// each, in their order: one that fails is no end of the others. `on_progress` hears how many have
/// ended after each. Throws Interrupted after a signal.
[[nodiscard]] std::vector<Ended> run_every_job(
    std::vector<Job> const& jobs, std::size_t workers,
    std::function<void(std::size_t)> const& on_progress = {});

/// The failure of one of several jobs: with what it did, unless its text says so.
[[nodiscard]] Failure in_context(Failure failure, Job const& job);

/// The same, where all are needed, and returns their texts.
///
/// When a job fails (it throws, or its process dies), jobs behind it are stopped and, once those
/// before it are done, the first failure in the order of the jobs is thrown as FailureError; which
/// one that is does not depend on the number of workers. Throws Interrupted after a signal.
[[nodiscard]] std::vector<std::string> run_jobs(
    std::vector<Job> const& jobs, std::size_t workers,
    std::function<void(std::size_t)> const& on_progress = {});

}  // namespace tessera::sim
