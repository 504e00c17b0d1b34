// Whole runs of hand-made graphs whose times can be worked out on paper. Small arrays: 1 clock = 1 ns, 1 MAC per cycle, 1 byte
// per ns and lane, links of 5 ns.
//
// A message between dispatcher and unit takes one clock each way, so a task of w ns of work lasts w + 2 ns.
#include "sim/shell/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "test/sim/model/core_harness.hpp"
#include "test/sim/model/small_arrays.hpp"
#include "test/sim/shell/task_builder.hpp"

namespace tessera::sim {
namespace {

using arch::FabricSpec;
using testing::ElementsAre;
using testing::IsEmpty;

/// A run and everything that came out of it.
class Simulation {
 public:
  Simulation(arch::ArraySpec const& array, TaskGraph const& tasks, RunOptions const& options = {})
      : report{run(array, tasks, sink, options)} {}

  [[nodiscard]] Time time() const { return report.summary.time; }
  [[nodiscard]] Time end_of(TaskId task) const {
    for (auto const& event : sink.events) {
      if (event.task == task.index()) return event.end;
    }
    return Time{-1};
  }
  [[nodiscard]] std::int64_t counter(std::string const& resource, std::string const& name) const {
    for (auto const& counter : report.summary.counters) {
      if (counter.resource == resource && counter.name == name) return counter.value;
    }
    return -1;
  }
  [[nodiscard]] std::int64_t events(std::string const& component, std::string const& event) const {
    for (auto const& entry : report.summary.energy) {
      if (entry.component == component && entry.event == event) return entry.count;
    }
    return -1;
  }

  MemorySink sink;
  Report report;
};

arch::ArraySpec with_memory(arch::ArraySpec array) {
  array.accelerator.memory = arch::BandwidthMemorySpec{Bandwidth{8'000'000'000}, ns(40)};
  return array;
}

/// From issue to completion of a transfer alone on the fabric: clocks to the network interface, to
/// the fabric and back to the dispatcher; the latencies of the links and a clock in each router
/// between them (and, in a torus, in those at both ends); and serialisation. Two halves with a link
/// in common follow each other there.
Time transfer_time(arch::ArraySpec const& array, std::size_t from, std::size_t to,
                   std::int64_t bytes) {
  arch::Topology const topology{array};
  arch::NodeId const source{from};
  arch::NodeId const destination{to};
  auto const parts = topology.cut(source, destination, Bytes{bytes});
  auto const way = topology.route(source, destination, parts.front().turn);
  auto const other_way = topology.route(source, destination, parts.back().turn);
  bool const shares =
      std::find_first_of(way.begin(), way.end(), other_way.begin(), other_way.end()) != way.end();
  Bytes const in_a_row = shares ? Bytes{bytes} : parts.front().size;
  auto const links = static_cast<std::int64_t>(way.size());
  bool const is_torus = array.fabric.topology == FabricSpec::Topology::torus;
  return ns(3) + array.fabric.latency * links + ns(is_torus ? links + 1 : links - 1) +
         in_a_row / array.lane_bandwidth();
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

/// Each pair of accelerators in turn, one transfer after another: the fabric is idle for each.
void expect_idle_transfers_take_their_formula(arch::ArraySpec const& array) {
  auto const count = static_cast<std::size_t>(array.accelerators);
  TaskBuilder build{count};
  std::vector<TaskId> transfers;
  std::vector<Time> expected;
  std::vector<TaskId> previous(count);
  std::vector<TaskId> before;
  for (std::size_t pair = 0; pair < count * count; ++pair) {
    std::size_t const from = pair / count;
    std::size_t const to = pair % count;
    if (from == to) continue;
    // A barrier in front of every transfer keeps them apart.
    BarrierId const barrier = build.graph.add_barrier();
    std::vector<TaskId> reached;
    for (std::size_t member = 0; member < count; ++member) {
      std::vector<TaskId> after;
      if (!transfers.empty()) {
        after = {previous[member]};
        Task const& last = build.graph.at(transfers.back());
        if (last.destination.index() == member) after.push_back(transfers.back());
      }
      previous[member] = build.reach(barrier, member, after);
    }
    auto const bytes = static_cast<std::int64_t>(37 * pair % 1'001);
    transfers.push_back(build.transfer(from, to, bytes, {previous[from]}));
    expected.push_back(transfer_time(array, from, to, bytes));
  }
  Simulation const simulation{array, build.graph};
  ASSERT_TRUE(simulation.report.summary.complete);
  for (auto const& event : simulation.sink.events) {
    for (std::size_t index = 0; index < transfers.size(); ++index) {
      if (event.task != transfers[index].index()) continue;
      EXPECT_EQ(event.end - event.start, expected[index])
          << event.accelerator << " to " << event.destination;
    }
  }
}

TEST(IdleFabric, TakesItsFormulaBetweenAllPairsOfAnHTree) {
  expect_idle_transfers_take_their_formula(small_array(16));
}

TEST(IdleFabric, TakesItsFormulaBetweenAllPairsOfATorus) {
  expect_idle_transfers_take_their_formula(small_array(16, FabricSpec::Topology::torus));
}

TEST(HTree, ExchangesBetweenCounterpartsNeverWaitForEachOther) {
  auto const array = small_array(16);
  arch::Topology const topology{array};
  TaskBuilder build{16};
  for (std::size_t from = 0; from < 16; ++from) {
    auto const to = topology.counterpart(arch::NodeId{from}, 1);
    build.transfer(from, to.index(), 1'000);
  }
  Simulation const simulation{array, build.graph};
  for (auto const& event : simulation.sink.events) {
    EXPECT_EQ(event.end, transfer_time(array, event.accelerator, event.destination, 1'000));
  }
}

/// Every accelerator sends to its counterpart at one level, all at once.
struct ExchangeCase {
  FabricSpec::Topology topology;
  std::int64_t accelerators;
  int level;
};

std::vector<ExchangeCase> exchange_cases() {
  std::vector<ExchangeCase> cases;
  for (auto const topology : {FabricSpec::Topology::htree, FabricSpec::Topology::torus}) {
    for (std::int64_t const accelerators : {2, 8, 16, 64}) {
      for (int level = 1; level <= small_array(accelerators).levels(); ++level) {
        cases.push_back({topology, accelerators, level});
      }
    }
  }
  return cases;
}

std::ostream& operator<<(std::ostream& out, ExchangeCase const& test) {
  bool const is_torus = test.topology == FabricSpec::Topology::torus;
  return out << (is_torus ? "torus_" : "htree_") << test.accelerators << "_level_" << test.level;
}

class Exchange : public testing::TestWithParam<ExchangeCase> {};

TEST_P(Exchange, TakesAsLongAsItsBusiestLaneButForLatencies) {
  auto const [kind, accelerators, level] = GetParam();
  auto const array = small_array(accelerators, kind);
  arch::Topology const topology{array};
  Bytes const each{100'000};
  TaskBuilder build{topology.accelerators()};
  for (std::size_t from = 0; from < topology.accelerators(); ++from) {
    auto const to = topology.counterpart(arch::NodeId{from}, level);
    build.transfer(from, to.index(), each.value());
  }
  Simulation const simulation{array, build.graph};
  Time const busiest = topology.exchange_time(level, each);
  EXPECT_GE(simulation.time(), busiest);
  EXPECT_LE(simulation.time(), busiest + ns(100));  // at most 12 links of 5 + 1 ns in a row
}

INSTANTIATE_TEST_SUITE_P(Levels, Exchange, testing::ValuesIn(exchange_cases()),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace tessera::sim
