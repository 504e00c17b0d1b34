// fork, pipe, poll. A pipe ends when its child exits. Signals are read from a signalfd, so there is no handler and no state outside
// the pool.
#include "sim/study/process_pool.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <optional>
#include <utility>

#include "arch/base/contract.hpp"
#include "sim/study/child_process.hpp"
#include "sim/study/descriptor.hpp"
#include "sim/terminal/failure.hpp"
#include "traces/pending_file.hpp"

namespace tessera::sim {

namespace {

struct Child {
  JobRange jobs;  ///< that it has not replied to
  pid_t process = 0;
  Descriptor pipe;
  ReplyReader replies;
};

/// What a job that failed means for the others.
enum class OnFailure : std::uint8_t { go_on, stop };

class Pool final {
 public:
  Pool(std::vector<Job> const& jobs, PoolOptions const& options, OnFailure on_failure)
      : jobs_{&jobs}, options_{options}, on_failure_{on_failure}, waiting_{{0, jobs.size()}} {
    EXPECTS(options.workers >= 1 && options.most_jobs_a_process >= 1, options.workers);
  }
  ~Pool() {
    try {
      stop_behind(std::nullopt);
    } catch (...) {  // a process that cannot be waited for is gone
    }
  }
  Pool(Pool const&) = delete;
  Pool& operator=(Pool const&) = delete;

  void run(OnEnded const& on_ended) {
    while (true) {
      while (children_.size() < options_.workers && !stopped_by_) {
        auto const jobs = take_jobs();
        if (jobs.size() == 0) break;
        start(jobs);
      }
      if (children_.empty()) break;
      wait();
      if (!ended_.empty()) on_ended(std::exchange(ended_, {}));
    }
  }

 private:
  [[nodiscard]] JobRange take_jobs();
  void start(JobRange const& jobs);
  void wait();
  void receive(Child& child);
  void take_replies(Child& child);
  void finish(Child& child);
  void fail(std::size_t job, Failure failure, std::optional<int> signal = {});
  /// Kills the children of the jobs behind `job`; none: all.
  void stop_behind(std::optional<std::size_t> job);
  [[nodiscard]] int reap(Child const& child) const;

  std::vector<Job> const* jobs_;
  PoolOptions options_;
  OnFailure on_failure_;
  std::vector<EndedJob> ended_;  ///< that nobody has heard of yet
  std::vector<Child> children_;
  std::vector<JobRange> waiting_;          ///< the last is taken first
  std::optional<std::size_t> stopped_by_;  ///< the first job, in their order, that failed
  SignalTrap signals_;
};

/// The next ones for a child: fewer towards the end, so that no worker waits long for another.
JobRange Pool::take_jobs() {
  while (!waiting_.empty() && waiting_.back().size() == 0) waiting_.pop_back();
  if (waiting_.empty()) return {};
  auto& range = waiting_.back();
  auto const share = range.size() / (4 * options_.workers);
  auto const count = std::min(std::max(share, std::size_t{1}), options_.most_jobs_a_process);
  JobRange const taken{range.next, range.next + count};
  range.next = taken.end;
  return taken;
}

void Pool::start(JobRange const& jobs) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw exhausted("a pipe to another process");
  Descriptor reading{ends[0]};
  Descriptor writing{ends[1]};
  auto const process = fork();
  if (process < 0) throw exhausted("another process");
  if (process == 0) {
    signals_.release();
    reading.reset();
    run_child(*jobs_, jobs, writing.number());
  }
  children_.push_back({jobs, process, std::move(reading), {}});
}

void Pool::wait() {
  std::vector<pollfd> polled = {{signals_.descriptor(), POLLIN, 0}};
  for (auto const& child : children_) polled.push_back({child.pipe.number(), POLLIN, 0});
  if (poll(polled.data(), polled.size(), -1) < 0) {
    EXPECTS(errno == EINTR, error_text());
    return;
  }
  if (polled[0].revents != 0) throw Interrupted{signals_.read_signal()};
  for (std::size_t index = 0; index < children_.size(); ++index) {
    if (polled[index + 1].revents != 0) receive(children_[index]);
  }
  auto const ended = [](Child const& child) { return child.pipe.number() < 0; };
  children_.erase(std::remove_if(children_.begin(), children_.end(), ended), children_.end());
  if (stopped_by_) stop_behind(stopped_by_);
}

void Pool::receive(Child& child) {
  std::array<char, 65536> buffer{};
  auto const size = read(child.pipe.number(), buffer.data(), buffer.size());
  if (size < 0 && errno == EINTR) return;
  EXPECTS(size >= 0, error_text());
  if (size > 0) {
    child.replies.receive(buffer.data(), static_cast<std::size_t>(size));
    take_replies(child);
  } else {
    finish(child);
  }
}

void Pool::take_replies(Child& child) {
  while (auto reply = child.replies.next()) {
    EXPECTS(child.jobs.size() > 0);
    auto const job = child.jobs.next++;
    if (reply->code == ExitCode::done) {
      ended_.push_back({job, {std::move(reply->text)}});
    } else {
      fail(job, {reply->code, std::move(reply->text)});
    }
  }
}

/// Of a child that has died the job that it was at has failed; those behind it are for another one.
void Pool::finish(Child& child) {
  child.pipe.reset();
  auto const status = reap(child);
  if (child.jobs.size() == 0) return;
  auto const job = child.jobs.next++;
  waiting_.push_back(child.jobs);
  if (WIFEXITED(status) && WEXITSTATUS(status) == out_of_memory_status) {
    return fail(job, out_of_memory());
  }
  fail(job,
       {ExitCode::our_fault, "tessera: internal error: the process " + describe_death(status) +
                                 " while " + (*jobs_)[job].what},
       WIFSIGNALED(status) ? std::optional{WTERMSIG(status)} : std::nullopt);
}

void Pool::fail(std::size_t job, Failure failure, std::optional<int> signal) {
  ended_.push_back({job, {std::nullopt, std::move(failure), signal}});
  if (on_failure_ == OnFailure::stop && (!stopped_by_ || job < *stopped_by_)) stopped_by_ = job;
}

int Pool::reap(Child const& child) const {
  int status = 0;
  while (waitpid(child.process, &status, 0) < 0) EXPECTS(errno == EINTR, error_text());
  if (child.jobs.size() == 0) return status;
  auto const& output = (*jobs_)[child.jobs.next].output;
  if (output) traces::remove_abandoned(*output);
  return status;
}

void Pool::stop_behind(std::optional<std::size_t> job) {
  auto const stop = [&](Child const& child) {
    if (job && child.jobs.next <= *job) return false;
    kill(child.process, SIGKILL);
    static_cast<void>(reap(child));
    return true;
  };
  children_.erase(std::remove_if(children_.begin(), children_.end(), stop), children_.end());
}

}  // namespace

namespace {

/// What became of each job, in their order; of jobs that were stopped nothing.
std::vector<Ended> ended_jobs(std::vector<Job> const& jobs, std::size_t workers,
                              OnFailure on_failure,
                              std::function<void(std::size_t)> const& on_progress) {
  std::vector<Ended> all(jobs.size());
  std::size_t done = 0;
  Pool{jobs, {workers}, on_failure}.run([&](std::vector<EndedJob> const& ended_jobs) {
    for (auto const& [job, ended] : ended_jobs) all[job] = ended;
    done += ended_jobs.size();
    if (on_progress) on_progress(done);
  });
  return all;
}

}  // namespace

void run_each_job(std::vector<Job> const& jobs, PoolOptions const& options,
                  OnEnded const& on_ended) {
  Pool{jobs, options, OnFailure::go_on}.run(on_ended);
}

std::vector<Ended> run_every_job(std::vector<Job> const& jobs, std::size_t workers,
                                 std::function<void(std::size_t)> const& on_progress) {
  return ended_jobs(jobs, workers, OnFailure::go_on, on_progress);
}

Failure in_context(Failure failure, Job const& job) {
  bool const is_told = failure.text.find(job.what) != std::string::npos;
  if (!is_told) failure.text += " (while " + job.what + ")";
  return failure;
}

std::vector<std::string> run_jobs(std::vector<Job> const& jobs, std::size_t workers,
                                  std::function<void(std::size_t)> const& on_progress) {
  auto ended = ended_jobs(jobs, workers, OnFailure::stop, on_progress);
  std::vector<std::string> texts;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    if (!ended[job].text) {
      auto const& failure = ended[job].failure;
      throw FailureError{jobs.size() > 1 ? in_context(failure, jobs[job]) : failure};
    }
    texts.push_back(std::move(*ended[job].text));
  }
  return texts;
}

}  // namespace tessera::sim
