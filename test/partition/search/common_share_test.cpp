#include "partition/search/common_share.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "test/support/two_speeds.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using workloads::Dim;

TEST(CommonShare, IsOfWhatIsSplitAtThatLevel) {
  auto const array = test::two_speeds(4, 2, 3);
  EXPECT_EQ(levels_of_unlike_halves(array), std::vector<std::size_t>{0});
  EXPECT_TRUE(levels_of_unlike_halves(arch::load("hypar-paper")).empty());
  auto const network = workloads::load("hypar/sfc");
  auto plan = make_planner("dp")->solve({network, array});
  workloads::OperatorId const first{0};
  plan.splits[first] = {std::nullopt, Split{Dim::k}};
  plan.phase_splits[{first, workloads::Phase::backward_weight}] = {Split{Dim::c}, Split{Dim::k}};
  auto const weighed = with_common_share(plan, 0, 0.25);
  Splits const untouched{std::nullopt, Split{Dim::k}};
  Splits const of_phase{Split{Dim::c, 0.25}, Split{Dim::k}};
  Splits const of_others{Split{Dim::n, 0.25}, Split{Dim::n}};
  EXPECT_EQ(weighed.splits[first], untouched);
  EXPECT_EQ(weighed.splits_of(first, workloads::Phase::backward_weight), of_phase);
  EXPECT_EQ(weighed.splits[workloads::OperatorId{1}], of_others);
}

/// Guesses are off by an eighth: simulation finds the least of a valley all the same, in few steps.
TEST(CommonShare, IsFoundFromAGuessThatIsNear) {
  for (int least = 2; least < 54; ++least) {
    SCOPED_TRACE(least);
    auto const valley = [](double share, int bottom) {
      return Time{static_cast<std::int64_t>(std::abs(share * 64 - bottom))};
    };
    std::multiset<double> asked;
    auto best = Time{1000};
    search_common_share([&](double share) { return valley(share, least + 8); },
                        [&](double share) {
                          asked.insert(share);
                          auto const time = valley(share, least);
                          bool const is_better = time < best;
                          if (is_better) best = time;
                          return is_better;
                        });
    EXPECT_EQ(best, Time{0});
    EXPECT_LE(asked.size(), 9U);
  }
}

TEST(CommonShare, IsNotSearchedWhereNoneCanBe) {
  search_common_share([](double) { return std::nullopt; },
                      [](double) {
                        ADD_FAILURE();
                        return true;
                      });
}

}  // namespace
}  // namespace tessera::partition
