// In what order a link of a torus takes transfers that come at once.
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "arch/array/load.hpp"
#include "arch/array/translation.hpp"
#include "partition/planners/planner.hpp"
#include "partition/step/symmetry.hpp"
#include "sim/lower/lower.hpp"
#include "test/support/network_text.hpp"

namespace tessera::sim {
namespace {

workloads::Network one_layer() {
  test::NetworkText text;
  text.batch = "8";
  text.input = "{name: x, features: 16}";
  return test::network_of(text.with({"{name: fc, kind: linear, input: x, outputs: 16}"}));
}

arch::ArraySpec ring_of_8(std::string const& collectives, std::string const& more = "") {
  return arch::load(
      "hypar-paper",
      {"accelerators=8",
       "fabric={clock: 1 GHz, topology: {kind: torus, shape: [8], link: {bandwidth: 8 Gb/s, "
       "latency: 5 ns}}" +
           more + "}",
       "execution.collectives=" + collectives});
}

partition::Plan data_parallel(workloads::Network const& network, arch::ArraySpec const& array) {
  return partition::make_planner("dp")->solve({network, array});
}

/// By sender, in order.
std::map<std::size_t, std::vector<Task>> transfers_of(TaskGraph const& tasks) {
  std::map<std::size_t, std::vector<Task>> all;
  for (auto const& task : tasks.tasks()) {
    if (task.kind == TaskKind::transfer) all[task.accelerator.index()].push_back(task);
  }
  return all;
}

TEST(Rank, RisesFromOneExchangeStepToTheNext) {
  // A ring's reduce-scatter and gather: seven rounds each in which all send to their neighbour.
  auto const array = ring_of_8("ring");
  auto const network = one_layer();
  for (auto const& [sender, sent] :
       transfers_of(lower(network, array, data_parallel(network, array)))) {
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_GT(sent[0].rank, 0U);
    EXPECT_EQ(sent[0].rounds, 7U);
    EXPECT_EQ(sent[1].rank, sent[0].rank + std::uint64_t{7} * 8) << sender;
  }
}

TEST(Rank, OfOneStepIsThatOfAllThatGoEquallyFarInOneDirection) {
  // Everybody sends to everybody at once, twice.
  auto const array = ring_of_8("direct");
  auto const network = one_layer();
  auto const all = transfers_of(lower(network, array, data_parallel(network, array)));
  std::map<std::uint64_t, std::size_t> distance_of;
  for (auto const& [sender, sent] : all) {
    ASSERT_EQ(sent.size(), 14U);
    for (auto const& task : sent) {
      auto const distance = (task.destination.index() + 8 - sender) % 8;
      EXPECT_EQ(distance_of.try_emplace(task.rank, distance).first->second, distance);
    }
  }
  EXPECT_EQ(distance_of.size(), 14U);
  // Of a step, those a place further on go first.
  std::vector<std::size_t> in_order;
  for (auto const& [rank, distance] : distance_of) in_order.push_back(distance);
  EXPECT_EQ(in_order, (std::vector<std::size_t>{1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(Rank, OfATorusTellsDirectionsApartRoundItsRings) {
  auto const array = arch::load(
      "hypar-paper", {"accelerators=8",
                      "fabric={clock: 1 GHz, topology: {kind: torus, shape: [4, 2], link: "
                      "{bandwidth: 8 Gb/s, latency: 5 ns}}}",
                      "execution.collectives=direct"});
  auto const network = one_layer();
  std::map<std::uint64_t, std::pair<std::size_t, std::size_t>> way_of;
  for (auto const& [sender, sent] :
       transfers_of(lower(network, array, data_parallel(network, array)))) {
    for (auto const& task : sent) {
      auto const receiver = task.destination.index();
      std::pair const way{(receiver % 4 + 4 - sender % 4) % 4, (receiver / 4 + 2 - sender / 4) % 2};
      EXPECT_EQ(way_of.try_emplace(task.rank, way).first->second, way);
    }
  }
  EXPECT_EQ(way_of.size(), 14U);
}

TEST(Rank, OfARepresentativeByShiftsIsThatOfItsTransfersAmongAll) {
  auto const array = ring_of_8("ring");
  auto const network = one_layer();
  auto const plan = data_parallel(network, array);
  auto const folding = partition::symmetry({network, array}, plan);
  ASSERT_EQ(folding.representatives(), 1U);
  auto const all = transfers_of(lower(network, array, plan));
  for (auto const& [representative, sent] : transfers_of(lower(network, array, plan, folding))) {
    auto const& same = all.at(folding.accelerator(representative));
    ASSERT_EQ(sent.size(), same.size());
    for (std::size_t i = 0; i < sent.size(); ++i) EXPECT_EQ(sent[i].rank, same[i].rank);
  }
}

TEST(Rank, OfRepresentativesByReflectionsIsOneInBothDirections) {
  // Level by level: partners lie further on or back, as far.
  auto const array = ring_of_8("hierarchical");
  auto const network = one_layer();
  auto const plan = data_parallel(network, array);
  auto const folding = partition::symmetry({network, array}, plan);
  ASSERT_EQ(folding.representatives(), 2U);
  auto const all = transfers_of(lower(network, array, plan, folding));
  auto const& first = all.at(0);
  auto const& second = all.at(1);
  ASSERT_EQ(first.size(), 6U);
  ASSERT_EQ(second.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(first[i].rank, second[i].rank);
  for (std::size_t i = 1; i < 6; ++i) EXPECT_LT(first[i - 1].rank, first[i].rank);
}

TEST(Rank, IsNoneInATreeAndOfPackets) {
  auto const network = one_layer();
  for (auto const& array :
       {arch::load("hypar-paper", {"accelerators=8"}),
        ring_of_8(
            "ring",
            ", packet: 512 B, router: {pipeline: 1 ns, virtual_channels: 2, buffer_packets: 2}")}) {
    auto const all = transfers_of(lower(network, array, data_parallel(network, array)));
    EXPECT_EQ(all.size(), 8U);
    for (auto const& [sender, sent] : all) {
      for (auto const& task : sent) EXPECT_EQ(task.rank, 0U);
    }
  }
}

}  // namespace
}  // namespace tessera::sim
