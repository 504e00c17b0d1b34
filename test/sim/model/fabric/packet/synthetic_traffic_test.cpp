// Traffic has the rate, the gaps and the destinations that it says; bounds are five standard deviations of what chance allows.
#include "sim/model/fabric/packet/synthetic_traffic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace tessera::test {

namespace {

using sim::FabricPacket;
using sim::PacketSource;
using sim::SyntheticTraffic;
using sim::Tick;
using sim::TrafficPattern;

struct Sent {
  Tick when;
  FabricPacket packet;
};

std::vector<Sent> all_before(Tick end, SyntheticTraffic const& traffic, std::size_t endpoints) {
  PacketSource source{traffic, endpoints};
  std::vector<Sent> all;
  while (source.next_time() < end) {
    auto const when = source.next_time();
    all.push_back({when, source.take()});
  }
  return all;
}

/// Of `trials` that succeed with probability `p`.
void expect_count(std::int64_t count, double trials, double p) {
  EXPECT_NEAR(static_cast<double>(count), trials * p, 5 * std::sqrt(trials * p * (1 - p)));
}

TEST(SyntheticTraffic, EveryEndpointStartsPacketsAtTheRate) {
  for (double const rate : {0.004, 0.1, 0.7, 3.2}) {
    SCOPED_TRACE(rate);
    constexpr Tick cycles = 40'000;
    auto const all = all_before(cycles, {TrafficPattern::uniform, rate, 4, 1}, 7);
    std::map<std::uint32_t, std::int64_t> by_source;
    for (auto const& [when, packet] : all) ++by_source[packet.source];
    ASSERT_EQ(by_source.size(), 7U);
    for (auto const& [source, count] : by_source) expect_count(count, cycles, rate / 4);
  }
}

TEST(SyntheticTraffic, CyclesAreTriedOneByOne) {
  // Whether an endpoint starts a packet says nothing about its next cycle, nor about its neighbour.
  constexpr Tick cycles = 100'000;
  constexpr double p = 0.3;
  auto const all = all_before(cycles, {TrafficPattern::uniform, p, 1, 3}, 3);
  std::int64_t again = 0;
  std::int64_t together = 0;
  std::vector<Tick> last(3, -2);
  for (auto const& [when, packet] : all) {
    again += last[packet.source] == when - 1 ? 1 : 0;
    together += packet.source == 1 && last[0] == when ? 1 : 0;
    EXPECT_GT(when, last[packet.source]);  // one a cycle
    last[packet.source] = when;
  }
  expect_count(again, 3 * cycles, p * p);
  expect_count(together, cycles, p * p);
}

TEST(SyntheticTraffic, OfOnePacketACycleNobodyMissesOne) {
  auto const all = all_before(100, {TrafficPattern::neighbour, 1, 1, 1}, 5);
  ASSERT_EQ(all.size(), 500U);
  for (std::size_t packet = 0; packet < all.size(); ++packet) {
    EXPECT_EQ(all[packet].when, static_cast<Tick>(packet / 5));
    EXPECT_EQ(all[packet].packet.source, packet % 5);
    EXPECT_EQ(all[packet].packet.destination, (packet + 1) % 5);
  }
}

TEST(SyntheticTraffic, TheSmallestRateIsSmall) {
  EXPECT_LT(all_before(100'000'000, {TrafficPattern::uniform, 1e-9, 1, 1}, 16).size(), 15U);
  EXPECT_THROW(sim::GeometricGap{1e-10}, ContractError);
  EXPECT_THROW(sim::GeometricGap{1e-18}, ContractError);  // 1 - p is 1 in a double
}

TEST(SyntheticTraffic, UniformGoesToEveryEndpointAlike) {
  for (auto const pattern : {TrafficPattern::uniform, TrafficPattern::uniform_others}) {
    auto const all = all_before(20'000, {pattern, 0.5, 1, 2}, 6);
    auto const others = pattern == TrafficPattern::uniform ? 6.0 : 5.0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> pairs;
    for (auto const& [when, packet] : all) ++pairs[{packet.source, packet.destination}];
    EXPECT_EQ(pairs.size(), static_cast<std::size_t>(6 * others));
    for (auto const& [pair, count] : pairs) expect_count(count, 20'000, 0.5 / others);
  }
}

TEST(SyntheticTraffic, PatternsSayWhereTo) {
  for (auto const& [when, packet] : all_before(50, {TrafficPattern::transpose, 0.5, 1, 1}, 9)) {
    EXPECT_EQ(packet.destination, packet.source % 3 * 3 + packet.source / 3);
  }
  auto const hot = all_before(20'000, {TrafficPattern::hotspot, 0.5, 1, 1}, 4);
  std::int64_t to_first = 0;
  for (auto const& [when, packet] : hot) to_first += packet.destination == 0 ? 1 : 0;
  expect_count(to_first, static_cast<double>(hot.size()), 0.2 + 0.8 / 4);
}

TEST(SyntheticTraffic, TheSeedIsAllThatChances) {
  auto const once = all_before(500, {TrafficPattern::uniform, 0.2, 1, 9}, 8);
  auto const again = all_before(500, {TrafficPattern::uniform, 0.2, 1, 9}, 8);
  auto const other = all_before(500, {TrafficPattern::uniform, 0.2, 1, 10}, 8);
  auto const same = [](std::vector<Sent> const& a, std::vector<Sent> const& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](Sent const& x, Sent const& y) {
      return x.when == y.when && x.packet.source == y.packet.source &&
             x.packet.destination == y.packet.destination;
    });
  };
  EXPECT_TRUE(same(once, again));
  EXPECT_FALSE(same(once, other));
}

}  // namespace

}  // namespace tessera::test
