// How accelerators of a torus lie to each other, and what stands for what in a folded one.
#include "arch/array/translation.hpp"

#include <gtest/gtest.h>

#include "arch/array/folded_network.hpp"
#include "arch/array/folding_maps.hpp"
#include "arch/array/load.hpp"
#include "test/support/small_grid.hpp"

namespace tessera::arch {
namespace {

ArraySpec torus_of(std::string const& shape, int accelerators,
                   std::string const& numbering = "by-dimension") {
  return test::grid_array("kind: torus, numbering: " + numbering, shape, accelerators);
}

TEST(Translations, GoRoundTheRings) {
  Translations const grid{Topology{torus_of("4, 2", 8)}};
  EXPECT_EQ(grid.dimensions(), 2U);
  EXPECT_EQ(grid.shifted(2, 1, 3), 0U);  // one place on
  EXPECT_EQ(grid.shifted(5, 0, 7), 0U);  // (1, 1) on from (3, 1)
  EXPECT_EQ(grid.along(0, 1), (std::vector<std::size_t>{1, 2, 3, 0, 5, 6, 7, 4}));
  EXPECT_EQ(grid.along(1, 1), (std::vector<std::size_t>{4, 5, 6, 7, 0, 1, 2, 3}));
}

TEST(Translations, AreOneToOneAndKeepDistancesWhateverTheNumbering) {
  for (auto const* const numbering : {"by-dimension", "by-level"}) {
    Topology const topology{torus_of("4, 4", 16, numbering)};
    Translations const grid{topology};
    for (std::size_t to = 0; to < 16; ++to) {
      std::vector<bool> is_hit(16, false);
      for (std::size_t accelerator = 0; accelerator < 16; ++accelerator) {
        auto const image = grid.shifted(accelerator, 0, to);
        EXPECT_FALSE(is_hit[image]);
        is_hit[image] = true;
        EXPECT_EQ(grid.shifted(image, to, 0), accelerator);
        auto const hops = [&](std::size_t from, std::size_t end) {
          return topology.route(NodeId{from}, NodeId{end}, Turn::positive).size();
        };
        EXPECT_EQ(hops(0, accelerator), hops(to, image));
      }
    }
  }
}

TEST(Translations, LevelsOfTheHierarchyAreDigitsOfPlaces) {
  using Digits = std::vector<std::pair<std::size_t, std::size_t>>;
  auto const digits = [](ArraySpec const& array, std::size_t dimension) {
    Translations const grid{Topology{array}};
    Digits all;
    auto const by_dimension = place_digits(grid, array.hierarchy());
    for (auto const& [level, stride] : by_dimension.at(dimension)) {
      all.emplace_back(level, stride);
    }
    return all;
  };
  EXPECT_EQ(digits(torus_of("4, 4", 16, "by-level"), 0), (Digits{{0, 2}, {2, 1}}));
  EXPECT_EQ(digits(torus_of("4, 4", 16, "by-level"), 1), (Digits{{1, 2}, {3, 1}}));
  EXPECT_EQ(digits(torus_of("4, 4", 16), 0), (Digits{{2, 2}, {3, 1}}));
  auto const uneven = torus_of("5, 3", 15);  // five parts, then three: across rows of five
  EXPECT_TRUE(place_digits(Translations{Topology{uneven}}, uneven.hierarchy()).empty());
}

TEST(Translations, TellHowFarAndInWhichDirectionAnotherAcceleratorLies) {
  auto const array = torus_of("4, 2", 8);
  Translations const grid{Topology{array}};
  EXPECT_EQ(grid.displacement(5, 5), 0U);
  EXPECT_EQ(grid.displacement(0, 1), 1U);
  EXPECT_EQ(grid.displacement(7, 4), 1U);  // round the row
  EXPECT_EQ(grid.displacement(1, 0), 3U);
  EXPECT_EQ(grid.displacement(3, 6), 7U);  // one back and a row on
  auto const of_array = Translations::of(array).value();
  for (std::size_t from = 0; from < 8; ++from) {
    for (std::size_t to = 0; to < 8; ++to) {
      EXPECT_EQ(of_array.displacement(from, to), grid.displacement(from, to));
      EXPECT_EQ(grid.reached(from, grid.displacement(from, to)), to);
      EXPECT_EQ(grid.displacement(grid.shifted(from, 0, 6), grid.shifted(to, 0, 6)),
                grid.displacement(from, to));
    }
  }
}

TEST(Translations, HaveReflectionsBesideThem) {
  Translations const grid{Topology{torus_of("4, 2", 8)}};
  EXPECT_EQ(grid.reversed(0), (std::vector<std::size_t>{3, 2, 1, 0, 7, 6, 5, 4}));
  EXPECT_EQ(grid.reversed(1), (std::vector<std::size_t>{4, 5, 6, 7, 0, 1, 2, 3}));
}

/// A ring of 8 whose halves are alike, each of two reflections of each other.
TEST(FoldingMaps, ShiftAndReflect) {
  FoldingMaps const maps{Translations{Topology{torus_of("8", 8)}},
                         Folding{8, {true, true, false}, {{1, {2}}}}};
  EXPECT_EQ(maps.mapped(2, 0, 4), 6U) << "half a ring on";
  EXPECT_EQ(maps.mapped(1, 0, 3), 2U) << "the other way round";
  EXPECT_EQ(maps.mapped(6, 3, 7), 2U);
  EXPECT_EQ(maps.mapped(6, 3, 4), 1U);
  EXPECT_EQ(maps.distance(0, 1), 1U);
  EXPECT_EQ(maps.distance(1, 0), 1U);
  EXPECT_EQ(maps.distance(6, 1), 3U);
  EXPECT_EQ(maps.distance(0, 4), 4U);
}

TEST(FoldingMaps, TakeEqualsToEqualsAndKeepDistances) {
  for (auto const* const numbering : {"by-dimension", "by-level"}) {
    Topology const topology{torus_of("4, 4", 16, numbering)};
    // By level, rows and columns take turns; by dimension, the second one comes first.
    bool const takes_turns = std::string{numbering} == "by-level";
    Folding const both = takes_turns
                             ? Folding{16, {true, true, false, false}, {{0, {2}}, {1, {3}}}}
                             : Folding{16, {true, false, true, false}, {{0, {1}}, {2, {3}}}};
    FoldingMaps const maps{Translations{topology}, both};
    for (std::size_t representative = 0; representative < 4; ++representative) {
      auto const copies = both.copies_of(representative);
      for (auto const to : copies) {
        EXPECT_EQ(maps.mapped(copies[0], copies[0], to), to);
        for (std::size_t accelerator = 0; accelerator < 16; ++accelerator) {
          auto const image = maps.mapped(accelerator, copies[0], to);
          EXPECT_EQ(both.representative(image), both.representative(accelerator));
          EXPECT_EQ(maps.mapped(image, to, copies[0]), accelerator);
          EXPECT_EQ(maps.distance(to, image), maps.distance(copies[0], accelerator));
        }
      }
    }
  }
}

TEST(Translations, AreThoseOfGridsOnly) {
  EXPECT_FALSE(Translations::of(load("hypar-paper")));
  auto const array = load("hypar-paper", {"fabric.topology=torus"});
  auto const torus = Translations::of(array).value();
  EXPECT_EQ(torus.dimensions(), 2U);
  Translations const same{Topology{array}};
  for (std::size_t to = 0; to < 16; ++to) {
    EXPECT_EQ(torus.displacement(3, to), same.displacement(3, to));
  }
}

TEST(FoldedNetwork, HasTheLinksOfRepresentativesAndRoutesOverThem) {
  auto const array = torus_of("4, 4", 16);
  Topology const whole{array};
  Folding const folding{16, {true, true, true, true}};
  Topology const one{array, folding};
  ASSERT_NE(one.folded_network(), nullptr);
  EXPECT_EQ(one.accelerators(), 1U);
  EXPECT_EQ(one.links().size(), 4U);
  EXPECT_TRUE(one.passes_through(NodeId{0}));
  for (auto const id : whole.links().ids()) {
    auto const& link = whole.links()[id];
    EXPECT_EQ(one.links()[one.stand_in(whole, id)].lane_bandwidth, link.lane_bandwidth);
  }
  // Three places along a row are one place back: one link, as it is from everywhere.
  EXPECT_EQ(one.folded_network()->route(NodeId{0}, NodeId{3}, Turn::positive).size(), 1U);
  EXPECT_EQ(one.folded_network()->route(NodeId{0}, NodeId{3}, Turn::positive).front(),
            one.stand_in(whole, whole.route(NodeId{1}, NodeId{0}, Turn::positive).front()));
  // Two links of a row are one here.
  auto const route = one.folded_network()->route(NodeId{0}, NodeId{2}, Turn::positive);
  ASSERT_EQ(route.size(), 2U);
  EXPECT_EQ(route[0], route[1]);
}

TEST(FoldedNetwork, GoesBackWhereAReflectionGoesOn) {
  // A mesh of four in a row: 3 is as 0, and 2 as 1.
  auto const array = test::grid_array("kind: mesh", "4", 4);
  Topology const whole{array};
  Topology const folded{array, Folding{4, {true, false}, {{0, {1}}}}};
  ASSERT_EQ(folded.accelerators(), 2U);
  EXPECT_EQ(folded.links().size(), 3U) << "from 0 to 1, from 1 to 0 and to its reflection";
  auto const link = [&](std::size_t from, std::size_t to) {
    return folded.stand_in(whole, whole.route(NodeId{from}, NodeId{to}, Turn::positive).front());
  };
  auto const all_along = folded.folded_network()->route(NodeId{0}, NodeId{3}, Turn::positive);
  EXPECT_EQ(all_along, (std::vector<LinkId>{link(0, 1), link(1, 2), link(1, 0)}));
  EXPECT_EQ(link(2, 1), link(1, 2));
  EXPECT_EQ(link(3, 2), link(0, 1));
}

/// Four servers of two.
ArraySpec servers() { return test::grid_array("kind: tree", "4, 2", 8); }

TEST(Translations, OfATreeMoveTheChildrenOfAllSwitchesOfALevel) {
  Translations const tree{Topology{servers()}};
  EXPECT_EQ(tree.along(0, 1), (std::vector<std::size_t>{1, 0, 3, 2, 5, 4, 7, 6}));
  EXPECT_EQ(tree.along(1, 1), (std::vector<std::size_t>{2, 3, 4, 5, 6, 7, 0, 1}));
  EXPECT_EQ(Translations::of(servers()).value().displacement(1, 6), tree.displacement(1, 6));
}

TEST(NodePositions, AreThoseOfTheAcceleratorsBelow) {
  Topology const whole{servers()};
  NodePositions const places{whole};
  auto const name = [&](NodeId node) { return whole.node_names()[node.index()]; };
  NodeId const of_third{8 + 3};
  EXPECT_EQ(name(of_third), "switch-3");
  EXPECT_EQ(places.leaf(of_third), 4U);
  EXPECT_EQ(places.leaf(NodeId{5}), 5U);
  EXPECT_EQ(name(places.moved(of_third, 7)), "switch-4");
  EXPECT_EQ(name(places.moved(NodeId{8}, 7)), "switch-0");
  EXPECT_EQ(name(places.moved(NodeId{5}, 7)), "accelerator-7");
  for (auto const& link : whole.links()) EXPECT_NE(places.leaf(link), 8U);
}

TEST(NodePositions, OfAFatTreeAreThoseOfWhoeverIsReachedOverThem) {
  Topology const whole{test::grid_array("kind: fat-tree", "2, 2", 4)};
  NodePositions const places{whole};
  auto const name = [&](NodeId node) { return whole.node_names()[node.index()]; };
  NodeId const root{4}, other_root{5};
  EXPECT_EQ(name(root), "switch-0");
  EXPECT_EQ(name(other_root), "switch-1");
  EXPECT_EQ(places.leaf(root), 0U) << "messages to even accelerators come over it";
  EXPECT_EQ(places.leaf(other_root), 1U);
  EXPECT_EQ(name(places.moved(root, 2)), "switch-0");
  EXPECT_EQ(name(places.moved(root, 3)), "switch-1");
  EXPECT_EQ(name(places.moved(NodeId{6}, 1)), "switch-2");
  std::vector<std::size_t> leaves(4, 0);  // of links between switches and below
  for (auto const& link : whole.links()) ++leaves.at(places.leaf(link));
  EXPECT_EQ(leaves, (std::vector<std::size_t>{4, 4, 4, 4}));
}

TEST(NodePositions, OfAGridWithPortsAreThoseOfTheirAccelerators) {
  Topology const whole{
      test::grid_array("kind: torus, port: {bandwidth: 8 Gb/s, latency: 1 ns}", "4", 4)};
  NodePositions const places{whole};
  NodeId const router{4 + 2};
  EXPECT_EQ(places.leaf(router), 2U);
  EXPECT_EQ(places.moved(router, 3), NodeId{4 + 3});
  EXPECT_EQ(places.moved(NodeId{2}, 3), NodeId{3});
  for (auto const& link : whole.links()) EXPECT_EQ(places.leaf(link), link.from.index() % 4);
}

TEST(FoldingMaps, ShiftBlocksRoundWithinATree) {
  Translations const tree{Topology{test::grid_array("kind: tree", "4, 2", 8)}};
  EXPECT_EQ(tree.along(1, 1, 2), (std::vector<std::size_t>{2, 3, 0, 1, 6, 7, 4, 5}));
  FoldingMaps const maps{tree, Folding{8, {false, true, false}}};  // pairs of servers are as one
  EXPECT_EQ(maps.mapped(0, 0, 2), 2U);
  EXPECT_EQ(maps.mapped(3, 0, 2), 1U) << "round its pair of servers";
  EXPECT_EQ(maps.mapped(6, 0, 2), 4U) << "and so in the other pair";
  EXPECT_EQ(maps.distance(2, 0), maps.distance(0, 2));
  EXPECT_EQ(maps.distance(2, 6), maps.distance(0, 4));
  EXPECT_NE(maps.distance(2, 4), maps.distance(0, 4)) << "which is as 0 to 6";
  EXPECT_EQ(maps.distance(2, 4), maps.distance(0, 6));
}

TEST(FoldingMaps, SwapHalves) {
  FoldingMaps const maps{Translations{Topology{servers()}},
                         Folding{8, {true, true, false}, {}, Folding::Maps::swaps}};
  EXPECT_EQ(maps.mapped(3, 0, 4), 7U) << "two servers on";
  EXPECT_EQ(maps.mapped(7, 0, 4), 3U) << "and back";
  EXPECT_EQ(maps.mapped(3, 0, 2), 1U);
  EXPECT_EQ(maps.mapped(6, 0, 2), 4U) << "servers swap in pairs";
  EXPECT_EQ(maps.distance(2, 0), maps.distance(0, 2)) << "which are the same, swapped";
  EXPECT_NE(maps.distance(0, 2), maps.distance(0, 4));
}

TEST(FoldedNetwork, OfATreeHasTheSwitchesAboveItsAccelerators) {
  auto const array = servers();
  Topology const whole{array};
  Topology const one{array, Folding{8, {true, true, false}}};
  EXPECT_EQ(one.node_names(),
            (std::vector<std::string>{"accelerator-0", "accelerator-1", "switch-0", "switch-1"}));
  EXPECT_EQ(one.links().size(), 6U) << "of two accelerators and a server, up and down";
  auto const* const grid = one.folded_network();
  auto const to_next = grid->route(NodeId{1}, NodeId{2}, Turn::positive);
  ASSERT_EQ(to_next.size(), 4U);
  EXPECT_EQ(one.links()[to_next[1]].name, "switch-1>switch-0");
  EXPECT_EQ(one.links()[to_next[2]].name, "switch-0>switch-1");
  EXPECT_EQ(one.links()[to_next[3]].name, "switch-1>accelerator-0");
  std::vector<int> count(one.links().size(), 0);
  for (auto const id : whole.links().ids()) {
    auto const stand_in = one.stand_in(whole, id);
    ++count[stand_in.index()];
    EXPECT_EQ(one.links()[stand_in].from, one.stand_in(whole, whole.links()[id].from));
    EXPECT_EQ(one.links()[stand_in].to, one.stand_in(whole, whole.links()[id].to));
  }
  EXPECT_EQ(count, std::vector<int>(6, 4));
}

TEST(FoldedNetwork, EachOfItsLinksStandsForAsManyAsThereAreCopies) {
  auto const array = torus_of("4, 4", 16);
  Topology const whole{array};
  // By dimension, the first two levels are the second dimension's.
  Topology const folded{array, Folding{16, {true, false, true, false}}};
  EXPECT_EQ(folded.accelerators(), 4U);
  std::vector<int> count(folded.links().size(), 0);
  for (auto const id : whole.links().ids()) ++count[folded.stand_in(whole, id).index()];
  EXPECT_EQ(count, std::vector<int>(16, 4));
}

}  // namespace
}  // namespace tessera::arch
