// Transfers over whole fabrics: alone they take their formula to the picosecond, all at once as long as the busiest lane.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "arch/array/topology.hpp"
#include "arch/base/config.hpp"
#include "test/sim/model/fabric/small_arrays.hpp"
#include "test/sim/model/protocol/core_harness.hpp"
#include "test/sim/shell/random_tasks.hpp"
#include "test/sim/shell/simulation.hpp"
#include "test/sim/shell/task_builder.hpp"
#include "test/support/forked.hpp"

namespace tessera::sim {
namespace {

using arch::FabricSpec;

/// Of a part of a message: its data, and a header for every packet.
Bytes on_wire(FabricSpec const& fabric, Bytes part) {
  if (!fabric.packets) return part;
  auto const packet = fabric.packets->packet.value();
  return part + (part.value() + packet - 1) / packet * fabric.packets->header;
}

/// From issue to completion of a transfer alone on the fabric: clocks to the network interface, to
/// the fabric and back to the dispatcher; the latencies of the links and a clock in each router
/// between them (and in those at both ends, where others' messages pass through accelerators); and
/// serialisation. Two halves with a link in common follow each other there. Where packets have gone
/// through the receiver's own router, its interface hears of the last one a clock later.
Time transfer_time(arch::ArraySpec const& array, std::size_t from, std::size_t to,
                   std::int64_t bytes) {
  arch::Topology const topology{array};
  arch::NodeId const source{from};
  arch::NodeId const destination{to};
  auto const parts = topology.cut(source, destination, Bytes{bytes});
  auto const way = topology.route(source, destination, parts[0].turn);
  auto const other_way = topology.route(source, destination, parts[parts.size() - 1].turn);
  bool const shares =
      std::find_first_of(way.begin(), way.end(), other_way.begin(), other_way.end()) != way.end();
  Bytes in_a_row{0};
  for (auto const& part : parts) {
    if (shares || in_a_row == Bytes{0}) in_a_row += on_wire(array.fabric, part.size);
  }
  auto const links = static_cast<std::int64_t>(way.size());
  auto const routers = topology.passes_through(source) ? links + 1 : links - 1;
  bool const is_handed_over = array.fabric.packets && topology.passes_through(destination);
  return ns(is_handed_over ? 4 : 3) + array.fabric.latency * links + ns(routers) +
         in_a_row / topology.links()[way.front()].lane_bandwidth;
}

/// A transfer for each pair of accelerators. All meet at a barrier before each, so that the fabric
/// is idle for it.
TaskGraph one_transfer_at_a_time(std::size_t accelerators) {
  TaskBuilder build{accelerators};
  std::vector<std::vector<TaskId>> before(
      accelerators);  ///< what each has to do before it is there
  for (std::size_t pair = 0; pair < accelerators * accelerators; ++pair) {
    std::size_t const from = pair / accelerators;
    std::size_t const to = pair % accelerators;
    if (from == to) continue;
    BarrierId const barrier = build.graph.add_barrier();
    for (std::size_t member = 0; member < accelerators; ++member) {
      before[member] = {build.reach(barrier, member, before[member])};
    }
    auto const bytes = static_cast<std::int64_t>(37 * pair % 1'001);
    before[to].push_back(build.transfer(from, to, bytes, before[from]));
  }
  return build.graph;
}

void expect_idle_transfers_take_their_formula(arch::ArraySpec const& array) {
  auto const accelerators = static_cast<std::size_t>(array.accelerators);
  Simulation const simulation{array, one_transfer_at_a_time(accelerators)};
  std::size_t transfers = 0;
  for (auto const& event : simulation.sink.events) {
    if (event.kind != static_cast<std::uint8_t>(TaskKind::transfer)) continue;
    ++transfers;
    EXPECT_EQ(event.end - event.start,
              transfer_time(array, event.accelerator, event.destination, event.bytes.value()))
        << event.accelerator << " to " << event.destination;
  }
  EXPECT_EQ(transfers, accelerators * (accelerators - 1));
}

TEST(IdleFabric, TakesItsFormulaBetweenAllPairsOfAnHTree) {
  expect_idle_transfers_take_their_formula(small_array(16));
}

TEST(IdleFabric, TakesItsFormulaBetweenAllPairsOfATorus) {
  expect_idle_transfers_take_their_formula(small_array(16, FabricSpec::Topology::torus));
}

class IdleNetwork : public testing::TestWithParam<char const*> {};

TEST_P(IdleNetwork, TakesItsFormulaBetweenAllPairs) {
  expect_idle_transfers_take_their_formula(small_network(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Topologies, IdleNetwork,
                         testing::Values("mesh:4x2", "torus:2x2x2", "ring:8", "htree:8",
                                         "fat-tree:2x3", "star:8", "full:8", "dragonfly:2x2x2"));

class IdlePackets : public testing::TestWithParam<char const*> {};

// On links that are equally fast each packet follows the one before it at once, where routers have room for what is under way.
TEST_P(IdlePackets, TakeTheTimeOfTheWholeMessage) {
  expect_idle_transfers_take_their_formula(small_packets(GetParam()));
}

TEST_P(IdlePackets, TakeTheTimeOfTheirHeadersToo) {
  expect_idle_transfers_take_their_formula(small_packets(GetParam(), Bytes{16}));
}

INSTANTIATE_TEST_SUITE_P(Topologies, IdlePackets,
                         testing::Values("mesh:4x2", "torus:2x2x2", "ring:8", "htree:8",
                                         "fat-tree:2x3", "star:8", "full:8", "dragonfly:2x2x2"));

/// When every task of a run starts and ends.
std::string times_of(arch::ArraySpec const& array, TaskGraph const& tasks) {
  return test::forked([&] {
    Simulation const simulation{array, tasks};
    std::string text;
    for (auto const& event : simulation.sink.events) {
      text += std::to_string(event.start.value()) + ' ' + std::to_string(event.end.value()) + '\n';
    }
    return text;
  });
}

TEST(Network, IsTheBuiltInFabricWhereBothAreTheSameWires) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    auto const tasks = random_tasks(seed, 2, 200);
    EXPECT_EQ(times_of(small_network("star:2"), tasks), times_of(small_array(2), tasks));
    EXPECT_EQ(times_of(small_network("full:2"), tasks),
              times_of(small_array(2, FabricSpec::Topology::torus), tasks));
  }
}

/// On a network that a file describes, its links of 8 Gb/s a lane and 5 ns.
arch::ArraySpec on_topology(std::int64_t accelerators, std::string const& topology) {
  auto array = small_array(accelerators);
  auto const node = read_config_text(topology, "topology.yaml");
  auto const spec = arch::topology_from(node);
  bool const cuts = spec.half_way == arch::HalfWay::both;
  array.fabric.topology = FabricSpec::Topology::network;
  array.fabric.half_way = spec.half_way;
  array.fabric.graph = std::make_shared<arch::Interconnect const>(
      spec, cuts ? arch::Paths::equal_cost : arch::Paths::one);
  return array;
}

// The symptom: the same wires took 10.96 ms as `topology: torus` and 14.62 ms as `kind: torus`.
TEST(Network, IsTheBuiltInTorusNumberedByLevelThatTakesBothDirectionsHalfWay) {
  std::string const torus =
      "{kind: torus, shape: [4, 4], numbering: by-level, half_way: both, link: {bandwidth: 8 Gb/s, "
      "latency: 5 ns}}";
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    auto const tasks = random_tasks(seed, 16, 300);
    EXPECT_EQ(times_of(on_topology(16, torus), tasks),
              times_of(small_array(16, FabricSpec::Topology::torus), tasks));
  }
}

TEST(Network, IsTheHTreeWhereItIsATreeWithALaneForEachAccelerator) {
  std::string const tree =
      "{kind: tree, shape: [3, 2, 2], links: [{bandwidth: 8 Gb/s, latency: 5 ns, lanes: 4}, "
      "{bandwidth: 8 Gb/s, latency: 5 ns, lanes: 2}, {bandwidth: 8 Gb/s, latency: 5 ns}]}";
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    auto const tasks = random_tasks(seed, 12, 300);
    EXPECT_EQ(times_of(on_topology(12, tree), tasks), times_of(small_array(12), tasks));
  }
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

/// What a link carried: messages and bytes.
using Carried = std::pair<std::int64_t, std::int64_t>;

std::map<std::string, Carried> carried(Simulation const& simulation) {
  std::map<std::string, Carried> all;
  for (auto const& link : simulation.report.summary.links) {
    all[link.from + '>' + link.to] = {link.messages, link.bytes.value()};
    // Lanes of 1 byte per ns.
    EXPECT_EQ(link.busy, ns(link.bytes.value()));
    auto const room = static_cast<double>((simulation.time() * link.lanes).value());
    EXPECT_DOUBLE_EQ(link.utilisation, static_cast<double>(link.busy.value()) / room);
    EXPECT_DOUBLE_EQ(link.energy.value(), 100e-12 * static_cast<double>(link.bytes.value()) / 4);
  }
  return all;
}

TEST(FabricUse, NamesEveryLinkAndPairThatATransferWentOver) {
  TaskBuilder build{4};
  build.transfer(0, 3, 400);
  build.transfer(0, 3, 80);
  build.transfer(0, 1, 8);
  build.transfer(2, 1, 1'000);
  Simulation const simulation{small_array(4), build.graph};
  auto const expected = std::map<std::string, Carried>{
      {"accelerator-0>switch-2.0", {3, 488}},   {"switch-2.0>accelerator-0", {0, 0}},
      {"accelerator-1>switch-2.0", {0, 0}},     {"switch-2.0>accelerator-1", {2, 1'008}},
      {"accelerator-2>switch-2.1", {1, 1'000}}, {"switch-2.1>accelerator-2", {0, 0}},
      {"accelerator-3>switch-2.1", {0, 0}},     {"switch-2.1>accelerator-3", {2, 480}},
      {"switch-2.0>switch-1.0", {2, 480}},      {"switch-1.0>switch-2.0", {1, 1'000}},
      {"switch-2.1>switch-1.0", {1, 1'000}},    {"switch-1.0>switch-2.1", {2, 480}}};
  EXPECT_EQ(carried(simulation), expected);

  using Pair = std::tuple<int, int, std::int64_t, std::int64_t>;
  std::vector<Pair> pairs;
  for (auto const& entry : simulation.report.summary.traffic) {
    pairs.emplace_back(entry.source, entry.destination, entry.messages, entry.bytes.value());
  }
  EXPECT_EQ(pairs, (std::vector<Pair>{{0, 1, 1, 8}, {0, 3, 2, 480}, {2, 1, 1, 1'000}}));
}

TEST(FabricUse, HasNoLinksWhereThereIsOneAccelerator) {
  TaskBuilder build{1};
  build.compute(0, 10);
  Simulation const simulation{small_array(1), build.graph};
  EXPECT_TRUE(simulation.report.summary.links.empty());
  EXPECT_TRUE(simulation.report.summary.traffic.empty());
}

/// Every accelerator sends to its counterpart at one level, all at once.
struct ExchangeCase {
  std::string fabric;
  arch::ArraySpec array;
  int level;
};

std::vector<ExchangeCase> exchange_cases() {
  std::vector<ExchangeCase> cases;
  auto const add = [&](std::string const& fabric, arch::ArraySpec const& array) {
    for (int level = 1; level <= array.levels(); ++level) cases.push_back({fabric, array, level});
  };
  for (std::int64_t const accelerators : {2, 8, 16, 64}) {
    add("htree_" + std::to_string(accelerators), small_array(accelerators));
    add("torus_" + std::to_string(accelerators),
        small_array(accelerators, FabricSpec::Topology::torus));
  }
  add("mesh_4x4", small_network("mesh:4x4"));
  add("ring_16", small_network("ring:16"));
  add("tree_16", small_network("htree:16"));
  add("dragonfly_16", small_network("dragonfly:2x4x2"));
  return cases;
}

std::ostream& operator<<(std::ostream& out, ExchangeCase const& test) {
  return out << test.fabric << "_level_" << test.level;
}

class Exchange : public testing::TestWithParam<ExchangeCase> {};

TEST_P(Exchange, TakesAsLongAsItsBusiestLaneButForLatencies) {
  auto const& [fabric, array, level] = GetParam();
  arch::Topology const topology{array};
  Bytes const each{100'000};
  TaskBuilder build{topology.accelerators()};
  for (std::size_t from = 0; from < topology.accelerators(); ++from) {
    auto const to = topology.counterpart(arch::NodeId{from}, level);
    build.transfer(from, to.index(), each.value());
  }
  Simulation const simulation{array, build.graph};
  Time const busiest = arch::exchange_time(topology, level, each);
  EXPECT_GE(simulation.time(), busiest);
  EXPECT_LE(simulation.time(), busiest + ns(100));  // at most 12 links of 5 + 1 ns in a row
}

INSTANTIATE_TEST_SUITE_P(Levels, Exchange, testing::ValuesIn(exchange_cases()),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace tessera::sim
