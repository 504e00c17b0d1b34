// Jobs in child processes: order, failures, deaths and signals.
#include "sim/study/process_pool.hpp"

#include <unistd.h>

#include <csignal>
#include <new>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/base/config_error.hpp"
#include "arch/base/contract.hpp"
#include "sim/terminal/failure.hpp"
#include "test/support/files.hpp"
#include "test/support/temporary_directory.hpp"
#include "traces/pending_file.hpp"

namespace tessera::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A pipe that orders processes without clocks: wait() returns once someone has called open().
class Gate {
 public:
  Gate() {
    if (pipe(ends_) != 0) throw std::runtime_error("no pipe");
  }
  void open() const {
    char const token = '.';
    if (write(ends_[1], &token, 1) != 1) throw std::runtime_error("no write");
  }
  void wait() const {
    char token = 0;
    if (read(ends_[0], &token, 1) != 1) throw std::runtime_error("no read");
  }

 private:
  int ends_[2] = {};
};

Job saying(std::string const& text) {
  return {"saying " + text, [text] { return text; }, {}};
}

Job failing(std::string const& problem) {
  return {"failing", [problem]() -> std::string { throw ConfigError({}, {}, problem); }, {}};
}

Failure failure_of(std::vector<Job> const& jobs, std::size_t workers) {
  try {
    static_cast<void>(run_jobs(jobs, workers));
  } catch (FailureError const& error) {
    return error.failure();
  }
  return {ExitCode::done, "no failure"};
}

TEST(ProcessPool, ResultsComeInTheOrderOfTheJobsWhicheverEndsFirst) {
  Gate const gate;
  Job const slow{"waiting", [&] { return gate.wait(), std::string{"first"}; }, {}};
  Job const fast{"opening", [&] { return gate.open(), std::string{"second"}; }, {}};
  EXPECT_THAT(run_jobs({slow, fast}, 2), ElementsAre("first", "second"));
}

TEST(ProcessPool, NoJobsGiveNoResults) { EXPECT_TRUE(run_jobs({}, 2).empty()); }

TEST(ProcessPool, MoreJobsThanWorkersAllRun) {
  EXPECT_THAT(run_jobs({saying("a"), saying("b"), saying("c"), saying("d")}, 2),
              ElementsAre("a", "b", "c", "d"));
}

TEST(ProcessPool, AResultMayBeLargerThanAPipe) {
  std::string const large(3'000'000, 'x');  // Linux pipes hold 64 KiB
  EXPECT_THAT(run_jobs({saying(large), saying("")}, 2), ElementsAre(large, ""));
}

TEST(ProcessPool, JobsRunInOtherProcesses) {
  auto const mine = std::to_string(getpid());
  auto const texts = run_jobs({{"asking", [] { return std::to_string(getpid()); }, {}}}, 1);
  EXPECT_NE(texts.front(), mine);
}

TEST(ProcessPool, WhatAJobPrintsDoesNotReachStandardOutput) {
  testing::internal::CaptureStdout();
  static_cast<void>(run_jobs(
      {{"printing", [] { return std::to_string(write(STDOUT_FILENO, "noise", 5)); }, {}}}, 1));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(ProcessPool, TheFirstFailureInOrderIsReportedWhicheverHappensFirst) {
  Gate const gate;
  Job const late{"failing late",
                 [&]() -> std::string {
                   gate.wait();
                   throw ConfigError({}, {}, "first in order");
                 },
                 {}};
  Job const early{"failing early",
                  [&]() -> std::string {
                    gate.open();
                    throw ConfigError({}, {}, "first in time");
                  },
                  {}};
  auto const failure = failure_of({late, early}, 2);
  EXPECT_EQ(failure.code, ExitCode::users_fault);
  EXPECT_EQ(failure.text, "first in order (while failing late)");
}

TEST(ProcessPool, JobsBehindAFailureAreStopped) {
  Gate const never;
  Job const endless{"waiting for nothing", [&] { return never.wait(), std::string{}; }, {}};
  EXPECT_THAT(failure_of({failing("no"), endless, saying("unreached")}, 2).text, HasSubstr("no"));
}

TEST(ProcessPool, EveryKindOfErrorHasItsExitCode) {
  auto const code_of = [](auto const& thrown) {
    return failure_of({{"throwing", [=]() -> std::string { throw thrown; }, {}}}, 1).code;
  };
  EXPECT_EQ(code_of(ConfigError({}, {}, "bad")), ExitCode::users_fault);
  EXPECT_EQ(code_of(FailureError{{ExitCode::no_progress, "stuck"}}), ExitCode::no_progress);
  EXPECT_EQ(code_of(ContractError{"broken"}), ExitCode::our_fault);
  EXPECT_EQ(code_of(std::bad_alloc{}), ExitCode::users_fault);
  EXPECT_EQ(code_of(42), ExitCode::our_fault);
}

TEST(ProcessPool, AProcessThatIsKilledIsReportedWithWhatItDid) {
  Job const dying{"dying", [] { return std::to_string(raise(SIGKILL)); }, {}};
  auto const failure = failure_of({saying("fine"), dying}, 1);
  EXPECT_EQ(failure.code, ExitCode::our_fault);
  EXPECT_THAT(failure.text, HasSubstr("killed by signal 9"));
  EXPECT_THAT(failure.text, HasSubstr("while dying"));
}

TEST(ProcessPool, AProcessThatLeavesWithoutAWordIsReported) {
  Job const leaving{"leaving", []() -> std::string { _exit(7); }, {}};
  EXPECT_THAT(failure_of({leaving}, 1).text, HasSubstr("ended with status 7 while leaving"));
}

TEST(ProcessPool, AProcessThatIsKilledLeavesNoUnfinishedFile) {
  test::TemporaryDirectory const directory;
  auto const target = directory.path("run.h5");
  Job const dying{"dying",
                  [&] {
                    traces::PendingFile const file{target};
                    return std::to_string(raise(SIGKILL));
                  },
                  target};
  EXPECT_EQ(failure_of({dying}, 1).code, ExitCode::our_fault);
  EXPECT_TRUE(directory.names().empty());
}

TEST(ProcessPool, ASignalEndsTheJobsAndTheirUnfinishedFiles) {
  test::TemporaryDirectory const directory;
  auto const target = directory.path("run.h5");
  Gate const never;
  auto const parent = getpid();
  Job const interrupted{"being interrupted",
                        [&] {
                          traces::PendingFile const file{target};
                          kill(parent, SIGTERM);
                          never.wait();
                          return std::string{};
                        },
                        target};
  try {
    static_cast<void>(run_jobs({interrupted}, 1));
    FAIL() << "not interrupted";
  } catch (Interrupted const& signal) {
    EXPECT_EQ(signal.signal, SIGTERM);
  }
  EXPECT_TRUE(directory.names().empty());
}

/// What became of each of the jobs; told more than once it is no answer.
std::vector<Ended> ended_each(std::vector<Job> const& jobs, PoolOptions const& options) {
  std::vector<std::optional<Ended>> heard(jobs.size());
  run_each_job(jobs, options, [&](std::vector<EndedJob> const& ended_jobs) {
    for (auto const& [job, ended] : ended_jobs) {
      EXPECT_FALSE(heard[job].has_value()) << "job " << job << " ended twice";
      heard[job] = ended;
    }
  });
  std::vector<Ended> all;
  for (auto& ended : heard) all.push_back(ended.value());
  return all;
}

Job telling_its_process() {
  return {"asking", [] { return std::to_string(getpid()); }, {}};
}

TEST(ProcessPool, JobsShareAProcessWhereTheyMayFewerTowardsTheEnd) {
  auto const ended = ended_each(std::vector<Job>(16, telling_its_process()), {1, 3});
  std::vector<std::string> processes;
  for (auto const& job : ended) processes.push_back(job.text.value());
  EXPECT_EQ(std::vector(processes.begin(), processes.begin() + 3),
            std::vector(3, processes.front()));  // of 16 jobs a quarter is more than 3
  EXPECT_NE(processes[3], processes[2]);
  EXPECT_NE(processes[15], processes[14]);
}

TEST(ProcessPool, AJobWhoseProcessDiesTakesNoneOfThoseWithItThatShareIt) {
  std::vector<Job> jobs(16, saying("fine"));
  jobs[1].work = []() -> std::string { throw ConfigError{{}, {}, "bad"}; };
  jobs[2].work = [] { return std::to_string(raise(SIGKILL)); };
  jobs[7].work = []() -> std::string { _exit(7); };
  for (std::size_t workers : {1U, 3U}) {
    auto const ended = ended_each(jobs, {workers, 8});
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      EXPECT_EQ(ended[job].text.has_value(), job != 1 && job != 2 && job != 7) << job;
    }
    EXPECT_EQ(ended[1].failure.text, "bad");
    EXPECT_EQ(ended[2].signal, SIGKILL);
    EXPECT_THAT(ended[7].failure.text, HasSubstr("ended with status 7 while saying fine"));
  }
}

TEST(ProcessPool, RepliesOfAProcessThatIsSharedMayBeLargerThanAPipe) {
  std::vector<Job> jobs(40, saying(std::string(100'000, 'x')));
  for (auto const& ended : ended_each(jobs, {2, 8})) EXPECT_EQ(ended.text.value().size(), 100'000U);
}

TEST(ProcessPool, ProgressCountsEveryJobOnce) {
  std::vector<std::size_t> heard;
  static_cast<void>(
      run_jobs({saying("a"), saying("b")}, 1, [&](std::size_t done) { heard.push_back(done); }));
  EXPECT_EQ(heard.back(), 2U);
  EXPECT_TRUE(std::is_sorted(heard.begin(), heard.end()));
}

}  // namespace
}  // namespace tessera::sim
