// The hooks that make cores skippable, the same law for every core: a core moved in time by `shift` is in the same canonical
// state, answers the same messages with the same answers moved by as much, and counts the same.
//
// And the converse: cores with different pasts but the same future are in the same state.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "sim/model/array/array_cores.hpp"
#include "sim/model/compute/mac_rate_unit.hpp"
#include "test/sim/model/fabric/small_arrays.hpp"
#include "test/sim/model/protocol/core_harness.hpp"

namespace tessera::sim {
namespace {

constexpr Bandwidth byte_per_ns{8'000'000'000};

/// 700 MHz: the pattern of edges repeats every 10 ns (7 cycles).
Clock const odd_clock{Frequency{700'000'000}};
constexpr Time shifts = ns(10) * 12'345;

/// Messages of one instant, relative to the start of a scenario.
struct Instant {
  Time at;
  std::vector<Arrival> arrivals;
};

/// A core with everything that it refers to.
struct Subject {
  std::shared_ptr<void> surroundings;
  std::shared_ptr<Core> core;
};

struct Scenario {
  std::string name;
  std::function<Subject()> make;
  std::vector<Instant> past;    ///< brings the core into the state
  Time now;                     ///< when its state is compared
  std::vector<Instant> future;  ///< what it must answer alike
};

std::ostream& operator<<(std::ostream& out, Scenario const& scenario) {
  return out << scenario.name;
}

std::vector<Outbox::Entry> drive(Core& core, std::vector<Instant> const& instants, Time offset) {
  std::vector<Outbox::Entry> all;
  for (Instant const& instant : instants) {
    for (auto entry : advance(core, instant.at + offset, instant.arrivals)) {
      entry.at -= offset;
      all.push_back(entry);
    }
  }
  return all;
}

std::vector<std::int64_t> values(Core const& core) {
  std::vector<std::int64_t> all;
  for (Statistic const& statistic : core.statistics()) all.push_back(statistic.value);
  return all;
}

void expect_equal(std::vector<Outbox::Entry> const& a, std::vector<Outbox::Entry> const& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t index = 0; index < a.size(); ++index) {
    EXPECT_EQ(a[index].at, b[index].at);
    EXPECT_EQ(a[index].port, b[index].port);
    EXPECT_EQ(a[index].message, b[index].message);
  }
}

/// The tasks that every scenario draws on: 0 computes, 1 loads, 2 goes from 0 to `far`, 3 comes
/// from there, 4 computes after 3, 5 computes after 0 and 4.
TaskGraph six_tasks(std::size_t accelerators, std::size_t far) {
  TaskGraph graph{accelerators};
  auto const add = [&](TaskKind kind, std::size_t from, std::size_t to,
                       std::vector<TaskId> const& after) {
    Task task;
    task.kind = kind;
    task.accelerator = AcceleratorId{from};
    task.destination = AcceleratorId{to};
    if (kind == TaskKind::compute) task.macs = Macs{57};
    if (kind != TaskKind::compute) task.bytes = Bytes{100};
    graph.add(task, after);
  };
  add(TaskKind::compute, 0, 0, {});
  add(TaskKind::load, 0, 0, {});
  add(TaskKind::transfer, 0, far, {});
  add(TaskKind::transfer, far, 0, {});
  add(TaskKind::compute, 0, 0, {TaskId{3}});
  add(TaskKind::compute, 0, 0, {TaskId{0}, TaskId{4}});
  return graph;
}

/// Everything that cores refer to.
struct World {
  World(arch::ArraySpec const& array, std::size_t far)
      : graph{six_tasks(static_cast<std::size_t>(array.accelerators), far)}, topology{array} {}

  TaskGraph graph;
  arch::Topology topology;
  Schedule schedule{graph};
  Records records{graph};
  BusyHistogram utilisation;
};

/// `make_core(world)` in a world of two accelerators on an H-tree.
template <typename MakeCore>
std::function<Subject()> in_world(MakeCore make_core) {
  return [make_core] {
    auto const world = std::make_shared<World>(small_array(2), 1);
    world->records.journal.start(TaskId{3}, Time{0});  // by the other accelerator
    return Subject{world, make_core(*world)};
  };
}

Arrival with_kind(Port port, Message::Kind kind, std::size_t task, std::size_t far = 1) {
  TaskGraph const graph = six_tasks(far + 1, far);
  Message message = issue(TaskId{task}, graph.at(TaskId{task}));
  message.kind = kind;
  return {port, message};
}

Scenario dispatcher_scenario() {
  auto const from_unit = [](std::size_t task) {
    return with_kind(Dispatcher::from_processing_unit, Message::Kind::done, task);
  };
  Arrival const incoming = with_kind(Dispatcher::from_network_interface, Message::Kind::done, 3);
  return {"dispatcher",
          in_world([](World& world) {
            return std::make_shared<Dispatcher>(AcceleratorId{0}, odd_clock, world.schedule,
                                                world.records);
          }),
          {{Time{0}, {}}, {ns(30), {from_unit(0)}}},
          Time{34'567},
          {{ns(41), {incoming}}, {ns(50), {from_unit(4)}}}};
}

Scenario processing_unit_scenario() {
  auto const start = [](std::size_t task) {
    return with_kind(MacRateUnit::from_dispatcher, Message::Kind::issue, task);
  };
  return {"processing_unit",
          in_world([](World& world) {
            return std::make_shared<MacRateUnit>(arch::MacRateUnitSpec{}, odd_clock, world.graph,
                                                 world.utilisation);
          }),
          {{ns(3), {start(0)}}},
          ns(20),
          {{ns(21), {start(4)}}, {ns(300), {start(5)}}}};
}

Scenario memory_scenario(std::string name, arch::MemorySpec spec) {
  Arrival const load = with_kind(Memory::from_dispatcher, Message::Kind::issue, 1);
  return {std::move(name),
          in_world([spec](World& world) -> std::shared_ptr<Core> {
            return make_memory(spec, {odd_clock, world.graph, world.utilisation});
          }),
          {{ns(3), {load}}},
          ns(20),
          {{ns(21), {load}}, {ns(300), {load}}}};
}

/// Transfers in two halves: in a torus of 4 x 4, accelerator 8 is half-way round from 0.
Scenario network_interface_scenario() {
  std::size_t const far = 8;
  auto const half_of = [](Message message, arch::Turn turn) {
    message.parts = 2;
    message.turn = turn;
    return Arrival{NetworkInterface::from_fabric, message};
  };
  Message const incoming = packet(3, far, 0, 50, ns(90));
  Message sent = packet(2, 0, far, 50);
  sent.kind = Message::Kind::sent;
  return {"network_interface",
          [far] {
            auto const array = small_array(16, arch::FabricSpec::Topology::torus);
            auto const world = std::make_shared<World>(array, far);
            return Subject{world, std::make_shared<NetworkInterface>(
                                      AcceleratorId{0}, odd_clock, world->graph, world->topology)};
          },
          {{ns(3),
            {with_kind(NetworkInterface::from_dispatcher, Message::Kind::issue, 2, far),
             half_of(incoming, arch::Turn::positive)}}},
          ns(20),
          {{ns(30), {half_of(incoming, arch::Turn::negative), half_of(sent, arch::Turn::positive)}},
           {ns(31), {half_of(sent, arch::Turn::negative)}}}};
}

Scenario link_scenario() {
  return {"link",
          in_world([](World& world) {
            arch::Link spec;
            spec.from = arch::NodeId{0};
            spec.lanes = 2;
            spec.lane_bandwidth = byte_per_ns;
            spec.latency = ns(5);
            auto const lane_of = [](AcceleratorId source) {
              return static_cast<std::int64_t>(source.index() % 2);
            };
            return std::make_shared<Link>(spec, odd_clock.period(), lane_of, world.utilisation);
          }),
          {{ns(3), {{Link::head, packet(0, 0, 1, 100)}, {Link::head, packet(1, 1, 0, 7)}}}},
          ns(20),
          {{ns(21), {{Link::head, packet(2, 0, 1, 9)}, {Link::head, packet(3, 1, 0, 9)}}}}};
}

Scenario router_scenario() {
  return {"router",
          in_world([](World&) {
            return std::make_shared<Router>(odd_clock.period(),
                                            [](Message const&) { return Port{0}; });
          }),
          {{ns(3), {{Router::from_links, packet(0, 0, 1, 100)}}}},
          ns(20),
          {{ns(21), {{Router::from_links, packet(1, 0, 1, 100)}}}}};
}

Scenario synchronizer_scenario() {
  auto const reach = [](std::size_t accelerator, std::size_t barrier) {
    Message message;
    message.kind = Message::Kind::arrive;
    message.source = AcceleratorId{accelerator};
    message.barrier = BarrierId{barrier};
    message.task = TaskId{10 * accelerator + barrier};
    return Arrival{Synchronizer::from_dispatchers, message};
  };
  return {"synchronizer",
          in_world([](World& world) {
            static_cast<void>(world.graph.add_barrier());
            static_cast<void>(world.graph.add_barrier());
            return std::make_shared<Synchronizer>(Folding{2}, odd_clock.period(),
                                                  world.graph.barrier_members());
          }),
          {{ns(3), {reach(0, 0), reach(1, 1)}}},
          ns(20),
          {{ns(21), {reach(0, 1)}}, {ns(23), {reach(1, 0)}}}};
}

std::vector<Scenario> all_scenarios() {
  return {dispatcher_scenario(),
          processing_unit_scenario(),
          memory_scenario("ideal_memory", arch::IdealMemorySpec{}),
          memory_scenario("bandwidth_memory", arch::BandwidthMemorySpec{byte_per_ns, Time{40'200}}),
          network_interface_scenario(),
          link_scenario(),
          router_scenario(),
          synchronizer_scenario()};
}

class EveryCore : public testing::TestWithParam<Scenario> {};

TEST_P(EveryCore, MovedInTimeHasTheSameStateAndTheSameFuture) {
  Scenario const& scenario = GetParam();
  Subject const stays = scenario.make();
  Subject const moves = scenario.make();
  expect_equal(drive(*stays.core, scenario.past, Time{0}),
               drive(*moves.core, scenario.past, Time{0}));
  moves.core->shift(shifts);
  EXPECT_EQ(state(*moves.core, scenario.now + shifts), state(*stays.core, scenario.now));
  EXPECT_EQ(values(*moves.core), values(*stays.core)) << "time moves, counters do not";
  EXPECT_EQ(moves.core->remaining(), stays.core->remaining());
  expect_equal(drive(*moves.core, scenario.future, shifts),
               drive(*stays.core, scenario.future, Time{0}));
  EXPECT_EQ(values(*moves.core), values(*stays.core));
}

TEST_P(EveryCore, HasNoStateThatASecondLookChanges) {
  Scenario const& scenario = GetParam();
  Subject const subject = scenario.make();
  drive(*subject.core, scenario.past, Time{0});
  EXPECT_EQ(state(*subject.core, scenario.now), state(*subject.core, scenario.now));
}

TEST_P(EveryCore, ShowsAMessageThatWaitsToBeTakenInItsState) {
  Scenario const& scenario = GetParam();
  Subject const subject = scenario.make();
  drive(*subject.core, scenario.past, Time{0});
  auto const before = state(*subject.core, scenario.now);
  Arrival const& arrival = scenario.future.front().arrivals.front();
  subject.core->push(scenario.now, arrival.port, arrival.message);
  EXPECT_NE(state(*subject.core, scenario.now), before);
}

INSTANTIATE_TEST_SUITE_P(Cores, EveryCore, testing::ValuesIn(all_scenarios()),
                         [](auto const& test) { return test.param.name; });

Subject make_link() { return link_scenario().make(); }

TEST(CanonicalState, OfALinkForgetsHowItsLaneBecameBusy) {
  Subject const once = make_link();
  Subject const twice = make_link();
  // Both lanes are taken until 53 ns: by 50 bytes at once, or by 20 and then 30.
  advance(*once.core, ns(3), {{Link::head, packet(0, 0, 1, 50)}});
  advance(*twice.core, ns(3), {{Link::head, packet(0, 0, 1, 20)}});
  EXPECT_NE(state(*once.core, ns(4)), state(*twice.core, ns(4)));
  advance(*twice.core, ns(4), {{Link::head, packet(1, 0, 1, 30)}});
  EXPECT_EQ(state(*once.core, ns(5)), state(*twice.core, ns(5)));
  EXPECT_NE(values(*once.core), values(*twice.core)) << "statistics are not state";
}

TEST(CanonicalState, OfALinkForgetsWhatIsPast) {
  Subject const used = make_link();
  Subject const unused = make_link();
  advance(*used.core, ns(3), {{Link::head, packet(0, 0, 1, 50)}});
  EXPECT_NE(state(*used.core, ns(52)), state(*unused.core, ns(52)));
  EXPECT_EQ(state(*used.core, ns(53)), state(*unused.core, ns(53)));
}

TEST(CanonicalState, GrowsByTheSameStatisticsInEqualPeriods) {
  Subject const link = make_link();
  std::vector<std::vector<std::int64_t>> samples;
  for (std::int64_t period = 0; period < 4; ++period) {
    advance(*link.core, ns(100 * period + 1), {{Link::head, packet(0, 0, 1, 60)}});
    advance(*link.core, ns(100 * period + 9), {{Link::head, packet(1, 1, 0, 20)}});
    EXPECT_EQ(state(*link.core, ns(100 * period + 10)), state(*link.core, ns(100 * period + 10)));
    samples.push_back(values(*link.core));
  }
  for (std::size_t period = 2; period < samples.size(); ++period) {
    for (std::size_t counter = 0; counter < samples[0].size(); ++counter) {
      EXPECT_EQ(samples[period][counter] - samples[period - 1][counter],
                samples[1][counter] - samples[0][counter]);
    }
  }
}

TEST(EdgePattern, RepeatsAfterTheSmallestTimeThatIsWholeCyclesAndPicoseconds) {
  EXPECT_EQ(edge_pattern(ghz), Time{1'000});
  EXPECT_EQ(edge_pattern(odd_clock), Time{10'000});
  EXPECT_EQ(edge_pattern(Clock{Frequency{3}}), Time{picoseconds_per_second});
  for (std::int64_t edge = 0; edge < 20; ++edge) {
    EXPECT_EQ(odd_clock.edge(Cycles{edge + 7}), odd_clock.edge(Cycles{edge}) + Time{10'000});
  }
}

TEST(CanonicalState, TellsClockPhasesApart) {
  Subject const subject = processing_unit_scenario().make();
  EXPECT_NE(state(*subject.core, ns(1)), state(*subject.core, ns(2)));
  EXPECT_EQ(state(*subject.core, ns(1)), state(*subject.core, ns(11)));
}

}  // namespace
}  // namespace tessera::sim
