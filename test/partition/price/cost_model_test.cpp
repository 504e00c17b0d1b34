#include "partition/price/cost_model.hpp"

#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/traffic.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

Holding const even_samples = Holding::split(0);
Holding const even_channels = Holding::split(1);
Holding const replicated = Holding::replicated();
Holding const partial = Holding::partial();

struct CutCase {
  Holding from, to;
  double moved;  ///< of |T|, both directions (planners.md 0.4 with two parts; SoyBean's conversion
                 ///< table)
};

class OneCut : public testing::TestWithParam<CutCase> {};

TEST_P(OneCut, CostsWhatTheConversionTableSays) {
  auto const& [from, to, share] = GetParam();
  EXPECT_EQ(moved({from}, {to}, 0, 1000).elements, 1000 * share);
}

INSTANTIATE_TEST_SUITE_P(
    Conversions, OneCut,
    testing::Values(CutCase{even_samples, even_samples, 0},
                    CutCase{even_samples, even_channels, 0.5}, CutCase{even_samples, replicated, 1},
                    CutCase{replicated, even_samples, 0}, CutCase{replicated, replicated, 0},
                    CutCase{partial, even_samples, 1}, CutCase{partial, replicated, 2}));

TEST(MovedElements, ASplitAboveHalvesWhatEachOfTwoGroupsMoves) {
  EXPECT_EQ(moved({even_samples, partial}, {even_samples, even_samples}, 1, 1000).elements,
            1000);  // 2 * 1000/2
}

TEST(MovedElements, SummandsAboveAreStillWholeWhenTheInnerLevelReduces) {
  EXPECT_EQ(moved({partial, partial}, {even_samples, even_samples}, 1, 1000).elements, 2000);
  EXPECT_EQ(moved({partial, partial}, {even_samples, even_samples}, 0, 1000).elements, 1000);
}

TEST(MovedElements, ReplicationBelowRepeatsTheExchange) {
  EXPECT_EQ(moved({even_samples, replicated}, {even_channels, replicated}, 0, 1000).elements,
            1000);  // twice 1000/2
}

/// One fully connected layer between two: HyPar's Tables 1 and 2 at one level, per pair, both
/// directions.
TEST(LevelPricer, IsHyParsTables1And2AsEvaluated) {
  using workloads::Dim;
  auto const network = workloads::load("hypar/sfc");
  LevelPricer const price{network, 0};
  auto const fc1 = network.find("fc1");
  auto const fc2 = network.find("fc2");
  double const weights = 784.0 * 8192;
  double const features = 256.0 * 8192;
  Splits const dp{Dim::n};
  Splits const mp{Dim::c};
  EXPECT_EQ(price.within(fc1, dp).elements, 2 * weights);  // A(dW) each way
  EXPECT_EQ(price.within(fc1, mp).elements, 0);
  EXPECT_EQ(price.between(fc1, dp, fc2, dp).elements, 0);
  EXPECT_EQ(price.between(fc1, dp, fc2, mp).elements, 2 * (0.25 + 0.25) * features);
  EXPECT_EQ(price.between(fc1, mp, fc2, mp).elements,
            2 * features);  // Table 1's A(F), inter-layer 0
  EXPECT_EQ(price.between(fc1, mp, fc2, dp).elements, 2 * features);
}

TEST(LevelPricer, ChargesTheLastLayersOutputUnderModelParallelism) {
  auto const network = workloads::load("hypar/sfc");
  EXPECT_EQ((LevelPricer{network, 0}.within(network.find("fc4"), {workloads::Dim::c}).elements),
            2 * 256 * 10);
}

TEST(Cost, OfDataParallelismIsTheModelOfThePaper) {
  // T = 3 B MACs_in / (N 168 f) + C_total / (1 B * f) at f = 250 MHz (reference fit of Fig. 6); SFC's maps are 1 x 1.
  auto const network = workloads::load("hypar/sfc");
  auto const array = arch::load("hypar-paper");
  auto const plan = make_planner("dp")->solve({network, array});
  auto const priced = cost({network, array}, plan);
  double const weights = 140'722'176;
  EXPECT_NEAR(priced.compute_s, 3 * 256 * weights / (16 * 168 * 250e6), 1e-9);
  EXPECT_NEAR(priced.communication_s, 120 * weights / 250e6, 1e-9);
}

TEST(Cost, OfTheSlowestLinksIsCountedToo) {
  auto const network = workloads::load("hypar/sfc");
  auto const planner = make_planner("dp");
  auto const time = [&](std::string const& bandwidth) {
    auto const array =
        arch::load("hypar-paper",
                   {"fabric={clock: 1 GHz, topology: {kind: torus, shape: [16], link: {latency: "
                    "40 ns, bandwidth: " +
                    bandwidth + "}}}"});
    return cost({network, array}, planner->solve({network, array})).communication_s;
  };
  EXPECT_NEAR(time("1 b/s") / time("1 Gb/s"), 1e9, 1e-3 * 1e9);
}

TEST(Cost, OfATorusIsTwiceTheHTreesCommunication) {
  auto const network = workloads::load("hypar/vgg-a");
  auto const planner = make_planner("hypar");
  auto const htree = arch::load("hypar-paper");
  auto const torus = arch::load("hypar-paper", {"fabric.topology=torus"});
  auto const on_htree = cost({network, htree}, planner->solve({network, htree}));
  auto const on_torus = cost({network, torus}, planner->solve({network, torus}));
  EXPECT_NEAR(on_torus.communication_s / on_htree.communication_s, 2, 1e-6);
}

TEST(PhaseCosts, AddUpToThePriceOfThePlan) {
  for (auto const* const collectives : {"hierarchical", "ring"}) {
    auto const array =
        arch::load("tpu-v2v3-256", {"accelerators=8", "groups.0.count=4", "groups.1.count=4",
                                    "execution.collectives=" + std::string{collectives}});
    auto const network = workloads::load("hypar/alexnet", {"batch=512"});
    for (auto const* const planner : {"dp", "mp", "accpar"}) {
      auto const plan = make_planner(planner)->solve({network, array});
      double time_s = 0;
      std::int64_t bytes = 0;
      auto const costs = phase_costs({network, array}, plan);
      for (auto const& cost : costs) {
        time_s += cost.seconds;
        bytes += cost.communication.value();
      }
      auto const priced = cost({network, array}, plan);
      EXPECT_NEAR(time_s / priced.time_s(), 1, 1e-12) << collectives << ' ' << planner;
      EXPECT_NEAR(static_cast<double>(bytes), static_cast<double>(priced.communication.value()),
                  static_cast<double>(costs.size()))
          << "a byte is rounded per phase";
    }
  }
}

}  // namespace
}  // namespace tessera::partition
