// "Did you mean".
#include "arch/base/nearest_name.hpp"

#include <gtest/gtest.h>

namespace tessera {
namespace {

std::vector<std::string> const planners = {"dp", "mp", "owt", "hypar", "exhaustive"};

TEST(NearestName, FindsOneSlipOfEachKind) {
  EXPECT_EQ(nearest_name("hypr", planners), "hypar");    // left out
  EXPECT_EQ(nearest_name("hyppar", planners), "hypar");  // doubled
  EXPECT_EQ(nearest_name("hyper", planners), "hypar");   // replaced
  EXPECT_EQ(nearest_name("hyapr", planners), "hypar");   // swapped
  EXPECT_EQ(nearest_name("HyPar", planners), "hypar");   // upper case
}

TEST(NearestName, ToleratesAThirdOfTheLettersAndNoMore) {
  EXPECT_EQ(nearest_name("abcxyz", {"abcdez"}), "abcdez");      // 2 of 6
  EXPECT_EQ(nearest_name("abcxyz", {"abdewz"}), std::nullopt);  // 3 of 6
  EXPECT_EQ(nearest_name("dq", planners), std::nullopt);        // 1 of 2
}

TEST(NearestName, OfEquallyNearNamesTakesTheFirst) {
  EXPECT_EQ(nearest_name("late", {"lane", "lake"}), "lane");
}

TEST(NearestName, AHugeNameIsNobodysSlip) {
  EXPECT_EQ(nearest_name(std::string(1'000'000, 'h'), planners), std::nullopt);
}

TEST(UnknownName, SuggestsAndListsTheKnown) {
  EXPECT_EQ(unknown_name("planner", "hypr", planners),
            "unknown planner 'hypr'; did you mean 'hypar'? known: dp, mp, owt, hypar, exhaustive");
  EXPECT_EQ(unknown_name("planner", "tetris", planners),
            "unknown planner 'tetris'; known: dp, mp, owt, hypar, exhaustive");
  EXPECT_EQ(unknown_name("planner", "x", {}), "unknown planner 'x'");
}

TEST(UnknownName, OfManyKnownNamesTheNearestAndHowManyMore) {
  std::vector<std::string> layers;
  for (int index = 100; index < 400; ++index) layers.push_back("layer" + std::to_string(index));
  EXPECT_EQ(unknown_name("tensor", "layer39x", layers),
            "unknown tensor 'layer39x'; did you mean 'layer390'? known: layer390, layer391, "
            "layer392, layer393, layer394 and 295 more");
  EXPECT_EQ(unknown_name("tensor", std::string(40, 'x'), layers, "tessera list tensors"),
            "unknown tensor '" + std::string(40, 'x') +
                "'; known: layer100, layer101, layer102, layer103, layer104 and 295 more; see "
                "tessera list tensors");
}

}  // namespace
}  // namespace tessera
