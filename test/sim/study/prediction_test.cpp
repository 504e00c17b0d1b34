// Ranks and regrets that were worked out by hand.
#include "sim/study/prediction.hpp"

#include <gtest/gtest.h>

namespace tessera::sim {
namespace {

TEST(RankCorrelation, IsOfTheOrderAlone) {
  EXPECT_NEAR(rank_correlation({1, 2, 3}, {10, 100, 1000}).value(), 1, 1e-12);
  EXPECT_NEAR(rank_correlation({1, 2, 3}, {3, 2, 1}).value(), -1, 1e-12);
  EXPECT_NEAR(rank_correlation({1, 2, 3, 4}, {1, 2, 4, 3}).value(), 0.8, 1e-12);  // 1 - 6*2/(4*15)
}

TEST(RankCorrelation, GivesEqualValuesTheirMeanRank) {
  // Ranks 0.5, 0.5, 2 and 0, 1, 2: 1.5 / sqrt(1.5 * 2).
  EXPECT_NEAR(rank_correlation({5, 5, 7}, {1, 2, 3}).value(), 0.8660254037844386, 1e-12);
}

TEST(RankCorrelation, IsNoneWhereNothingIsRanked) {
  EXPECT_FALSE(rank_correlation({1, 1}, {1, 2}).has_value());
  EXPECT_FALSE(rank_correlation({1}, {1}).has_value());
  EXPECT_FALSE(rank_correlation({}, {}).has_value());
}

TEST(Regret, IsWhatThePredictedBestTakesLonger) {
  EXPECT_EQ(regret({1, 2, 3}, {4, 5, 6}), 0);
  EXPECT_EQ(regret({1, 2, 3}, {6, 4, 5}), 0.5);
  EXPECT_EQ(regret({1, 1}, {4, 2}), 1);  // the first of equals
}

Entry entry(double predicted, double simulated) {
  Entry made;
  made.result.predicted.time_s = predicted;
  made.result.simulated.time_s = simulated;
  return made;
}

Entry failed() {
  auto made = entry(0, 0);
  made.failure = Failure{ExitCode::users_fault, "no such plan"};
  return made;
}

TEST(PredictionQuality, IsTheMeanOverProblems) {
  auto const quality = prediction_quality({entry(1, 6), entry(2, 4), failed(),     //
                                           entry(1, 1), entry(2, 2), entry(3, 3),  //
                                           entry(1, 1), failed(), failed(),        //
                                           entry(1, 5), entry(1, 5), entry(1, 5)},
                                          3)
                           .value();
  EXPECT_EQ(quality.problems, 3U);
  EXPECT_EQ(quality.ranked, 2U);
  EXPECT_NEAR(quality.rank_correlation.value(), 0, 1e-12);  // -1 and 1
  EXPECT_NEAR(quality.mean_regret, 0.5 / 3, 1e-12);
  EXPECT_EQ(quality.most_regret, 0.5);
}

TEST(PredictionQuality, IsNoneWithoutTwoToChooseFrom) {
  EXPECT_FALSE(prediction_quality({entry(1, 1), failed()}, 2).has_value());
  EXPECT_FALSE(prediction_quality({entry(1, 1), entry(2, 2)}, 1).has_value());
}

}  // namespace
}  // namespace tessera::sim
