// Which accelerators of a tree of switches a plan treats alike: children that shifts, or swaps of halves, map onto each other.
#include "partition/step/swap_symmetry.hpp"

#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/step/symmetry.hpp"
#include "test/support/network_text.hpp"

namespace tessera::partition {
namespace {

struct Tree {
  std::string kind = "tree";
  std::string shape = "4, 4";
  int accelerators = 16;
  std::string links = "link: {bandwidth: 8 Gb/s, latency: 5 ns}";
};

/// Everybody has a part of the samples, and gradients are summed.
Folding folded(Tree const& tree, std::string const& collectives) {
  test::NetworkText text;
  text.batch = "144";
  text.input = "{name: x, features: 32}";
  auto const network =
      test::network_of(text.with({"{name: fc, kind: linear, input: x, outputs: 36}"}));
  auto const array =
      arch::load("hypar-paper", {"accelerators=" + std::to_string(tree.accelerators),
                                 "fabric={clock: 1 GHz, topology: {kind: " + tree.kind +
                                     ", shape: [" + tree.shape + "], " + tree.links + "}}",
                                 "execution.collectives=" + collectives, "execution.sums=padded"});
  return symmetry({network, array}, make_planner("dp")->solve({network, array}));
}

TEST(TreeSymmetry, OfARingThroughServersLeavesOneServer) {
  auto const folding = folded({}, "ring");
  EXPECT_EQ(folding.representatives(), 4U) << "the last of a server sends to another one";
  EXPECT_TRUE(folding.is_folded(0) && folding.is_folded(1));
  EXPECT_EQ(folding.maps(), Folding::Maps::shifts);
  EXPECT_EQ(folded({"tree", "3, 4", 12}, "ring").representatives(), 4U) << "three servers";
}

TEST(TreeSymmetry, OfPartnersHalvesApartIsThatOfSwaps) {
  auto const folding = folded({}, "halving-doubling");
  EXPECT_EQ(folding.representatives(), 4U) << "accelerators of a server share its link";
  EXPECT_EQ(folding.maps(), Folding::Maps::swaps);
  auto const of_three = folded({"tree", "3, 4", 12}, "hierarchical");
  EXPECT_EQ(of_three.representatives(), 4U) << "each to the next of three, and to the one after";
  EXPECT_EQ(of_three.maps(), Folding::Maps::shifts);
}

TEST(TreeSymmetry, OfAStarIsThatOfAllItsAccelerators) {
  EXPECT_EQ(folded({"tree", "16", 16}, "ring").representatives(), 1U);
  EXPECT_EQ(folded({"tree", "16", 16}, "direct").representatives(), 1U);
}

TEST(TreeSymmetry, KeepsApartWhoShareALink) {
  // All of a server send over its link to all others; of those that go equally far not always the
  // first one first, but in the same order everywhere.
  EXPECT_EQ(folded({}, "direct").representatives(), 4U);
  // Within pods of two servers of two, a ring leaves a server for the next, and a pod.
  EXPECT_EQ(folded({"tree", "4, 2, 2", 16}, "ring").representatives(), 4U);
}

TEST(TreeSymmetry, OfAFatTreeIsThatOfWaysOfTheirOwn) {
  Tree const fat{"fat-tree", "4, 2"};
  EXPECT_EQ(folded(fat, "halving-doubling").representatives(), 1U)
      << "those below a switch send to places of their own, over links of their own";
  EXPECT_EQ(folded(fat, "direct").representatives(), 4U) << "to the next ones, round all";
  EXPECT_EQ(folded(fat, "ring").representatives(), 4U) << "the last below a switch leaves it";
  EXPECT_EQ(folded({"fat-tree", "2, 4"}, "hierarchical").representatives(), 1U);
  EXPECT_EQ(folded({"fat-tree", "3, 2", 9}, "hierarchical").representatives(), 1U);
}

TEST(TreeSymmetry, IsNoneWithLanesOrPackets) {
  auto const lanes = "link: {bandwidth: 8 Gb/s, latency: 5 ns, lanes: 2}";
  EXPECT_TRUE(folded({"tree", "4, 4", 16, lanes}, "ring").is_trivial()) << "senders have lanes";
  Tree tree;
  tree.links += "}, packet: 512 B, router: {pipeline: 1 ns, virtual_channels: 2, buffer_packets: 2";
  EXPECT_TRUE(folded(tree, "ring").is_trivial());
}

}  // namespace
}  // namespace tessera::partition
