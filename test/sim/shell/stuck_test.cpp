// Runs that cannot finish say so, and who waits for whom.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "sim/shell/run.hpp"
#include "test/sim/model/fabric/small_arrays.hpp"
#include "test/sim/shell/task_builder.hpp"
#include "test/support/named_operators.hpp"

namespace tessera::sim {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

/// Accelerator 1 never reaches the barrier, and sends only after it.
TaskGraph one_is_missing() {
  TaskBuilder build{2};
  build.graph.set_operators(operators_named({"conv1"}), Bytes{4});
  BarrierId const barrier = build.graph.add_barrier();
  BarrierId const other = build.graph.add_barrier();
  build.compute(0, 10);
  TaskId const there = build.reach(barrier, 0);
  TaskId const elsewhere = build.reach(other, 1);
  TaskId const transfer = build.transfer(1, 0, 100, {elsewhere});
  build.compute(0, 10, {there, transfer});
  return build.graph;
}

TEST(Stuck, RunNamesTheBarrierAndWhoIsMissing) {
  MemorySink sink;
  Report const report = run(small_array(2), one_is_missing(), sink);
  EXPECT_FALSE(report.summary.complete);
  std::string const name = "synchronizer: barrier ";
  EXPECT_THAT(report.stuck,
              ElementsAre(name + "0, reached by 1 of 2, waits for accelerator-1",
                          name + "1, reached by 1 of 2, waits for accelerator-0",
                          "accelerator-0: barrier conv1.forward (task 1) waits at barrier 0",
                          "accelerator-0: compute conv1.forward (task 4) waits for task 1",
                          "accelerator-1: barrier conv1.forward (task 2) waits at barrier 1",
                          "accelerator-1: transfer conv1.forward (task 3) waits for task 2"));
}

TEST(Stuck, RunKeepsWhatWasDone) {
  MemorySink sink;
  Report const report = run(small_array(2), one_is_missing(), sink);
  ASSERT_EQ(sink.events.size(), 1U);
  EXPECT_EQ(sink.events[0].task, 0U);
  EXPECT_EQ(report.summary.macs, Macs{10});
  EXPECT_GT(report.summary.time, Time{0});
}

TEST(Stuck, RunNamesATransferThatWasNeverSent) {
  TaskBuilder build{2};
  BarrierId const barrier = build.graph.add_barrier();
  TaskId const never = build.reach(barrier, 1);
  TaskId const transfer = build.transfer(1, 0, 100, {never});
  build.compute(0, 10, {transfer});
  MemorySink sink;
  Report const report = run(small_array(2), build.graph, sink);
  EXPECT_THAT(report.stuck,
              Contains(HasSubstr("waits for task 1 (transfer from accelerator-1, never sent)")));
}

TEST(Stuck, ReportIsBounded) {
  TaskBuilder build{64};
  BarrierId const barrier = build.graph.add_barrier();
  for (std::size_t accelerator = 1; accelerator < 64; ++accelerator) {
    build.reach(barrier, accelerator);
  }
  MemorySink sink;
  Report const report = run(small_array(64), build.graph, sink);
  // One line of the synchronizer, 63 of accelerators.
  ASSERT_EQ(report.stuck.size(), 21U);
  EXPECT_EQ(report.stuck.back(), "and 44 more");
}

/// One task on one accelerator.
bool completes_with_stall_limit(std::int64_t limit) {
  TaskBuilder build{1};
  build.compute(0, 1);
  RunOptions options;
  options.stall_limit = limit;
  MemorySink sink;
  Report const report = run(small_array(1), build.graph, sink, options);
  EXPECT_EQ(report.stuck.empty(), report.summary.complete);
  if (!report.summary.complete) {
    EXPECT_EQ(report.stuck.front(),
              "no task completed in " + std::to_string(limit) + " activations");
  }
  return report.summary.complete;
}

// Four modules run at time 0 (messages, processing unit, memory, synchronizer), then the processing
// unit; messages, where the dispatcher is, complete the task in the sixth.
TEST(Stuck, RunGoesOnAsLongAsTheStallLimitIsNotExceeded) {
  EXPECT_TRUE(completes_with_stall_limit(6));
}

TEST(Stuck, RunWithoutProgressIsStopped) { EXPECT_FALSE(completes_with_stall_limit(5)); }

TEST(Stuck, RunThatIsStoppedInTheMiddleOfATransferReportsWhatItReserved) {
  TaskBuilder build{2};
  build.transfer(0, 1, 1'000'000);
  RunOptions options;
  options.fast_forward = PhaseMemo::Use::off;
  // 14 modules run at time 0; interface, link, router, link and interface make 19; then it waits
  // for 1 ms until the sender's interface hears that the transfer has left.
  options.stall_limit = 19;
  MemorySink sink;
  Report const report = run(small_array(2), build.graph, sink, options);
  EXPECT_FALSE(report.summary.complete);
  EXPECT_GE(report.stuck.size(), 2U);
  for (auto const& utilisation : report.summary.utilisation) {
    if (utilisation.resource != "accelerator-0>switch-1.0") continue;
    EXPECT_EQ(std::accumulate(utilisation.busy.begin(), utilisation.busy.end(), Time{0}),
              Time{1'000'000'000});
  }
}

TEST(Stuck, BrokenContractComesOutAsItself) {
  // 3 * 2^52 cycles of 1 ns do not fit in 63 bits of picoseconds: the overflow happens inside a
  // process of the kernel.
  TaskBuilder huge{1};
  huge.compute(0, std::int64_t{1} << 52);
  huge.compute(0, std::int64_t{1} << 52);
  huge.compute(0, std::int64_t{1} << 52);
  MemorySink sink;
  EXPECT_THROW(static_cast<void>(run(small_array(1), huge.graph, sink)), ContractError);
}

}  // namespace
}  // namespace tessera::sim
