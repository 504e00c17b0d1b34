// The local engine: a pool of processes, and a file of records.
#include "sim/sweep/study_work.hpp"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <tuple>
#include <utility>

#include "sim/study/host.hpp"
#include "sim/sweep/kept_runs.hpp"
#include "sim/terminal/output.hpp"

namespace tessera::sim {

namespace {

/// Of this process, while it lives: a point's own. Beyond its time the process is killed by
/// SIGALRM.
class PointLimits final {
 public:
  explicit PointLimits(StudyWork const& work) {
    if (work.most_seconds) alarm(static_cast<unsigned>(*work.most_seconds));
    if (!work.most_memory) return;
    malloc_trim(0);  // what the heap has in reserve could be used beyond the limit
    auto const bytes = static_cast<rlim_t>(work.most_memory->value());
    rlimit const limit{bytes, bytes};
    static_cast<void>(setrlimit(RLIMIT_AS, &limit) == 0);
  }
  ~PointLimits() { alarm(0); }
  PointLimits(PointLimits const&) = delete;
  PointLimits& operator=(PointLimits const&) = delete;
};

/// How many points a process may simulate one after another. SystemC elaborates once per process,
/// and what a point may take of memory is what its process may.
std::size_t points_a_process(StudyWork const& work) {
  constexpr std::size_t many = 256;
  return work.host == Host::systemc || work.most_memory ? 1 : many;
}

/// What comes from a child process: the line of a record, with its state in front, so that the
/// parent need not read it.
struct Recorded {
  PointState state = PointState::done;
  std::string line;
};

std::string to_reply(StudyRecord const& record) {
  return static_cast<char>('0' + static_cast<int>(record.state)) + to_text(record);
}

Recorded recorded_from(std::string const& reply) {
  return {static_cast<PointState>(reply.front() - '0'), reply.substr(1)};
}

Recorded recorded_from(StudyRecord const& record) { return {record.state, to_text(record)}; }

/// What a child process does.
std::string simulated_reply(StudyProblems const& problems, StudyPoint const& point,
                            StudyWork const& work, KeptRuns& kept) {
  PointLimits const limits{work};
  Stopwatch const watch;
  auto const cpu_before_s = cpu_time_s();
  StudyRecord record;
  record.id = point.id;
  record.program = this_program();
  try {
    auto experiment = problems.experiment_of(point);
    experiment.host = work.host;
    experiment.run.explain = false;  // no column says why
    add_columns(work.host == Host::engine
                    ? kept.simulate(std::move(experiment), problems.alike(point))
                    : simulate(experiment),
                record);
  } catch (ConfigError const& error) {
    record.state = PointState::infeasible;
    record.reason = one_line(error.problem());
  }
  add_host_time(watch.seconds(), cpu_time_s() - cpu_before_s, record);
  return to_reply(record);
}

std::string title_of(StudyPoint const& point) {
  std::string text = "point " + point.id + " (";
  for (auto const& [key, value] : point.keys) {
    text.append(key).append("=").append(value).append(" ");
  }
  text.back() = ')';
  return text;
}

/// It has a result that counts.
bool is_settled(StudyPoint const& point, StudyResults const& results, StudyWork const& work) {
  auto const found = results.records.find(point.id);
  return found != results.records.end() && !(work.retry && may_be_retried(found->second.state));
}

/// Points of the slice that are not settled.
std::vector<StudyPoint> left_of(std::vector<StudyPoint> const& points, StudyResults const& results,
                                StudyWork const& work) {
  std::vector<StudyPoint> left;
  for (auto index = work.slice; index < points.size(); index += work.slices) {
    if (!is_settled(points[index], results, work)) left.push_back(points[index]);
  }
  return left;
}

/// So that what can share follows one another.
std::vector<StudyPoint> sorted_alike(StudyProblems const& problems,
                                     std::vector<StudyPoint> points) {
  std::vector<std::pair<std::string, StudyPoint>> by_alike;
  by_alike.reserve(points.size());
  for (auto& point : points) {
    auto key = problems.alike(point) + point.planner;
    by_alike.emplace_back(std::move(key), std::move(point));
  }
  std::stable_sort(by_alike.begin(), by_alike.end(),
                   [](auto const& a, auto const& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = std::move(by_alike[i].second);
  return points;
}

std::string counts_text(StudyTally const& tally) {
  return std::to_string(tally.done) + " done, " + std::to_string(tally.infeasible) +
         " infeasible, " + std::to_string(tally.failed) + " failed";
}

void count(PointState state, StudyTally& tally) {
  auto& counter = state == PointState::done         ? tally.done
                  : state == PointState::infeasible ? tally.infeasible
                                                    : tally.failed;
  ++counter;
}

/// On a terminal a bar; else a line a minute.
class StudyProgress final {
 public:
  StudyProgress(std::size_t points, Progress::Wanted wanted)
      : bar_{points, "points", wanted},
        points_{points},
        is_wanted_{wanted == Progress::Wanted::yes} {}

  void update(StudyTally const& tally) {
    auto const ended = tally.done + tally.infeasible + tally.failed;
    bar_.update(ended, counts_text(tally));
    auto const now = Clock::now();
    if (!is_wanted_ || isatty(STDERR_FILENO) != 0 || now - last_line_ < std::chrono::minutes{1}) {
      return;
    }
    last_line_ = now;
    write_stderr(std::to_string(ended) + " of " + std::to_string(points_) +
                 " points: " + counts_text(tally) + "\n");
  }

 private:
  using Clock = std::chrono::steady_clock;
  Progress bar_;
  std::size_t points_;
  bool is_wanted_;
  Clock::time_point last_line_ = Clock::now();
};

}  // namespace

StudyTally tally_of(std::vector<StudyPoint> const& points, StudyResults const& results) {
  StudyTally tally;
  tally.points = points.size();
  tally.torn_lines = results.torn_lines;
  for (auto const& point : points) {
    auto const found = results.records.find(point.id);
    if (found != results.records.end()) count(found->second.state, tally);
  }
  tally.stale = results.stale;
  return tally;
}

std::vector<std::size_t> slices_left(std::vector<StudyPoint> const& points,
                                     StudyResults const& results, StudyWork const& work) {
  std::vector<std::size_t> slices;
  for (std::size_t slice = 0; slice < work.slices; ++slice) {
    for (auto index = slice; index < points.size(); index += work.slices) {
      if (is_settled(points[index], results, work)) continue;
      slices.push_back(slice);
      break;
    }
  }
  return slices;
}

void work_on(std::string const& folder, StudyWork const& work) {
  work_on(folder, read_study_points(folder), work);
}

void work_on(std::string const& folder, std::vector<StudyPoint> const& points,
             StudyWork const& work) {
  remove_unfinished(folder);
  auto left = left_of(points, read_results(folder, work.programs), work);
  auto const inputs = read_study_inputs(folder, left);
  StudyProblems problems{inputs};
  for (auto const& point : left) problems.read(point);
  left = sorted_alike(problems, std::move(left));
  KeptRuns kept;  // of each child its own
  std::vector<Job> jobs;
  jobs.reserve(left.size());
  for (auto const& point : left) {
    jobs.push_back(
        {title_of(point),
         [&problems, &point, &work, &kept] { return simulated_reply(problems, point, work, kept); },
         {}});
  }
  if (left.empty()) return;
  ResultSegment segment{folder};
  StudyTally tally;
  StudyProgress progress{left.size(), work.progress};
  auto const record_all = [&](std::vector<EndedJob> const& ended_jobs) {
    for (auto const& [job, ended] : ended_jobs) {
      auto const recorded = ended.text ? recorded_from(*ended.text)
                                       : recorded_from(failed_record(left[job].id, ended));
      segment.append(recorded.line);
      count(recorded.state, tally);
    }
    segment.sync();
    progress.update(tally);
  };
  run_each_job(jobs, {work.workers, points_a_process(work)}, record_all);
}

std::size_t reuse_results(std::string const& folder, std::vector<std::string> const& others,
                          Programs programs) {
  auto const points = read_study_points(folder);
  auto results = read_results(folder, programs);
  ResultSegment segment{folder};
  std::size_t taken = 0;
  for (auto const& other : others) {
    auto const theirs = read_results(other, programs);
    for (auto const& point : points) {
      auto const found = theirs.records.find(point.id);
      if (found == theirs.records.end() || may_be_retried(found->second.state)) continue;
      if (!results.records.emplace(point.id, found->second).second) continue;
      segment.append(to_text(found->second));
      ++taken;
    }
  }
  segment.sync();
  return taken;
}

}  // namespace tessera::sim
