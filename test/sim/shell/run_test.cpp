// Whole runs of hand-made graphs whose times can be worked out on paper. Small arrays: 1 clock = 1 ns, 1 MAC per cycle, 1 byte
// per ns and lane, links of 5 ns.
//
// A message between dispatcher and unit takes one clock each way, so a task of w ns of work lasts w + 2 ns.
#include "sim/shell/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "test/sim/model/fabric/small_arrays.hpp"
#include "test/sim/model/protocol/core_harness.hpp"
#include "test/sim/shell/simulation.hpp"
#include "test/sim/shell/task_builder.hpp"

namespace tessera::sim {
namespace {

using arch::FabricSpec;
using testing::ElementsAre;
using testing::IsEmpty;

arch::ArraySpec with_memory(arch::ArraySpec array) {
  array.groups.front().accelerator.memory =
      arch::BandwidthMemorySpec{Bandwidth{8'000'000'000}, ns(40)};
  return array;
}

TEST(Run, OfNothingTakesNoTime) {
  Simulation const simulation{small_array(4), TaskGraph{4}};
  EXPECT_TRUE(simulation.report.summary.complete);
  EXPECT_EQ(simulation.time(), Time{0});
  EXPECT_EQ(simulation.report.summary.cycles, Cycles{0});
}

TEST(Run, OfOneTaskOnOneAccelerator) {
  TaskBuilder build{1};
  build.compute(0, 10);
  Simulation const simulation{small_array(1), build.graph};
  EXPECT_TRUE(simulation.report.summary.complete);
  EXPECT_THAT(simulation.report.stuck, IsEmpty());
  EXPECT_EQ(simulation.time(), ns(10 + 2));
  EXPECT_EQ(simulation.report.summary.cycles, Cycles{12});
  EXPECT_EQ(simulation.report.summary.macs, Macs{10});
}

TEST(Run, OfATorusOfOneHasNoLinks) {
  TaskBuilder build{1};
  build.compute(0, 10);
  EXPECT_EQ((Simulation{small_array(1, FabricSpec::Topology::torus), build.graph}.time()), ns(12));
}

TEST(Run, OfAChainAddsUp) {
  TaskBuilder build{1};
  TaskId const load = build.load(0, 100);
  TaskId const compute = build.compute(0, 10, {load});
  TaskId const store = build.store(0, 20, {compute});
  Simulation const simulation{with_memory(small_array(1)), build.graph};
  EXPECT_EQ(simulation.end_of(load), ns(100 + 40 + 2));
  EXPECT_EQ(simulation.end_of(compute), ns(142 + 10 + 2));
  EXPECT_EQ(simulation.end_of(store), ns(154 + 20 + 40 + 2));
  EXPECT_EQ(simulation.counter("accelerator-0.memory", "bytes_read"), 100);
  EXPECT_EQ(simulation.counter("accelerator-0.memory", "bytes_written"), 20);
}

TEST(Run, OverlapsUnitsAndQueuesOnThem) {
  TaskBuilder build{1};
  TaskId const first = build.compute(0, 50);
  TaskId const second = build.compute(0, 50);
  TaskId const load = build.load(0, 30);
  Simulation const simulation{with_memory(small_array(1)), build.graph};
  EXPECT_EQ(simulation.end_of(first), ns(50 + 2));
  EXPECT_EQ(simulation.end_of(second), ns(50 + 50 + 2));
  EXPECT_EQ(simulation.end_of(load), ns(30 + 40 + 2));
}

TEST(Run, TransfersAcrossOneSwitch) {
  TaskBuilder build{2};
  TaskId const transfer = build.transfer(0, 1, 100);
  Simulation const simulation{small_array(2), build.graph};
  // Clocks: to the interface 1, to the link 1; links 5 + 5, the switch 1; bytes 100; told 1.
  EXPECT_EQ(simulation.end_of(transfer), ns(1 + 1 + 5 + 1 + 5 + 100 + 1));
  EXPECT_EQ(simulation.report.summary.communication, Bytes{100});
}

TEST(Run, TransfersNothingInLatencyAlone) {
  TaskBuilder build{2};
  build.transfer(0, 1, 0);
  EXPECT_EQ((Simulation{small_array(2), build.graph}.time()), ns(1 + 1 + 5 + 1 + 5 + 1));
}

TEST(Run, SenderGoesOnWhenTheLastByteHasLeft) {
  TaskBuilder build{2};
  TaskId const transfer = build.transfer(0, 1, 100);
  TaskId const after = build.compute(0, 10, {transfer});
  Simulation const simulation{small_array(2), build.graph};
  // In the link at 2 ns, out of it at 102, known to the interface then and to the dispatcher 1 later.
  EXPECT_EQ(simulation.end_of(after), ns(103 + 10 + 2));
  EXPECT_EQ(simulation.end_of(transfer), ns(114));
}

TEST(Run, BarrierReleasesEveryoneAfterTheLast) {
  TaskBuilder build{2};
  TaskId const slow = build.compute(0, 50);
  BarrierId const barrier = build.graph.add_barrier();
  TaskId const first = build.reach(barrier, 0, {slow});
  TaskId const second = build.reach(barrier, 1);
  TaskId const after = build.compute(1, 10, {second});
  Simulation const simulation{small_array(2), build.graph};
  EXPECT_EQ(simulation.end_of(first), ns(52 + 2));
  EXPECT_EQ(simulation.end_of(second), ns(52 + 2));
  EXPECT_EQ(simulation.end_of(after), ns(54 + 10 + 2));
}

TEST(Run, HandsEventsToTheSinkInOrderOfEnd) {
  TaskBuilder build{2};
  build.compute(0, 50);
  build.compute(1, 10);
  build.transfer(1, 0, 7);
  build.compute(0, 0);
  Simulation const simulation{small_array(2), build.graph};
  ASSERT_EQ(simulation.sink.events.size(), 4U);
  for (std::size_t index = 1; index < 4; ++index) {
    auto const& before = simulation.sink.events[index - 1];
    auto const& event = simulation.sink.events[index];
    EXPECT_TRUE(before.end < event.end || (before.end == event.end && before.task < event.task));
  }
}

TEST(Run, DescribesATaskInItsEvent) {
  TaskBuilder build{2};
  build.op = workloads::OperatorId{3};
  build.phase = workloads::Phase::update;
  build.transfer(1, 0, 7);
  Simulation const simulation{small_array(2), build.graph};
  auto const& event = simulation.sink.events.at(0);
  EXPECT_EQ(event.kind, static_cast<std::uint8_t>(TaskKind::transfer));
  EXPECT_EQ(event.phase, static_cast<std::uint8_t>(workloads::Phase::update));
  EXPECT_EQ(event.op, 3);
  EXPECT_EQ(event.level, 1);
  EXPECT_EQ(event.accelerator, 1);
  EXPECT_EQ(event.destination, 0);
  EXPECT_EQ(event.bytes, Bytes{7});
  EXPECT_EQ(event.start, Time{0});
  EXPECT_EQ(event.end, simulation.time());
}

TEST(Run, SaysWhereTheTimeWent) {
  TaskBuilder build{2};
  TaskId const load = build.load(0, 100);               // 0 .. 142 ns
  TaskId const compute = build.compute(0, 10, {load});  // .. 154 ns
  build.op = workloads::OperatorId{1};
  TaskId const transfer = build.transfer(0, 1, 100, {compute});  // 154 + 114 = 268 ns
  build.compute(1, 30, {transfer});                              // .. 300 ns
  Simulation const simulation{with_memory(small_array(2)), build.graph};
  EXPECT_EQ(simulation.time(), ns(300));
  auto const& rows = simulation.report.summary.breakdown;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].op, 0);
  EXPECT_EQ(rows[0].memory, ns(142));
  EXPECT_EQ(rows[0].compute, ns(12));
  EXPECT_EQ(rows[0].communication, ns(0));
  EXPECT_EQ(rows[0].idle, ns(300 - 154 - 103)) << "accelerator 0, whose last task was compute";
  EXPECT_EQ(rows[1].op, 1);
  EXPECT_EQ(rows[1].communication, ns(103 + 268)) << "0 sends, 1 waits for it from the start";
  EXPECT_EQ(rows[1].compute, ns(32));
}

TEST(Run, CountsEnergyByEvent) {
  auto array = with_memory(small_array(2));
  array.energy.memory_accesses_per_exchanged_word = 4;
  TaskBuilder build{2};
  build.load(0, 10);       // 3 words
  build.compute(0, 1000);  // 3000 buffer accesses
  build.transfer(0, 1, 100);
  build.reduces = true;
  build.transfer(1, 0, 50);  // 13 words
  Simulation const simulation{array, build.graph};
  EXPECT_EQ(simulation.events("processing-unit", "multiply"), 1000);
  EXPECT_EQ(simulation.events("processing-unit", "add"), 1000 + 13);
  EXPECT_EQ(simulation.events("buffer", "access"), 3000);
  EXPECT_EQ(simulation.events("memory", "local_access"), 3);
  EXPECT_EQ(simulation.events("memory", "exchange_access"), 4 * (25 + 13));
  EXPECT_EQ(simulation.events("fabric", "link_word"), 2 * (25 + 13));  // two links each way
  EXPECT_EQ(simulation.report.summary.energy.at(0).each, array.energy.multiply);
}

TEST(Run, LeavesLocalMemoryOutOfTheLedgerIfTheArraySaysSo) {
  auto array = small_array(1);
  array.energy.counts_local_memory = false;
  TaskBuilder build{1};
  build.load(0, 10);
  Simulation const simulation{array, build.graph};
  EXPECT_EQ(simulation.events("memory", "local_access"), 0);
}

TEST(Run, SaysHowBusyEveryResourceWasOverTime) {
  TaskBuilder build{2};
  TaskId const compute = build.compute(0, 1000);
  build.transfer(0, 1, 500, {compute});
  Simulation const simulation{small_array(2), build.graph};
  bool found = false;
  for (auto const& utilisation : simulation.report.summary.utilisation) {
    EXPECT_LE(utilisation.busy.size(), 256U);
    EXPECT_GE(utilisation.width * static_cast<std::int64_t>(utilisation.busy.size()),
              simulation.time());
    Time const sum = std::accumulate(utilisation.busy.begin(), utilisation.busy.end(), Time{0});
    EXPECT_EQ(sum.value(), simulation.counter(utilisation.resource, "busy"));
    if (utilisation.resource != "accelerator-0.processing-unit") continue;
    found = true;
    EXPECT_EQ(sum, ns(1000));
    EXPECT_EQ(utilisation.busy.at(1), utilisation.width) << "busy without a gap";
    EXPECT_EQ(utilisation.busy.back(), Time{0});
  }
  EXPECT_TRUE(found);
}

TEST(Run, OfALargeArraySharesHistogramsByKind) {
  TaskBuilder build{1024};
  for (std::size_t accelerator = 0; accelerator < 1024; ++accelerator) {
    build.compute(accelerator, 10);
  }
  Simulation const simulation{small_array(1024), build.graph};
  auto const& all = simulation.report.summary.utilisation;
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].resource, "processing-units");
  EXPECT_EQ(std::accumulate(all[0].busy.begin(), all[0].busy.end(), Time{0}), ns(10 * 1024));
}

TEST(Run, ReportsProgress) {
  TaskBuilder build{1};
  for (int count = 0; count < 40'000; ++count) build.load(0, 4);
  RunOptions options;
  std::size_t calls = 0;
  std::size_t last = 0;
  options.progress = [&](std::size_t done, Time) {
    ++calls;
    EXPECT_GE(done, last);
    last = done;
  };
  TaskId previous = build.compute(0, 1);
  for (int count = 0; count < 40'000; ++count) previous = build.compute(0, 1, {previous});
  Simulation const simulation{small_array(1), build.graph, options};
  EXPECT_GE(calls, 1U);
}

TEST(Run, RefusesAGraphForAnotherNumberOfAccelerators) {
  MemorySink sink;
  EXPECT_THROW(static_cast<void>(run(small_array(2), TaskGraph{4}, sink)), ContractError);
}

TEST(Run, RefusesASecondRunInTheSameProcess) {
  Simulation const simulation{small_array(1), TaskGraph{1}};
  MemorySink sink;
  EXPECT_THROW(static_cast<void>(run(small_array(1), TaskGraph{1}, sink)), ContractError);
}

}  // namespace
}  // namespace tessera::sim
