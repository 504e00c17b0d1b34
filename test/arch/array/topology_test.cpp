// Laws of the two fabrics: routes connect, lanes are not shared, and exchanges take what their formulas say.
#include "arch/array/topology.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace tessera::arch {
namespace {

constexpr std::int64_t root_bandwidth = 4'096'000'000;  // halves exactly twelve times

[[nodiscard]] ArraySpec array_of(std::int64_t accelerators, FabricSpec::Topology topology) {
  ArraySpec array;
  array.accelerators = accelerators;
  array.fabric.topology = topology;
  auto odd = accelerators;  // divides the bandwidth, too
  while (odd % 2 == 0) odd /= 2;
  array.fabric.link_bandwidth = Bandwidth{root_bandwidth * odd / array.lanes_at_root()};
  array.fabric.latency = Time{1000};
  return array;
}

[[nodiscard]] Topology htree(std::int64_t accelerators) {
  return Topology{array_of(accelerators, FabricSpec::Topology::htree)};
}

[[nodiscard]] Topology torus(std::int64_t accelerators) {
  return Topology{array_of(accelerators, FabricSpec::Topology::torus)};
}

constexpr auto both_turns = {Turn::positive, Turn::negative};

/// Calls `check(topology, levels)` for every size from 1 to `most`, both topologies.
template <typename Check>
void for_all_sizes(std::int64_t most, Check const& check) {
  int levels = 0;
  for (std::int64_t size = 1; size <= most; size *= 2, ++levels) {
    SCOPED_TRACE("accelerators " + std::to_string(size));
    check(htree(size), levels);
    check(torus(size), levels);
  }
}

void expect_routes_from_sources_to_destinations(Topology const& topology) {
  for (std::size_t from = 0; from < topology.accelerators(); ++from) {
    for (std::size_t to = 0; to < topology.accelerators(); ++to) {
      for (auto const turn : both_turns) {
        NodeId here{from};
        for (auto const id : topology.route(NodeId{from}, NodeId{to}, turn)) {
          ASSERT_EQ(topology.links()[id].from, here);
          here = topology.links()[id].to;
        }
        ASSERT_EQ(here, NodeId{to});
      }
    }
  }
}

TEST(Topology, EveryRouteLeadsFromItsSourceToItsDestination) {
  for_all_sizes(64, [](Topology const& topology, int) {
    expect_routes_from_sources_to_destinations(topology);
  });
}

TEST(Topology, ARouteToItselfIsEmpty) {
  for_all_sizes(16, [](Topology const& topology, int) {
    EXPECT_TRUE(topology.route(NodeId{0}, NodeId{0}, Turn::positive).empty());
  });
}

TEST(Topology, OneAcceleratorNeedsNoLinks) {
  EXPECT_TRUE(htree(1).links().empty());
  EXPECT_TRUE(torus(1).links().empty());
}

TEST(Topology, NoTwoLinksAreTheSame) {
  for_all_sizes(64, [](Topology const& topology, int) {
    std::set<std::string> names;
    for (auto const& link : topology.links()) {
      EXPECT_TRUE(names.insert(link.name).second) << link.name;
      EXPECT_EQ(link.name, topology.node_names()[link.from.index()] + '>' +
                               topology.node_names()[link.to.index()]);
    }
  });
}

TEST(Topology, EveryLinkHasItsReverse) {
  for_all_sizes(64, [](Topology const& topology, int) {
    std::set<std::pair<NodeId, NodeId>> ends;
    for (auto const& link : topology.links()) ends.emplace(link.from, link.to);
    for (auto const& [from, to] : ends) EXPECT_EQ(ends.count({to, from}), 1U);
  });
}

TEST(Topology, CounterpartsAreMutualAndDifferInOneBit) {
  for_all_sizes(64, [](Topology const& topology, int levels) {
    for (int level = 1; level <= levels; ++level) {
      for (std::size_t index = 0; index < topology.accelerators(); ++index) {
        auto const other = topology.counterpart(NodeId{index}, level);
        EXPECT_EQ(other.index() ^ index, topology.accelerators() >> level);
        EXPECT_EQ(topology.counterpart(other, level), NodeId{index});
      }
    }
  });
}

void expect_lanes_of_their_own(Topology const& topology, int level, std::size_t turn) {
  std::set<std::pair<std::size_t, std::int64_t>> taken;
  for (std::size_t index = 0; index < topology.accelerators(); ++index) {
    NodeId const source{index};
    auto const to = topology.counterpart(source, level, turn);
    for (auto const id : topology.route(source, to, Turn::positive)) {
      auto const lane = topology.lane(id, source);
      ASSERT_LT(lane, topology.links()[id].lanes);
      ASSERT_TRUE(taken.emplace(id.index(), lane).second) << topology.links()[id].name;
    }
  }
}

TEST(Topology, CounterpartsNeverShareALaneOfAnHtree) {
  for (std::int64_t const size : {2, 4, 8, 16, 32, 64, 128, 256, 3, 6, 12, 18, 75}) {
    auto const topology = htree(size);
    Hierarchy const hierarchy{static_cast<std::size_t>(size)};
    for (std::size_t level = 0; level < hierarchy.levels(); ++level) {
      for (std::size_t turn = 1; turn < hierarchy.ways(level); ++turn) {
        expect_lanes_of_their_own(topology, static_cast<int>(level) + 1, turn);
      }
    }
  }
}

/// Arrays whose hierarchy is not binary.
class Grouped : public testing::TestWithParam<std::int64_t> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Grouped, testing::Values(3, 6, 12, 15, 18, 42));

TEST_P(Grouped, RoutesLeadFromTheirSourcesToTheirDestinations) {
  for (auto const& topology : {htree(GetParam()), torus(GetParam())}) {
    expect_routes_from_sources_to_destinations(topology);
  }
}

// 12 accelerators are three groups of four: the root has three links of four lanes, each of a
// quarter of its bandwidth; the torus has six columns and two rows.
TEST(Topology, OfTwelveHasAThreeWayRoot) {
  auto const tree = htree(12);
  std::map<int, int> links;
  for (auto const& link : tree.links()) {
    ++links[link.level];
    EXPECT_EQ(link.lanes, link.level == 1 ? 4 : link.level == 2 ? 2 : 1);
    EXPECT_EQ(link.lane_bandwidth, tree.links()[LinkId{0}].lane_bandwidth);
  }
  EXPECT_EQ(links, (std::map<int, int>{{1, 6}, {2, 12}, {3, 24}}));
  // Five columns forward is one back.
  EXPECT_EQ(torus(12).route(NodeId{0}, NodeId{11 - 2}, Turn::positive).size(), 1U);
}

/// Something of each link of a route.
template <typename Member>
[[nodiscard]] std::vector<Member> along(Topology const& topology, std::vector<LinkId> const& route,
                                        Member Link::*member) {
  std::vector<Member> values;
  values.reserve(route.size());
  for (auto const id : route) values.push_back(topology.links()[id].*member);
  return values;
}

TEST(Htree, ALinkHalvesAtEveryLevelDownWhileTheirNumberDoubles) {
  auto const topology = htree(16);
  std::map<int, std::int64_t> links;
  for (auto const& link : topology.links()) {
    EXPECT_EQ(link.lane_bandwidth * link.lanes, Bandwidth{root_bandwidth >> (link.level - 1)});
    EXPECT_EQ(link.latency, Time{1000});
    ++links[link.level];
  }
  // level h: 2^(h-1) switches with two children, up and down
  EXPECT_EQ(links, (std::map<int, std::int64_t>{{1, 4}, {2, 8}, {3, 16}, {4, 32}}));
}

[[nodiscard]] ArraySpec with_alike_levels(std::int64_t accelerators) {
  auto array = array_of(accelerators, FabricSpec::Topology::htree);
  array.fabric.levels = FabricSpec::Levels::alike;
  array.fabric.link_bandwidth = Bandwidth{root_bandwidth};
  return array;
}

TEST(Htree, WithAlikeLevelsHasLinksOfOneBandwidth) {
  Topology const topology{with_alike_levels(16)};
  for (auto const& link : topology.links()) {
    EXPECT_EQ(link.lane_bandwidth * link.lanes, Bandwidth{root_bandwidth}) << link.name;
  }
}

TEST(Htree, AGroupsOwnLinksAreThoseThatLeadToItAlone) {
  auto array = with_alike_levels(16);
  array.groups.resize(2);
  array.groups[0].count = array.groups[1].count = 8;
  array.groups[1].link_bandwidth = Bandwidth{2 * root_bandwidth};
  Topology const topology{array};
  std::map<std::int64_t, int> links;
  for (auto const& link : topology.links()) {
    ++links[(link.lane_bandwidth * link.lanes).value() / root_bandwidth];
  }
  EXPECT_EQ(links, (std::map<std::int64_t, int>{{1, 30}, {2, 30}}));  // 2 + 4 + 8 + 16 in each half
  Bytes const each{1'000'000};
  // A link of level h carries the messages of 16 / 2^h accelerators in as many lanes.
  Bandwidth const slow{root_bandwidth};
  EXPECT_EQ(exchange_time(topology, 1, each), each * 8 / slow);  // the slower half decides
  EXPECT_EQ(exchange_time(topology, 4, each), each / slow);
  array.groups[0].link_bandwidth = array.groups[1].link_bandwidth;
  EXPECT_EQ(exchange_time(Topology{array}, 1, each), each * 4 / slow);
}

TEST(Htree, ARouteClimbsToTheCommonSwitchAndDownAgain) {
  auto const topology = htree(16);
  for (int level = 1; level <= 4; ++level) {
    auto const to = topology.counterpart(NodeId{5}, level);
    auto const route = topology.route(NodeId{5}, to, Turn::positive);
    std::vector<int> expected;
    for (int up = 4; up >= level; --up) expected.push_back(up);
    for (int down = level; down <= 4; ++down) expected.push_back(down);
    EXPECT_EQ(along(topology, route, &Link::level), expected);
  }
}

TEST(Htree, NamesItsNodesAndLinks) {
  auto const topology = htree(4);
  EXPECT_EQ(topology.node_names(),
            (std::vector<std::string>{"accelerator-0", "accelerator-1", "accelerator-2",
                                      "accelerator-3", "switch-1.0", "switch-2.0", "switch-2.1"}));
  auto const route = topology.route(NodeId{0}, NodeId{3}, Turn::positive);
  EXPECT_EQ(along(topology, route, &Link::name),
            (std::vector<std::string>{"accelerator-0>switch-2.0", "switch-2.0>switch-1.0",
                                      "switch-1.0>switch-2.1", "switch-2.1>accelerator-3"}));
}

TEST(Htree, HasOneWayBetweenAnyTwo) {
  auto const topology = htree(16);
  EXPECT_FALSE(topology.has_two_ways(NodeId{0}, NodeId{8}));
}

TEST(Torus, HasTwoLinksPerDimensionExceptInShortRings) {
  // columns x rows: 1x1, 2x1, 2x2, 4x2, 4x4, 8x4; a ring of two has one link each way
  std::vector<std::size_t> const per_accelerator = {0, 1, 2, 3, 4, 4};
  for (std::size_t levels = 0; levels < per_accelerator.size(); ++levels) {
    auto const topology = torus(std::int64_t{1} << levels);
    EXPECT_EQ(topology.links().size(), per_accelerator[levels] << levels);
  }
}

TEST(Torus, ARouteIsNoLongerThanHalfOfEachRing) {
  auto const topology = torus(128);  // 16 columns, 8 rows
  std::size_t longest = 0;
  for (std::size_t to = 0; to < 128; ++to) {
    for (auto const turn : both_turns) {
      longest = std::max(longest, topology.route(NodeId{0}, NodeId{to}, turn).size());
    }
  }
  EXPECT_EQ(longest, 16U / 2 + 8U / 2);
}

TEST(Torus, BothTurnsAreEquallyLong) {
  auto const topology = torus(64);
  for (std::size_t to = 0; to < 64; ++to) {
    EXPECT_EQ(topology.route(NodeId{9}, NodeId{to}, Turn::positive).size(),
              topology.route(NodeId{9}, NodeId{to}, Turn::negative).size());
  }
}

TEST(Torus, TurnsDifferExactlyWhereThereAreTwoWays) {
  auto const topology = torus(64);
  for (std::size_t from = 0; from < 64; ++from) {
    for (std::size_t to = 0; to < 64; ++to) {
      NodeId const source{from};
      NodeId const destination{to};
      bool const differ = topology.route(source, destination, Turn::positive) !=
                          topology.route(source, destination, Turn::negative);
      EXPECT_EQ(topology.has_two_ways(source, destination), differ);
    }
  }
}

TEST(Torus, GoesAlongTheRowFirst) {
  // 4 columns x 4 rows; column bits are levels 1 and 3 (8 and 2), row bits levels 2 and 4 (4 and 1).
  auto const topology = torus(16);
  auto const route = topology.route(NodeId{0}, NodeId{0b0011}, Turn::positive);
  ASSERT_EQ(route.size(), 2U);
  EXPECT_EQ(topology.links()[route[0]].to, NodeId{0b0010});
  EXPECT_EQ(topology.links()[route[1]].to, NodeId{0b0011});
}

/// The grid of the same shape, with the two keys that tell a built-in torus from another one.
[[nodiscard]] ArraySpec as_network(ArraySpec array) {
  auto const accelerators = static_cast<std::size_t>(array.accelerators);
  TopologySpec grid;
  grid.kind = TopologySpec::Kind::torus;
  grid.shape = shape_by_level(accelerators, 2);
  grid.links = {{array.fabric.link_bandwidth, array.fabric.latency}};
  grid.numbering = Numbering::by_level;
  grid.half_way = HalfWay::both;
  array.fabric.topology = FabricSpec::Topology::network;
  array.fabric.half_way = grid.half_way;
  array.fabric.graph = std::make_shared<Interconnect const>(grid, Paths::equal_cost);
  return array;
}

/// The names of links on a path.
[[nodiscard]] std::vector<std::string> names_along(Topology const& topology, NodeId from, NodeId to,
                                                   Turn turn) {
  std::vector<std::string> names;
  for (auto const id : topology.route(from, to, turn)) names.push_back(topology.links()[id].name);
  return names;
}

TEST(Torus, IsTheGridNumberedByLevelThatTakesBothDirectionsHalfWay) {
  for (std::int64_t const accelerators : {2, 4, 6, 8, 12, 13, 16, 32}) {
    auto const array = array_of(accelerators, FabricSpec::Topology::torus);
    Topology const torus{array};
    Topology const grid{as_network(array)};
    ASSERT_EQ(torus.links().size(), grid.links().size());
    for (std::size_t from = 0; from < torus.accelerators(); ++from) {
      for (std::size_t to = 0; to < torus.accelerators(); ++to) {
        NodeId const a{from};
        NodeId const b{to};
        EXPECT_EQ(torus.has_two_ways(a, b), grid.has_two_ways(a, b));
        for (auto const turn : both_turns) {
          EXPECT_EQ(names_along(torus, a, b, turn), names_along(grid, a, b, turn));
        }
      }
    }
  }
}

TEST(Torus, AMessageHalfWayRoundIsCutInTwo) {
  auto const topology = torus(16);
  NodeId const source{0};
  auto const far = topology.counterpart(source, 1);  // two columns on in a ring of four
  auto const parts = topology.cut(source, far, Bytes{7});
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].turn, Turn::positive);
  EXPECT_EQ(parts[0].size, Bytes{4});
  EXPECT_EQ(parts[1].turn, Turn::negative);
  EXPECT_EQ(parts[1].size, Bytes{3});
  EXPECT_EQ(topology.cut(source, topology.counterpart(source, 3), Bytes{7}).size(), 1U);
}

TEST(ExchangeTime, OfAnHtreeIsTheBytesOverALeafLinkAtEveryLevel) {
  for (std::int64_t size = 2; size <= 64; size *= 2) {
    Bandwidth const leaf{2 * root_bandwidth / size};  // root / 2^(L-1)
    for (int level = 1; std::int64_t{1} << level <= size; ++level) {
      EXPECT_EQ(exchange_time(htree(size), level, Bytes{1'000'000}), Bytes{1'000'000} / leaf);
    }
  }
}

TEST(ExchangeTime, OfAlikeLevelsIsTheGroupsBytesOverOneLink) {
  Topology const topology{with_alike_levels(64)};
  for (int level = 1; level <= 6; ++level) {
    auto const group = 64 >> level;  // accelerators that share the link
    EXPECT_EQ(exchange_time(topology, level, Bytes{1'000'000}),
              group * Bytes{1'000'000} / Bandwidth{root_bandwidth});
  }
}

TEST(ExchangeTime, OfATorusOfSixteenIsTwiceThatOfTheHtree) {
  // Rings of 4, links of half the leaf bandwidth. Neighbours (levels 3, 4): one message on each.
  // Two hops apart (levels 1, 2): 4 halves of 2 hops each way over 4 links, so two halves on each.
  // This is the torus of HyPar's Fig. 12.
  for (int level = 1; level <= 4; ++level) {
    EXPECT_EQ(exchange_time(torus(16), level, Bytes{1'000'000}),
              2 * exchange_time(htree(16), level, Bytes{1'000'000}));
  }
}

TEST(ExchangeTime, OfATorusGrowsWithTheDistance) {
  // Rings of 8. Four hops apart (levels 1, 2): 8 halves of 4 hops each way over 8 links, 4 halves on
  // each. Two hops apart (levels 3, 4): 0>2 and 1>3 share the link 1>2. Neighbours (levels 5, 6): one.
  auto const one = Bytes{1'000'000} / Bandwidth{root_bandwidth / 64};
  std::vector<std::int64_t> const messages = {2, 2, 2, 2, 1, 1};
  for (int level = 1; level <= 6; ++level) {
    EXPECT_EQ(exchange_time(torus(64), level, Bytes{1'000'000}),
              messages[static_cast<std::size_t>(level - 1)] * one)
        << level;
  }
}

TEST(ExchangeTime, OfNothingIsNothing) {
  EXPECT_EQ(exchange_time(htree(16), 1, Bytes{0}), Time{0});
  EXPECT_EQ(exchange_time(torus(16), 1, Bytes{0}), Time{0});
}

TEST(ExchangeTime, IsThereForTheLargestArray) {
  EXPECT_EQ(exchange_time(htree(4096), 1, Bytes{1000}),
            Bytes{1000} / Bandwidth{root_bandwidth / 2048});
  // a ring of 64 half-way round: 64 / 4 messages on each link
  EXPECT_EQ(exchange_time(torus(4096), 1, Bytes{1000}),
            16 * (Bytes{1000} / Bandwidth{root_bandwidth / 4096}));
}

TEST(Topology, WhatIsNoAcceleratorOrLevelIsABug) {
  auto const topology = htree(4);
  EXPECT_THROW(static_cast<void>(topology.route(NodeId{4}, NodeId{0}, Turn::positive)),
               ContractError);
  EXPECT_THROW(static_cast<void>(topology.counterpart(NodeId{0}, 0)), ContractError);
  EXPECT_THROW(static_cast<void>(topology.counterpart(NodeId{0}, 3)), ContractError);
  EXPECT_THROW(static_cast<void>(exchange_time(topology, 3, Bytes{1})), ContractError);
}

/// Folding 16 accelerators in every way, `check(folded, whole, folding)`.
template <typename Check>
void for_all_foldings(Check const& check) {
  auto const array = array_of(16, FabricSpec::Topology::htree);
  Topology const whole{array};
  for (unsigned mask = 0; mask < 16; ++mask) {
    SCOPED_TRACE(mask);
    std::vector<bool> folded;
    for (unsigned level = 0; level < 4; ++level) folded.push_back(((mask >> level) & 1U) != 0);
    Folding const folding{16, folded};
    check(Topology{array, folding}, whole, folding);
  }
}

TEST(FoldedTopology, LeadsOverTheStandInsOfTheRealLinks) {
  for_all_foldings([](Topology const& folded, Topology const& whole, Folding const& folding) {
    for (std::size_t source = 0; source < 16; ++source) {
      for (int level = 1; level <= 4; ++level) {
        auto const to = whole.counterpart(NodeId{source}, level);
        std::vector<LinkId> expected;
        for (auto const link : whole.route(NodeId{source}, to, Turn::positive)) {
          expected.push_back(folded.stand_in(whole, link));
        }
        EXPECT_EQ(folded.route_over(NodeId{folding.representative(source)},
                                    NodeId{folding.representative(to.index())}, level),
                  expected);
      }
    }
  });
}

/// What contends for a lane contends for its stand-in; and equals, coming up from below one link,
/// have lanes of their own, so that none of them ever waits for another.
TEST(FoldedTopology, KeepsContentionAndEqualsApart) {
  for_all_foldings([](Topology const& folded, Topology const& whole, Folding const& folding) {
    for (auto const link : whole.links().ids()) {
      auto const stand_in = folded.stand_in(whole, link);
      for (std::size_t a = 0; a < 16; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
          if (whole.lane(link, NodeId{a}) != whole.lane(link, NodeId{b})) continue;
          auto const [of_a, of_b] = std::pair{folding.representative(a), folding.representative(b)};
          EXPECT_EQ(folded.lane(stand_in, NodeId{of_a}), folded.lane(stand_in, NodeId{of_b}));
          auto const below = static_cast<unsigned>(4 - whole.links()[link].level);
          EXPECT_NE(a >> below, b >> below) << "one lane for two below a link";
        }
      }
    }
  });
}

TEST(FoldedTopology, HasNodesAndLinksOfTheWholeOne) {
  for_all_foldings([](Topology const& folded, Topology const& whole, Folding const&) {
    std::set<std::string> nodes{whole.node_names().begin(), whole.node_names().end()};
    for (auto const& name : folded.node_names()) EXPECT_EQ(nodes.count(name), 1U) << name;
    std::set<NodeId> stand_ins;
    for (std::size_t node = 0; node < whole.node_names().size(); ++node) {
      stand_ins.insert(folded.stand_in(whole, NodeId{node}));
    }
    EXPECT_EQ(stand_ins.size(), folded.node_names().size());
    std::set<LinkId> links;
    for (auto const link : whole.links().ids()) {
      auto const stand_in = folded.stand_in(whole, link);
      links.insert(stand_in);
      EXPECT_EQ(folded.links()[stand_in].from, folded.stand_in(whole, whole.links()[link].from));
      EXPECT_EQ(folded.links()[stand_in].to, folded.stand_in(whole, whole.links()[link].to));
      EXPECT_EQ(folded.links()[stand_in].lane_bandwidth, whole.links()[link].lane_bandwidth);
    }
    EXPECT_EQ(links.size(), folded.links().size());
  });
}

TEST(FoldedTopology, IsNoNetworkThatShiftsDoNotMapOntoItself) {
  for (auto const* const shape : {"mesh:4", "star:4"}) {
    auto array = array_of(4, FabricSpec::Topology::network);
    auto const spec = topology_from(shape, {Bandwidth{root_bandwidth}, Time{1000}});
    array.fabric.graph = std::make_shared<Interconnect const>(spec);
    if (spec.kind == TopologySpec::Kind::mesh) array.fabric.grid = spec.shape;
    EXPECT_THROW((Topology{array, Folding{4, {true, true}}}), ContractError) << shape;
  }
}

}  // namespace
}  // namespace tessera::arch
