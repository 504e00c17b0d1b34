// The two memories, and what both count.
#include "sim/model/memory/memory.hpp"

#include <gtest/gtest.h>

#include "sim/model/memory/dram/dram_library.hpp"
#include "test/sim/model/protocol/core_harness.hpp"

namespace tessera::sim {
namespace {

/// Task 0 loads 100 B, task 1 stores 50 B, task 2 loads nothing.
TaskGraph three_tasks() {
  TaskGraph graph{1};
  Task task;
  task.kind = TaskKind::load;
  task.bytes = Bytes{100};
  graph.add(task, {});
  task.kind = TaskKind::store;
  task.bytes = Bytes{50};
  graph.add(task, {});
  task.kind = TaskKind::load;
  task.bytes = Bytes{0};
  graph.add(task, {});
  return graph;
}

class MemoryTest : public testing::Test {
 protected:
  [[nodiscard]] std::unique_ptr<Memory> make(arch::MemorySpec const& spec) {
    return make_memory(spec, {ghz, graph_, utilisation_, drams_});
  }
  [[nodiscard]] Arrival start(std::size_t task) const {
    return {Memory::from_dispatcher, issue(TaskId{task}, graph_.at(TaskId{task}))};
  }

  TaskGraph graph_ = three_tasks();
  BusyHistogram utilisation_;
  DramLibrary drams_;
  /// 8 Gb/s = one byte per ns.
  arch::BandwidthMemorySpec const one_byte_per_ns_{Bandwidth{8'000'000'000}, Time{40'000}};
};

TEST_F(MemoryTest, IdealIsDoneAtTheNextClockWhateverTheSize) {
  auto const memory = make(arch::IdealMemorySpec{});
  for (auto const& sent : advance(*memory, ns(3), {start(0), start(1), start(2)})) {
    EXPECT_EQ(sent.message.kind, Message::Kind::done);
    EXPECT_EQ(sent.at, ns(4));
  }
  EXPECT_EQ(statistic(*memory, "busy"), 0);
}

TEST_F(MemoryTest, OfOneBandwidthTakesSizeOverItPlusLatency) {
  auto const memory = make(one_byte_per_ns_);
  auto const sent = advance(*memory, ns(3), {start(0)});
  EXPECT_EQ(sent.at(0).at, ns(3 + 100 + 40 + 1));  // + 1 clock to tell the dispatcher
}

TEST_F(MemoryTest, OfOneBandwidthServesInOrderAndOverlapsLatencies) {
  auto const memory = make(one_byte_per_ns_);
  auto const sent = advance(*memory, ns(3), {start(1), start(0)});
  EXPECT_EQ(sent.at(0).message.task, TaskId{0});
  EXPECT_EQ(sent.at(1).at, ns(3 + 100 + 50 + 40 + 1));
}

TEST_F(MemoryTest, OfOneBandwidthIsFreeTheInstantTheLastByteWent) {
  for (Time const arrival : {ns(102), ns(103), ns(104)}) {
    auto const memory = make(one_byte_per_ns_);
    advance(*memory, ns(3), {start(0)});  // busy until 103 ns
    auto const sent = advance(*memory, arrival, {start(1)});
    EXPECT_EQ(sent.at(0).at, std::max(arrival, ns(103)) + ns(50 + 40 + 1));
  }
}

TEST_F(MemoryTest, OfOneBandwidthTakesOnlyLatencyForNothing) {
  auto const memory = make(one_byte_per_ns_);
  EXPECT_EQ(advance(*memory, ns(3), {start(2)}).at(0).at, ns(3 + 40 + 1));
}

TEST_F(MemoryTest, CountsBytesByDirectionAndWholeWords) {
  for (arch::MemorySpec const& spec :
       {arch::MemorySpec{arch::IdealMemorySpec{}}, arch::MemorySpec{one_byte_per_ns_}}) {
    auto const memory = make(spec);
    advance(*memory, ns(3), {start(0), start(1), start(2)});
    EXPECT_EQ(statistic(*memory, "bytes_read"), 100);
    EXPECT_EQ(statistic(*memory, "bytes_written"), 50);
    EXPECT_EQ(statistic(*memory, "words"), 25 + 13);  // 50 B are 12.5 words
  }
}

TEST_F(MemoryTest, OfOneBandwidthIsBusyForBytesOverBandwidthAndNotForLatency) {
  auto const memory = make(one_byte_per_ns_);
  advance(*memory, ns(3), {start(0), start(1)});
  EXPECT_EQ(statistic(*memory, "busy"), ns(100 + 50).value());
  EXPECT_EQ(utilisation_.total(), ns(150));
}

TEST(WordsOf, RoundsUp) {
  EXPECT_EQ(words_of(Bytes{0}), 0);
  EXPECT_EQ(words_of(Bytes{1}), 1);
  EXPECT_EQ(words_of(Bytes{4}), 1);
  EXPECT_EQ(words_of(Bytes{5}), 2);
}

std::vector<std::int64_t> state(Memory const& memory, Time now) {
  StateWriter writer;
  memory.serialize(now, writer);
  return writer.words();
}

TEST_F(MemoryTest, ItsStateTellsHowLongItIsTakenAndNotHowItCameToThat) {
  auto const once = make(one_byte_per_ns_);
  auto const twice = make(one_byte_per_ns_);
  // Both are taken until 53 ns: by 50 bytes at once, or by 20 and then 30.
  static_cast<void>(once->transfer(ns(3), {Access::read, Bytes{0}, Bytes{50}}));
  static_cast<void>(twice->transfer(ns(3), {Access::read, Bytes{0}, Bytes{20}}));
  EXPECT_NE(state(*once, ns(4)), state(*twice, ns(4)));
  static_cast<void>(twice->transfer(ns(4), {Access::read, Bytes{0}, Bytes{30}}));
  EXPECT_EQ(state(*once, ns(5)), state(*twice, ns(5)));
}

TEST_F(MemoryTest, ItsStateForgetsWhatIsPast) {
  auto const used = make(one_byte_per_ns_);
  auto const unused = make(one_byte_per_ns_);
  static_cast<void>(used->transfer(ns(3), {Access::read, Bytes{0}, Bytes{50}}));
  EXPECT_NE(state(*used, ns(52)), state(*unused, ns(52)));
  EXPECT_EQ(state(*used, ns(53)), state(*unused, ns(53)));
}

TEST_F(MemoryTest, ItsStateIsRelativeToNow) {
  auto const early = make(one_byte_per_ns_);
  auto const late = make(one_byte_per_ns_);
  static_cast<void>(early->transfer(ns(3), {Access::read, Bytes{0}, Bytes{50}}));
  static_cast<void>(late->transfer(ns(1'003), {Access::read, Bytes{0}, Bytes{50}}));
  EXPECT_EQ(state(*early, ns(10)), state(*late, ns(1'010)));
}

}  // namespace
}  // namespace tessera::sim
