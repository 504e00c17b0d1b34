// fork, pipe, poll. A child writes one letter (its exit code) and then its text; the pipe ends when it exits. Signals are read from
// a signalfd, so there is no handler and no state outside the pool.
#include "sim/study/process_pool.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "arch/base/config_error.hpp"
#include "arch/base/contract.hpp"
#include "sim/terminal/failure.hpp"
#include "traces/pending_file.hpp"

namespace tessera::sim {

namespace {

std::string error_text() { return std::strerror(errno); }

/// The system has no more of what a pool needs: the limit is the user's to raise. Keeps errno.
ConfigError exhausted(std::string const& what) {
  auto const error = errno;
  auto const remedy = error == EMFILE   ? "; raise ulimit -n, or use a smaller --jobs"
                      : error == EAGAIN ? "; raise ulimit -u, or use a smaller --jobs"
                                        : "; use a smaller --jobs";
  return ConfigError({}, {}, "cannot get " + what + ": " + std::strerror(error) + remedy);
}

/// A file descriptor that is closed once.
class Descriptor final {
 public:
  explicit Descriptor(int number = -1) : number_{number} {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : number_{std::exchange(other.number_, -1)} {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(Descriptor const&) = delete;
  Descriptor& operator=(Descriptor const&) = delete;

  [[nodiscard]] int number() const { return number_; }
  void reset() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

/// Collects SIGINT, SIGTERM and SIGHUP in a descriptor while it lives.
class SignalTrap final {
 public:
  SignalTrap() {
    sigset_t trapped;
    sigemptyset(&trapped);
    for (auto const signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&trapped, signal);
    descriptor_ = Descriptor{signalfd(-1, &trapped, SFD_CLOEXEC)};
    if (descriptor_.number() < 0) throw exhausted("a descriptor for signals");
    EXPECTS(sigprocmask(SIG_BLOCK, &trapped, &before_) == 0, error_text());
  }
  ~SignalTrap() { release(); }
  SignalTrap(SignalTrap const&) = delete;
  SignalTrap& operator=(SignalTrap const&) = delete;

  /// Back to how signals were; a child calls it too.
  void release() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

  [[nodiscard]] int descriptor() const { return descriptor_.number(); }
  [[nodiscard]] int read_signal() const {
    signalfd_siginfo info{};
    auto const size = read(descriptor_.number(), &info, sizeof info);
    EXPECTS(size == static_cast<ssize_t>(sizeof info), size, error_text());
    return static_cast<int>(info.ssi_signo);
  }

 private:
  sigset_t before_{};
  Descriptor descriptor_;
};

struct Child {
  std::size_t job = 0;
  pid_t process = 0;
  Descriptor pipe;
  std::string received;
};

void write_all(int descriptor, std::string const& text) {
  for (std::size_t written = 0; written < text.size();) {
    auto const size = write(descriptor, text.data() + written, text.size() - written);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return;  // the parent is gone, and nobody is left to tell
    written += static_cast<std::size_t>(size);
  }
}

std::string letter(ExitCode code) { return {static_cast<char>('0' + static_cast<int>(code))}; }

/// A child that has no memory left to say so.
constexpr int out_of_memory_status = 102;

/// A child's terminate handler.
[[noreturn]] void leave_out_of_memory() {
  if (is_out_of_memory()) _exit(out_of_memory_status);
  std::abort();
}

/// What the child process does. It leaves by _exit: what the parent has buffered is not its to
/// flush.
[[noreturn]] void run_child(Job const& job, int pipe) {
  std::set_terminate(leave_out_of_memory);
  prctl(PR_SET_PDEATHSIG, SIGKILL);    // NOLINT(cppcoreguidelines-pro-type-vararg): declared so
  dup2(STDERR_FILENO, STDOUT_FILENO);  // a library that prints must not spoil the document
  try {
    std::string message;
    try {
      message = job.work();
      message.insert(0, letter(ExitCode::done));
    } catch (...) {
      auto const failure = current_failure();
      message = letter(failure.code) + failure.text;
    }
    write_all(pipe, message);
  } catch (std::bad_alloc const&) {  // while it told of another failure
    _exit(out_of_memory_status);
  }
  _exit(0);
}

std::string describe_death(int status) {
  if (WIFSIGNALED(status)) {
    std::string const name = strsignal(WTERMSIG(status));
    return "killed by signal " + std::to_string(WTERMSIG(status)) + " (" + name + ")" +
           (WTERMSIG(status) == SIGKILL ? "; is there enough memory?" : "");
  }
  return "ended with status " + std::to_string(WEXITSTATUS(status));
}

/// What a job that failed means for the others.
enum class OnFailure : std::uint8_t { go_on, stop };

class Pool final {
 public:
  Pool(std::vector<Job> const& jobs, std::size_t workers, OnFailure on_failure)
      : jobs_{&jobs}, workers_{workers}, on_failure_{on_failure} {}
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
      while (children_.size() < workers_ && next_ < jobs_->size() && !stopped_by_) start(next_++);
      if (children_.empty()) break;
      wait();
      for (auto const& [job, ended] : std::exchange(ended_, {})) on_ended(job, ended);
    }
  }

 private:
  void start(std::size_t job);
  void wait();
  void receive(Child& child);
  void finish(Child& child);
  void fail(std::size_t job, Failure failure, std::optional<int> signal = {});
  /// Kills the children of the jobs behind `job`; none: all.
  void stop_behind(std::optional<std::size_t> job);
  [[nodiscard]] int reap(Child const& child) const;

  std::vector<Job> const* jobs_;
  std::size_t workers_;
  OnFailure on_failure_;
  std::vector<std::pair<std::size_t, Ended>> ended_;  ///< that nobody has heard of yet
  std::vector<Child> children_;
  std::size_t next_ = 0;
  std::optional<std::size_t> stopped_by_;  ///< the first job, in their order, that failed
  SignalTrap signals_;
};

void Pool::start(std::size_t job) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw exhausted("a pipe to another process");
  Descriptor reading{ends[0]};
  Descriptor writing{ends[1]};
  auto const process = fork();
  if (process < 0) throw exhausted("another process");
  if (process == 0) {
    signals_.release();
    reading.reset();
    run_child((*jobs_)[job], writing.number());
  }
  children_.push_back({job, process, std::move(reading), {}});
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
    child.received.append(buffer.data(), static_cast<std::size_t>(size));
  } else {
    finish(child);
  }
}

void Pool::finish(Child& child) {
  child.pipe.reset();
  auto const status = reap(child);
  auto const& job = (*jobs_)[child.job];
  if (WIFEXITED(status) && WEXITSTATUS(status) == out_of_memory_status) {
    return fail(child.job, out_of_memory());
  }
  if (status != 0 || child.received.empty()) {
    return fail(child.job,
                {ExitCode::our_fault, "tessera: internal error: the process " +
                                          describe_death(status) + " while " + job.what},
                WIFSIGNALED(status) ? std::optional{WTERMSIG(status)} : std::nullopt);
  }
  auto const code = static_cast<ExitCode>(child.received.front() - '0');
  auto text = child.received.substr(1);
  if (code != ExitCode::done) return fail(child.job, {code, std::move(text)});
  ended_.push_back({child.job, {std::move(text)}});
}

void Pool::fail(std::size_t job, Failure failure, std::optional<int> signal) {
  ended_.push_back({job, {std::nullopt, std::move(failure), signal}});
  if (on_failure_ == OnFailure::stop && (!stopped_by_ || job < *stopped_by_)) stopped_by_ = job;
}

int Pool::reap(Child const& child) const {
  int status = 0;
  while (waitpid(child.process, &status, 0) < 0) EXPECTS(errno == EINTR, error_text());
  auto const& output = (*jobs_)[child.job].output;
  if (output) traces::remove_abandoned(*output);
  return status;
}

void Pool::stop_behind(std::optional<std::size_t> job) {
  auto const stop = [&](Child const& child) {
    if (job && child.job <= *job) return false;
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
  EXPECTS(workers >= 1, workers);
  std::vector<Ended> all(jobs.size());
  std::size_t done = 0;
  Pool{jobs, workers, on_failure}.run([&](std::size_t job, Ended const& ended) {
    all[job] = ended;
    ++done;
    if (on_progress) on_progress(done);
  });
  return all;
}

}  // namespace

void run_each_job(std::vector<Job> const& jobs, std::size_t workers, OnEnded const& on_ended) {
  EXPECTS(workers >= 1, workers);
  Pool{jobs, workers, OnFailure::go_on}.run(on_ended);
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
