// Transfers out and in.
#include "sim/model/fabric/network_interface.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/model/memory/bandwidth_memory.hpp"
#include "test/sim/model/fabric/small_arrays.hpp"
#include "test/sim/model/protocol/core_harness.hpp"

namespace tessera::sim {
namespace {

using testing::IsEmpty;

/// The interface of accelerator 0; task 0 goes to `destination`, task 1 comes from it and reduces.
class TwoInterfaces {
 public:
  TwoInterfaces(arch::ArraySpec const& array, std::size_t destination, std::int64_t bytes)
      : topology{array}, graph{static_cast<std::size_t>(array.accelerators)} {
    Task task;
    task.kind = TaskKind::transfer;
    task.destination = AcceleratorId{destination};
    task.bytes = Bytes{bytes};
    graph.add(task, {});
    std::swap(task.accelerator, task.destination);
    task.reduces = true;
    graph.add(task, {});
  }

  std::vector<Outbox::Entry> start(Time now) {
    return advance(core, now,
                   {{NetworkInterface::from_dispatcher, issue(TaskId{0}, graph.at(TaskId{0}))}});
  }
  std::vector<Outbox::Entry> hear(Time now, std::vector<Message> const& messages) {
    std::vector<Arrival> arrivals;
    for (Message const& message : messages) {
      arrivals.push_back({NetworkInterface::from_fabric, message});
    }
    return advance(core, now, arrivals);
  }

  arch::Topology topology;
  TaskGraph graph;
  NetworkInterface core{AcceleratorId{0}, ghz, graph, topology};
};

Message sent(Message packet) {
  packet.kind = Message::Kind::sent;
  return packet;
}

Message half(Message packet, arch::Turn turn, Time tail) {
  packet.parts = 2;
  packet.turn = turn;
  packet.tail = tail;
  return packet;
}

TEST(NetworkInterface, HandsATransferToTheFabricAtTheNextClock) {
  TwoInterfaces fixture{small_array(2), 1, 100};
  auto const out = fixture.start(ns(3));
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].at, ns(4));
  EXPECT_EQ(out[0].port, NetworkInterface::to_fabric);
  EXPECT_EQ(out[0].message, packet(0, 0, 1, 100));
}

TEST(NetworkInterface, GivesAMessageTheRankOfItsTransfer) {
  auto const array = small_array(2);
  arch::Topology const topology{array};
  TaskGraph graph{2};
  Task task;
  task.kind = TaskKind::transfer;
  task.destination = AcceleratorId{1};
  task.bytes = Bytes{100};
  task.rank = 17;
  auto const id = graph.add(task, {});
  NetworkInterface core{AcceleratorId{0}, ghz, graph, topology};
  auto const out = advance(core, ns(3), {{NetworkInterface::from_dispatcher, issue(id, task)}});
  EXPECT_EQ(out.at(0).message.rank, 17U);
}

TEST(NetworkInterface, CutsATransferInTwoWhereTwoWaysAreEquallyShort) {
  // A torus of 16 is 4 x 4: half-way round a ring of four are two ways.
  auto const array = small_array(16, arch::FabricSpec::Topology::torus);
  arch::Topology const topology{array};
  for (std::size_t destination = 1; destination < 16; ++destination) {
    TwoInterfaces fixture{array, destination, 101};
    auto const out = fixture.start(ns(3));
    bool const two = topology.has_two_ways(arch::NodeId{0}, arch::NodeId{destination});
    ASSERT_EQ(out.size(), two ? 2U : 1U);
    Bytes sum{0};
    for (auto const& entry : out) {
      EXPECT_EQ(entry.message.parts, out.size());
      EXPECT_EQ(entry.at, ns(4));
      sum += entry.message.bytes;
    }
    EXPECT_EQ(sum, Bytes{101});
    EXPECT_EQ(two, out.front().message.turn != out.back().message.turn);
  }
}

/// Some destination of accelerator 0 to which two ways are equally short.
std::size_t two_way_destination(arch::ArraySpec const& array) {
  arch::Topology const topology{array};
  std::size_t destination = 1;
  while (!topology.has_two_ways(arch::NodeId{0}, arch::NodeId{destination})) ++destination;
  return destination;
}

TEST(NetworkInterface, SaysSentWhenTheLastHalfHasLeft) {
  auto const array = small_array(16, arch::FabricSpec::Topology::torus);
  TwoInterfaces fixture{array, two_way_destination(array), 100};
  auto const halves = fixture.start(ns(3));
  EXPECT_THAT(fixture.hear(ns(50), {sent(halves.at(1).message)}), IsEmpty());
  EXPECT_EQ(statistic(fixture.core, "bytes_sent"), 0);
  auto const out = fixture.hear(ns(60), {sent(halves.at(0).message)});
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].port, NetworkInterface::to_dispatcher);
  EXPECT_EQ(out[0].message.kind, Message::Kind::sent);
  EXPECT_EQ(out[0].at, ns(61));
  EXPECT_EQ(statistic(fixture.core, "bytes_sent"), 100);
  EXPECT_EQ(statistic(fixture.core, "transfers_sent"), 1);
}

TEST(NetworkInterface, SaysDoneOneClockAfterTheTailIsHere) {
  TwoInterfaces fixture{small_array(2), 1, 100};
  auto const out = fixture.hear(ns(10), {packet(1, 1, 0, 100, ns(100))});
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].message.kind, Message::Kind::done);
  EXPECT_EQ(out[0].message.task, TaskId{1});
  EXPECT_EQ(out[0].at, ns(10 + 100 + 1));
}

TEST(NetworkInterface, ASummandIsThereWhenItHasBeenAdded) {
  // Of 100 B at 1 GB/s two reads and a write are 300 ns; task 0 is none that reduces.
  TwoInterfaces fixture{small_array(2), 1, 100};
  NetworkInterface adding{AcceleratorId{0}, ghz, fixture.graph, fixture.topology,
                          TransferEnds{Bandwidth{8'000'000'000}}};
  Arrival const summand{NetworkInterface::from_fabric, packet(1, 1, 0, 100, ns(100))};
  Arrival const copy{NetworkInterface::from_fabric, packet(0, 1, 0, 100, ns(100))};
  EXPECT_EQ(advance(adding, ns(10), {summand}).at(0).at, ns(10 + 100 + 300 + 1));
  EXPECT_EQ(advance(adding, ns(1000), {copy}).at(0).at, ns(1000 + 100 + 1));
}

/// Accelerator 0 with a memory of 1 B/ns that answers after 7 ns, through which transfers go in
/// blocks of 40 B.
struct ThroughMemory : TwoInterfaces {
  ThroughMemory() : TwoInterfaces{small_array(2), 1, 100} {}

  BusyHistogram utilisation;
  BandwidthMemory memory{{Bandwidth{8'000'000'000}, ns(7)}, ghz, graph, utilisation};
  NetworkInterface through{AcceleratorId{0}, ghz, graph, topology,
                           TransferEnds{{}, &memory, Bytes{40}}};
};

TEST(NetworkInterface, ReadsABlockWhileTheOneBeforeLeaves) {
  ThroughMemory fixture;
  auto out =
      advance(fixture.through, ns(3),
              {{NetworkInterface::from_dispatcher, issue(TaskId{0}, fixture.graph.at(TaskId{0}))}});
  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[0].message.parts, 3U);
  EXPECT_EQ(out[0].message.bytes, Bytes{40});
  EXPECT_EQ(out[0].at, ns(3 + 40 + 7 + 1));
  EXPECT_EQ(out[1].at, ns(3 + 80 + 7 + 1));
  auto const block = sent(out[0].message);
  out = advance(fixture.through, ns(200), {{NetworkInterface::from_fabric, block}});
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].message.bytes, Bytes{20});
  EXPECT_EQ(out[0].at, ns(200 + 20 + 7 + 1));
  EXPECT_THAT(advance(fixture.through, ns(240), {{NetworkInterface::from_fabric, block}}),
              IsEmpty());
  out = advance(fixture.through, ns(260), {{NetworkInterface::from_fabric, block}});
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].message.kind, Message::Kind::sent);
  EXPECT_EQ(statistic(fixture.memory, "bytes_read"), 100);
}

TEST(NetworkInterface, WritesWhatHasArrivedAndReadsTheOtherSummandFirst) {
  ThroughMemory fixture;
  auto block = packet(1, 1, 0, 40, ns(5));
  block.parts = 1;
  EXPECT_THAT(advance(fixture.through, ns(10), {{NetworkInterface::from_fabric, block}}),
              IsEmpty());
  // The tail is here at 15 ns, the other summand 47 ns later.
  EXPECT_THAT(advance(fixture.through, ns(15)), IsEmpty());
  auto const out = advance(fixture.through, ns(62));
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].message.kind, Message::Kind::done);
  EXPECT_EQ(out[0].at, ns(62 + 40 + 7 + 1));
  EXPECT_EQ(statistic(fixture.memory, "bytes_read"), 40);
  EXPECT_EQ(statistic(fixture.memory, "bytes_written"), 40);
}

TEST(NetworkInterface, SaysDoneAtTheClockEdgeAfterATailBetweenEdges) {
  TwoInterfaces fixture{small_array(2), 1, 100};
  auto const out = fixture.hear(Time{10'300}, {packet(1, 1, 0, 100, ns(100))});
  EXPECT_EQ(out.at(0).at, ns(10 + 100 + 2));  // seen at 111 ns, told one clock later
}

TEST(NetworkInterface, WaitsForTheLaterTailWhicheverHeadComesFirst) {
  auto const array = small_array(16, arch::FabricSpec::Topology::torus);
  Message const whole = packet(1, two_way_destination(array), 0, 50);
  for (Time const first_tail : {ns(100), ns(5)}) {
    TwoInterfaces fixture{array, two_way_destination(array), 100};
    EXPECT_THAT(fixture.hear(ns(10), {half(whole, arch::Turn::negative, first_tail)}), IsEmpty());
    auto const out = fixture.hear(ns(20), {half(whole, arch::Turn::positive, ns(30))});
    EXPECT_EQ(out.at(0).at, std::max(ns(10) + first_tail, ns(20 + 30)) + ns(1));
  }
}

TEST(NetworkInterface, CountsWhatItReceivesAndWhatItReduces) {
  TwoInterfaces fixture{small_array(2), 1, 101};
  fixture.hear(ns(10), {packet(1, 1, 0, 101)});
  EXPECT_EQ(statistic(fixture.core, "transfers_received"), 1);
  EXPECT_EQ(statistic(fixture.core, "bytes_received"), 101);
  EXPECT_EQ(statistic(fixture.core, "words_received"), 26);  // 25.25 words
  EXPECT_EQ(statistic(fixture.core, "words_reduced"), 26);
  EXPECT_EQ(statistic(fixture.core, "bytes_sent"), 0);
}

TEST(NetworkInterface, RefusesPacketsForOthers) {
  TwoInterfaces fixture{small_array(4), 1, 100};
  EXPECT_THROW(fixture.hear(ns(10), {packet(1, 1, 2, 100)}), ContractError);
}

TEST(NetworkInterface, RefusesToHaveSentWhatItDidNotSend) {
  TwoInterfaces fixture{small_array(2), 1, 100};
  EXPECT_THROW(fixture.hear(ns(10), {sent(packet(0, 0, 1, 100))}), ContractError);
}

/// Accelerator 0 sends with task 0, in three rounds, what 1 sends to it with task 1.
class Rounds : public testing::Test {
 protected:
  Rounds() {
    Task task;
    task.kind = TaskKind::transfer;
    task.destination = AcceleratorId{1};
    task.bytes = Bytes{30};
    task.rounds = 3;
    task.rank = 5;
    graph.add(task, {});
    std::swap(task.accelerator, task.destination);
    graph.add(task, {});
    graph.pass_on(TaskId{0}, TaskId{1});
    graph.pass_on(TaskId{1}, TaskId{0});
  }
  std::vector<Outbox::Entry> start(Time now) {
    auto first = issue(TaskId{0}, graph.at(TaskId{0}));
    first.bytes = Bytes{10};
    return advance(core, now, {{NetworkInterface::from_dispatcher, first}});
  }
  std::vector<Outbox::Entry> hear(Time now, Message message, std::uint32_t round) {
    message.round = round;
    return advance(core, now, {{NetworkInterface::from_fabric, message}});
  }
  static Message incoming() { return packet(1, 1, 0, 10, ns(2)); }
  static Message outgoing() { return sent(packet(0, 0, 1, 10)); }

  arch::ArraySpec array = small_array(2);
  arch::Topology topology{array};
  TaskGraph graph{2};
  NetworkInterface core{AcceleratorId{0}, ghz, graph, topology};
};

TEST_F(Rounds, GoWhenOneHasComeAsLateAsIfTheDispatcherHadIssuedThem) {
  auto const first = start(ns(3));
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].message.bytes, Bytes{10});
  EXPECT_EQ(first[0].message.rank, 5U);
  // Here at 22, heard of at 23, issued to arrive at 24.
  auto const second = hear(ns(20), incoming(), 0);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0].port, NetworkInterface::to_fabric);
  EXPECT_EQ(second[0].at, ns(25));
  EXPECT_EQ(second[0].message.round, 1U);
  EXPECT_EQ(second[0].message.rank, 7U) << "an exchange step of two accelerators later";
}

TEST_F(Rounds, AreHeardOfByTheDispatcherWhenAllHaveLeftAndWhenAllHaveCome) {
  static_cast<void>(start(ns(3)));
  EXPECT_EQ(hear(ns(20), incoming(), 0).size(), 1U);
  EXPECT_THAT(hear(ns(21), outgoing(), 0), IsEmpty());
  EXPECT_EQ(hear(ns(40), incoming(), 1).size(), 1U);
  EXPECT_THAT(hear(ns(50), outgoing(), 1), IsEmpty());
  auto const all_here = hear(ns(60), incoming(), 2);
  ASSERT_EQ(all_here.size(), 1U);
  EXPECT_EQ(all_here[0].port, NetworkInterface::to_dispatcher);
  EXPECT_EQ(all_here[0].message.kind, Message::Kind::done);
  EXPECT_EQ(all_here[0].at, ns(63));
  auto const all_left = hear(ns(70), outgoing(), 2);
  ASSERT_EQ(all_left.size(), 1U);
  EXPECT_EQ(all_left[0].message.kind, Message::Kind::sent);
  EXPECT_EQ(all_left[0].at, ns(71));
  EXPECT_EQ(statistic(core, "transfers_sent"), 3);
  EXPECT_EQ(statistic(core, "bytes_received"), 30);
}

TEST_F(Rounds, WaitForTheirTransfersTurn) {
  EXPECT_THAT(hear(ns(20), incoming(), 0), IsEmpty());
  EXPECT_THAT(hear(ns(30), incoming(), 1), IsEmpty());
  // The second could go at 34, after the first at 33, when the transfer is issued.
  auto const all = start(ns(32));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].at, ns(33));
  EXPECT_EQ(all[1].at, ns(33));
  EXPECT_EQ(all[2].at, ns(35));
  for (std::uint32_t round = 0; round < 3; ++round) EXPECT_EQ(all[round].message.round, round);
}

/// Of one that comes first one may be told last.
TEST_F(Rounds, MayBeToldInAnyOrder) {
  EXPECT_THAT(hear(ns(60), incoming(), 2), IsEmpty());
  EXPECT_THAT(hear(ns(40), incoming(), 1), IsEmpty());
  auto const last = hear(ns(20), incoming(), 0);
  ASSERT_EQ(last.size(), 1U);
  EXPECT_EQ(last[0].at, ns(63));
}

}  // namespace
}  // namespace tessera::sim
