// The conservation laws can fail: each is broken once.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "sim/model/array/array_cores.hpp"
#include "sim/outcome/explanation.hpp"
#include "sim/outcome/summary.hpp"
#include "test/sim/model/fabric/small_arrays.hpp"
#include "test/sim/shell/task_builder.hpp"

namespace tessera::sim::outcome {
namespace {

TaskGraph one_task(std::int64_t macs, std::size_t accelerators) {
  TaskBuilder build{accelerators};
  build.compute(0, macs);
  return build.graph;
}

/// An accelerator that did its one task, perhaps beside idle ones, driven without a kernel.
class FinishedRun {
 public:
  /// One cycle per MAC, at least one, and a clock to and from the unit.
  explicit FinishedRun(std::int64_t macs, std::size_t accelerators = 1)
      : tasks{one_task(macs, accelerators)},
        array{small_array(static_cast<std::int64_t>(accelerators))},
        end{Time{(std::max(macs, std::int64_t{1}) + 2) * 1'000}} {
    Message const issued = pass(cores.accelerators[0].dispatcher, Time{0}, std::nullopt);
    Message const done = pass(*cores.accelerators[0].processing_unit, Time{1'000}, issued);
    static_cast<void>(pass(cores.accelerators[0].dispatcher, end, done));
    cores.close(end);
  }

  /// Lets the processing unit do the task once more than it was told to.
  void compute_again() {
    Message issue;
    issue.kind = Message::Kind::issue;
    static_cast<void>(pass(*cores.accelerators[0].processing_unit, Time{1'000}, issue));
  }

  /// Sends 8 B from accelerator 0 into a link, where nobody asked for it.
  void send_over(std::size_t link) {
    Message packet;
    packet.kind = Message::Kind::packet;
    packet.bytes = Bytes{8};
    static_cast<void>(pass(cores.links.at(link), Time{1'000}, packet));
  }

  [[nodiscard]] Outcome outcome() const {
    return {blueprint, records, cores.resources(), end, IdVector<TaskId, TaskWork>{tasks.size()}};
  }
  [[nodiscard]] std::uint64_t fingerprint() const { return summarize(outcome()).fingerprint; }
  void check() const { check_laws(outcome(), summarize(outcome())); }

  TaskGraph tasks;
  arch::ArraySpec array;
  Time end;
  Blueprint blueprint{array, tasks};
  Records records{tasks};
  KeptWork kept;
  ArrayCores cores{blueprint, records, kept, MessageCarriers::each_by_itself};

 private:
  /// Advances a core with at most one message; returns what it sends, if anything.
  static Message pass(Core& core, Time now, std::optional<Message> const& message) {
    if (message) core.push(now, 0, *message);
    Outbox out{now};
    static_cast<void>(core.advance(now, out));
    return out.entries().empty() ? Message{} : out.entries().front().message;
  }
};

TEST(Laws, HoldForARunThatIsRight) { EXPECT_NO_THROW(FinishedRun{10}.check()); }

TEST(Laws, NoticeATaskThatDidNotRun) {
  FinishedRun run{10};
  run.tasks.add(run.tasks.at(TaskId{0}), {});
  EXPECT_THROW(run.check(), ContractError);
}

TEST(Laws, NoticeWorkThatNobodyAskedFor) {
  FinishedRun run{10};
  run.compute_again();
  EXPECT_THROW(run.check(), ContractError);
}

TEST(Laws, NoticeTimeThatIsNotAccountedFor) {
  FinishedRun run{10};
  run.records.breakdown.add(run.tasks.at(TaskId{0}), Activity::idle, Time{1});
  EXPECT_THROW(run.check(), ContractError);
}

TEST(Laws, NoticeAHistogramThatDoesNotAddUp) {
  FinishedRun run{10};
  run.records.utilisation["accelerator-0.processing-unit"].add(Time{0}, Time{1});
  EXPECT_THROW(run.check(), ContractError);
}

TEST(Laws, NoticeAResourceThatWasBusyForLongerThanTheRun) {
  // A task of no MACs keeps the unit busy for 1 ns of a run of 3, and repeating it adds no work.
  FinishedRun run{0};
  EXPECT_NO_THROW(run.check());
  for (int count = 0; count < 2; ++count) run.compute_again();
  EXPECT_NO_THROW(run.check()) << "3 of 3 ns";
  run.compute_again();
  EXPECT_THROW(run.check(), ContractError);
}

TEST(Laws, NoticeTrafficThatNobodySentOrReceived) {
  FinishedRun const run{20, 2};
  auto summary = summarize(run.outcome());
  EXPECT_NO_THROW(check_laws(run.outcome(), summary));
  summary.traffic = {{0, 1, 1, Bytes{8}}};
  EXPECT_THROW(check_laws(run.outcome(), summary), ContractError);
}

TEST(Laws, NoticeBytesThatAppearOnALink) {
  FinishedRun run{20, 2};
  EXPECT_NO_THROW(run.check());
  run.send_over(0);
  EXPECT_THROW(run.check(), ContractError);
}

TEST(Laws, NoticeALinkThatIsBusyForMoreOrLessThanItsBytes) {
  FinishedRun const run{20, 2};
  auto const summary = summarize(run.outcome());
  for (auto const busy : {Time{7'999}, Time{8'002}}) {  // 8 B at 1 B/ns; a message may round up
    auto wrong = summary;
    for (auto& link : wrong.links) {
      link.messages = 1;
      link.bytes = Bytes{8};
      link.busy = Time{8'001};
    }
    // What comes and goes at each node is the same: two links to it, two from it.
    EXPECT_NO_THROW(check_laws(run.outcome(), wrong));
    wrong.links.back().busy = busy;
    EXPECT_THROW(check_laws(run.outcome(), wrong), ContractError);
  }
}

TEST(Laws, NoticeRowsThatAreOpenForLongerThanTheRun) {
  FinishedRun const run{10};
  auto summary = summarize(run.outcome());
  summary.energy.push_back({"memory", "background_clock", 100, Energy{2}});
  summary.energy.push_back({"memory", "active_clock", 100, Energy{1}});
  EXPECT_NO_THROW(check_laws(run.outcome(), summary));
  summary.energy.back().count = 101;
  EXPECT_THROW(check_laws(run.outcome(), summary), ContractError);
}

TEST(Laws, NoticeACriticalPathThatIsShorterThanTheRunOrHasAGap) {
  FinishedRun const run{10};
  auto const outcome = run.outcome();
  auto summary = summarize(outcome);
  Explanation{outcome}.complete(summary);
  EXPECT_NO_THROW(check_laws(outcome, summary));
  auto wrong = summary;
  wrong.reasons->critical_path.pop_back();
  EXPECT_THROW(check_laws(outcome, wrong), ContractError);
  wrong = summary;
  wrong.reasons->critical_path.at(1).begin += Time{1};
  EXPECT_THROW(check_laws(outcome, wrong), ContractError);
  wrong = summary;
  wrong.reasons->critical_path.clear();
  EXPECT_THROW(check_laws(outcome, wrong), ContractError);
}

TEST(Laws, FingerprintChangesWithTheBreakdownAndWithACounter) {
  FinishedRun run{10};
  std::set<std::uint64_t> seen{run.fingerprint()};
  EXPECT_FALSE(seen.insert(FinishedRun{10}.fingerprint()).second);
  EXPECT_TRUE(seen.insert(FinishedRun{11}.fingerprint()).second);
  run.records.breakdown.add(run.tasks.at(TaskId{0}), Activity::idle, Time{1});
  EXPECT_TRUE(seen.insert(run.fingerprint()).second);
  run.end = Time{50'000};  // leaves room for what follows
  run.compute_again();
  EXPECT_TRUE(seen.insert(run.fingerprint()).second);
}

}  // namespace
}  // namespace tessera::sim::outcome
