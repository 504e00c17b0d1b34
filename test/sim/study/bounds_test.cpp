// What no plan can beat: by hand, and against random plans of random networks.
#include "sim/study/bounds.hpp"

#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "sim/study/experiment.hpp"
#include "test/support/network_text.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {
namespace {

/// 64 products forward and for the weights' gradient; there is no error to make for the input.
workloads::Network one_layer() {
  test::NetworkText text;
  text.input = "{name: x, channels: 4, rows: 1, columns: 1}";
  text.batch = "8";
  return test::network_of(text.with({"{name: fc, kind: linear, input: x, outputs: 2}"}));
}

/// 10 products and 8 bytes a second each.
arch::ArraySpec slow_array(std::string const& accelerators, std::string const& update = "free") {
  return arch::load(
      "hypar-paper",
      {"accelerators=" + accelerators, "accelerator.clock=1 Hz",
       "accelerator.processing_unit={kind: mac-rate, macs_per_cycle: 10, update: " + update + "}",
       "accelerator.memory={kind: bandwidth, bandwidth: 64 b/s, latency: 0 ns, capacity: 8 GB}"});
}

TEST(Bounds, AreProductsAtThePeakRateAndOperandsAtTheBandwidth) {
  auto const bounds = bounds_of(one_layer(), slow_array("2"));
  EXPECT_DOUBLE_EQ(bounds.peak_s.value(), (64 + 64) / 20.0);
  // Forward x 32 and w 8 in, 16 out; the gradient 32 and 16 in, 8 out; the update 16 in and 8 out.
  EXPECT_DOUBLE_EQ(bounds.memory_s.value(), 4 * (56 + 56 + 24) / 16.0);
}

/// Three layers of one weight tensor are updated once.
TEST(Bounds, OnOneAcceleratorAreWhatItComputesAndMovesTiedWeightsToo) {
  test::NetworkText text;
  text.input = "{name: x, channels: 64, rows: 1, columns: 1}";
  text.batch = "1";
  Experiment experiment;
  experiment.network =
      test::network_of(text.with({"{name: a, kind: linear, input: x, outputs: 64}",
                                  "{name: b, kind: linear, input: a, outputs: 64, tied_to: a}",
                                  "{name: c, kind: linear, input: b, outputs: 64, tied_to: a}"}));
  experiment.array = slow_array("1", "charged");
  experiment.planner = "dp";
  experiment.host = Host::engine;
  auto const result = simulate(experiment).result;
  auto const time_s = result.simulated.time_s;
  EXPECT_NEAR(result.bounds->peak_s.value() / (result.use->of_peak.value() * time_s), 1, 1e-9);
  EXPECT_NEAR(result.bounds->memory_s.value() / (result.use->memory_of_peak.value() * time_s), 1,
              1e-9);
}

TEST(Bounds, CountNothingThatAnArrayHasNoLimitFor) {
  EXPECT_FALSE(bounds_of(one_layer(), arch::load("hypar-paper")).memory_s);
}

TEST(Bounds, OfUnlikeHalvesAreThoseOfBothTogether) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const whole = bounds_of(network, arch::load("tpu-v2v3-256"));
  auto const fast = bounds_of(network, arch::load("tpu-v3-128"));
  EXPECT_LT(whole.peak_s.value(), fast.peak_s.value());
  EXPECT_GT(whole.peak_s.value(), fast.peak_s.value() / 2);
  EXPECT_LT(whole.memory_s.value(), fast.memory_s.value());
  EXPECT_GT(whole.memory_s.value(), fast.memory_s.value() / 2);
}

TEST(Bounds, NoRandomPlanBeatsThem) {
  for (auto const* const name : {"hmc-htree-16", "tpu-v3-128", "accpar-paper-128"}) {
    auto const array = arch::load(name, {"accelerators=4"});
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      std::mt19937_64 random{seed};
      test::RandomNetworkOptions options;
      options.levels = 2;
      options.graph = seed % 2 == 0 ? test::RandomNetworkOptions::Graph::dag
                                    : test::RandomNetworkOptions::Graph::chain;
      if (seed % 3 == 0) options.weights = test::RandomNetworkOptions::Weights::tied;
      Experiment experiment;
      experiment.network = test::random_network(random, options);
      experiment.array = array;
      experiment.plan = test::random_plan(experiment.network, array, random);
      experiment.host = Host::engine;
      auto const result = simulate(experiment).result;
      SCOPED_TRACE(std::string{name} + ", seed " + std::to_string(seed));
      EXPECT_GE(result.simulated.time_s, result.bounds->peak_s.value());
      if (!result.bounds->memory_s) continue;
      EXPECT_GE(result.simulated.time_s, *result.bounds->memory_s);
      auto const moving_s = result.use->memory_of_peak.value() * result.simulated.time_s;
      EXPECT_GE(moving_s * (1 + 1e-12), *result.bounds->memory_s);
    }
  }
}

}  // namespace
}  // namespace tessera::sim
