// What a link times, by hand, by law and against its slow twin.
#include "sim/model/fabric/link.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "test/sim/model/fabric/fluid_links.hpp"
#include "test/sim/model/fabric/link_chain.hpp"
#include "test/sim/model/protocol/core_harness.hpp"

namespace tessera::sim {
namespace {

constexpr Bandwidth one_byte_per_ns{8'000'000'000};

arch::Link link_spec(std::int64_t lanes = 1, Time latency = ns(5), std::size_t from = 100) {
  arch::Link spec;
  spec.from = arch::NodeId{from};
  spec.lanes = lanes;
  spec.lane_bandwidth = one_byte_per_ns;
  spec.latency = latency;
  return spec;
}

class OneLink {
 public:
  explicit OneLink(arch::Link const& spec)
      : core{spec, ghz.period(),
             [lanes = spec.lanes](AcceleratorId source) {
               return static_cast<std::int64_t>(source.index()) % lanes;
             },
             utilisation} {}

  std::vector<Outbox::Entry> carry(Time now, std::vector<Message> const& messages) {
    std::vector<Arrival> arrivals;
    for (Message const& message : messages) arrivals.push_back({Link::head, message});
    return advance(core, now, arrivals);
  }

  BusyHistogram utilisation;
  Link core;
};

TEST(Link, ForwardsTheHeadAfterItsLatencyAndTheTailAfterSerialisation) {
  OneLink link{link_spec()};
  auto const out = link.carry(ns(3), {packet(0, 0, 1, 20)});
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(out[0].port, Link::forward);
  EXPECT_EQ(out[0].at, ns(3 + 5));
  EXPECT_EQ(out[0].message.tail, ns(20));
}

TEST(Link, TakesAtLeastOneFabricClock) {
  OneLink link{link_spec(1, Time{0})};
  EXPECT_EQ(link.carry(ns(3), {packet(0, 0, 1, 20)}).at(0).at, ns(3 + 1));
}

TEST(Link, SecondMessageWaitsForTheFirst) {
  // The first keeps the lane from 3 to 23 ns.
  for (Time const arrival : {ns(22), ns(23), ns(24)}) {
    OneLink link{link_spec()};
    link.carry(ns(3), {packet(0, 0, 1, 20)});
    auto const out = link.carry(arrival, {packet(1, 0, 1, 20)});
    EXPECT_EQ(out.at(0).at, std::max(arrival, ns(23)) + ns(5));
  }
}

TEST(Link, TakesMessagesOfOneInstantInCanonicalOrder) {
  OneLink link{link_spec()};
  auto const out = link.carry(ns(3), {packet(7, 0, 1, 20), packet(2, 0, 1, 30)});
  EXPECT_EQ(out.at(0).message.task, TaskId{2});
  EXPECT_EQ(out.at(1).at, ns(3 + 30 + 5));
}

TEST(Link, TakesRankedMessagesOfOneInstantByRankThenByHops) {
  auto const ranked = [](std::size_t task, std::uint64_t rank, std::uint16_t hops) {
    auto message = packet(task, task, 9, 20);
    message.rank = rank;
    message.hops = hops;
    return message;
  };
  OneLink link{link_spec()};
  auto const out = link.carry(ns(3), {ranked(1, 5, 2), ranked(2, 5, 1), ranked(3, 4, 3)});
  std::vector<TaskId> order;
  for (auto const& entry : out) order.push_back(entry.message.task);
  EXPECT_EQ(order, (std::vector<TaskId>{TaskId{3}, TaskId{2}, TaskId{1}}));
}

TEST(Link, TakesMessagesWithoutARankInOrderOfTheirTasksHoweverFarTheyHaveCome) {
  OneLink link{link_spec()};
  auto early = packet(1, 1, 9, 20);
  early.hops = 2;
  EXPECT_EQ(link.carry(ns(3), {packet(2, 2, 9, 20), early}).at(0).message.task, TaskId{1});
}

TEST(Link, TellsNobodyWhenAMessageOfItsOwnAcceleratorComesBy) {
  OneLink first{link_spec(1, ns(5), 0)};
  auto again = packet(0, 0, 1, 20);
  again.hops = 2;  // for a copy of the sender, two links back
  EXPECT_EQ(first.carry(ns(3), {again}).size(), 1U);
}

TEST(Link, MessagesOnDifferentLanesDoNotWaitForEachOther) {
  OneLink link{link_spec(2)};
  auto const out = link.carry(ns(3), {packet(0, 0, 9, 20), packet(1, 1, 9, 20),
                                      packet(2, 2, 9, 20)});  // 2 shares the lane of 0
  EXPECT_EQ(out.at(0).at, ns(8));
  EXPECT_EQ(out.at(1).at, ns(8));
  EXPECT_EQ(out.at(2).at, ns(28));
}

TEST(Link, KeepsTheLaneUntilASlowTailHasPassed) {
  OneLink link{link_spec()};
  auto const out = link.carry(ns(3), {packet(0, 0, 1, 20, ns(50))});
  EXPECT_EQ(out.at(0).at, ns(8)) << "cut-through: the head does not wait";
  EXPECT_EQ(out.at(0).message.tail, ns(50));
  EXPECT_EQ(link.carry(ns(4), {packet(1, 0, 1, 20)}).at(0).at, ns(53 + 5));
  EXPECT_EQ(statistic(link.core, "busy"), ns(20 + 20).value()) << "stalled is not busy";
}

TEST(Link, CarriesNothingInNoTimeButLatency) {
  OneLink link{link_spec()};
  auto const out = link.carry(ns(3), {packet(0, 0, 1, 0), packet(1, 0, 1, 0)});
  for (auto const& entry : out) {
    EXPECT_EQ(entry.at, ns(8));
    EXPECT_EQ(entry.message.tail, Time{0});
  }
}

TEST(Link, TellsTheSenderOnItsOwnFirstLinkOnly) {
  OneLink first{link_spec(1, ns(5), 0)};
  auto const out = first.carry(ns(3), {packet(0, 0, 1, 20), packet(1, 4, 1, 20)});
  ASSERT_EQ(out.size(), 3U);  // both are forwarded, one passes through
  EXPECT_EQ(out[1].port, Link::back);
  EXPECT_EQ(out[1].message.kind, Message::Kind::sent);
  EXPECT_EQ(out[1].message.task, TaskId{0});
  EXPECT_EQ(out[1].at, ns(3 + 20));
}

TEST(Link, TellsTheSenderOfNothingAtTheNextFabricClock) {
  OneLink first{link_spec(1, ns(5), 0)};
  EXPECT_EQ(first.carry(ns(3), {packet(0, 0, 1, 0)}).at(1).at, ns(4));
}

TEST(Link, CountsWhatItCarries) {
  OneLink link{link_spec(2)};
  link.carry(ns(3), {packet(0, 0, 9, 21), packet(1, 1, 9, 8)});
  EXPECT_EQ(statistic(link.core, "messages"), 2);
  EXPECT_EQ(statistic(link.core, "bytes"), 29);
  EXPECT_EQ(statistic(link.core, "words"), 6 + 2);
  EXPECT_EQ(Time{statistic(link.core, "busy")},
            Bytes{21} / one_byte_per_ns + Bytes{8} / one_byte_per_ns);
  EXPECT_EQ(link.utilisation.total(), Time{statistic(link.core, "busy")});
}

class RandomLinks : public testing::TestWithParam<unsigned> {
 protected:
  [[nodiscard]] std::int64_t draw(std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>{from, to}(random_);
  }

 private:
  std::mt19937 random_{GetParam()};
};

TEST_P(RandomLinks, IdlePathTakesTheLongestSerialisationPlusAllLatencies) {
  std::vector<arch::Link> specs;
  Bytes const size{draw(0, 1'000'000)};
  Time longest{0};
  Time latencies{0};
  for (auto left = draw(1, 12); left > 0; --left) {
    arch::Link spec = link_spec(1, Time{draw(1'000, 50'000)});
    spec.lane_bandwidth = Bandwidth{draw(1, 1'000'000'000'000)};
    longest = std::max(longest, size / spec.lane_bandwidth);
    latencies += spec.latency;
    specs.push_back(spec);
  }
  LinkChain chain{specs, ghz};
  chain.inject(ns(7), packet(0, 0, 1, size.value()));
  EXPECT_EQ(chain.run().at(TaskId{0}), ns(7) + longest + latencies);
}

TEST_P(RandomLinks, AgreeWithBytesThatMovePicosecondByPicosecond) {
  // All rates divide 12 and all sizes are multiples of it, so that serialisation is whole.
  constexpr std::array<std::int64_t, 6> rates = {1, 2, 3, 4, 6, 12};
  std::vector<arch::Link> specs;
  std::vector<FluidLinks::Spec> twin_specs;
  for (auto left = draw(1, 5); left > 0; --left) {
    auto const rate = rates.at(static_cast<std::size_t>(draw(0, 5)));
    arch::Link spec = link_spec(draw(1, 3), Time{draw(1, 20)});
    spec.lane_bandwidth = Bandwidth{8 * rate * picoseconds_per_second};
    specs.push_back(spec);
    twin_specs.push_back({rate, spec.latency.value(), static_cast<std::size_t>(spec.lanes)});
  }
  LinkChain chain{specs, Clock{Frequency{picoseconds_per_second}}};
  FluidLinks twin{twin_specs};
  for (std::size_t task = 0; task < 40; ++task) {
    auto const source = static_cast<std::size_t>(draw(0, 5));
    Message const message = packet(task, source, 9, 12 * draw(1, 20));
    Time const at{draw(0, 600)};
    chain.inject(at, message);
    twin.inject(at, message);
  }
  EXPECT_EQ(chain.run(), twin.run());
}

TEST_P(RandomLinks, AreBusyForBytesOverBandwidthAndNeverLongerThanTheRun) {
  arch::Link const spec = link_spec(draw(1, 4));
  LinkChain chain{{spec}, ghz};
  Time serialisations{0};
  Bytes bytes{0};
  for (std::size_t task = 0; task < 100; ++task) {
    Bytes const size{draw(0, 5'000)};
    chain.inject(ns(draw(1, 2'000)),
                 packet(task, static_cast<std::size_t>(draw(0, 7)), 9, size.value()));
    serialisations += size / one_byte_per_ns;
    bytes += size;
  }
  Time end{0};
  for (auto const& [task, arrival] : chain.run()) end = std::max(end, arrival);
  EXPECT_EQ(Time{statistic(chain.link(0), "busy")}, serialisations);
  EXPECT_EQ(Bytes{statistic(chain.link(0), "bytes")}, bytes);
  EXPECT_LE(serialisations, end * spec.lanes);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomLinks, testing::Range(1U, 101U));

TEST(Link, SaturatedReachesItsPeak) {
  LinkChain chain{{link_spec()}, ghz};
  for (std::size_t task = 0; task < 100; ++task) chain.inject(ns(1), packet(task, 0, 9, 1'000));
  // 100 kB at one byte per ns without a gap, plus the latency.
  EXPECT_EQ(chain.run().at(TaskId{99}), ns(1 + 100'000 + 5));
}

}  // namespace
}  // namespace tessera::sim
