// What accelerators hold, by hand on one network and by laws on random ones.
#include "partition/price/footprint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/search/planning.hpp"
#include "test/support/error_message.hpp"
#include "test/support/network_text.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "test/support/two_speeds.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using workloads::Dim;

/// 8 samples of 64 features to 32 to 16, two bytes each.
workloads::Network two_layers() {
  test::NetworkText text;
  text.input = "{name: x, features: 64}";
  text.batch = "8";
  text.element = "bf16";
  return test::network_of(text.with({"{name: fc1, kind: linear, input: x, outputs: 32}",
                                     "{name: fc2, kind: linear, input: fc1, outputs: 16}"}));
}

Plan plan_with(Problem const& problem, std::map<std::string, Splits> const& splits) {
  auto plan = empty_plan("by-hand", problem);
  for (auto const& [name, of_operator] : splits) {
    plan.splits[problem.network.find(name)] = of_operator;
  }
  return plan;
}

TEST(Footprint, IsWeightsGradientsAndInputsInTheLayoutsOfThePlan) {
  auto const network = two_layers();
  auto const array = arch::load("hypar-paper", {"accelerators=2"});
  auto const plan = plan_with({network, array}, {{"fc1", {Dim::n}}, {"fc2", {Dim::k}}});
  for (std::size_t const accelerator : {0U, 1U}) {
    auto const held = footprints(network, plan, accelerator);
    auto const fc1 = held[network.find("fc1")];
    EXPECT_EQ(fc1.weights, Bytes{64 * 32 * 2});     // replicated
    EXPECT_EQ(fc1.gradients, Bytes{64 * 32 * 2});   // likewise
    EXPECT_EQ(fc1.activations, Bytes{4 * 64 * 2});  // half of the samples
    auto const fc2 = held[network.find("fc2")];
    EXPECT_EQ(fc2.weights, Bytes{32 * 8 * 2});      // half of the outputs
    EXPECT_EQ(fc2.activations, Bytes{8 * 32 * 2});  // replicated
  }
}

TEST(Footprint, OfUnequalHalvesIsUnequal) {
  auto const network = two_layers();
  auto const array = arch::load("hypar-paper", {"accelerators=2"});
  auto const plan =
      plan_with({network, array}, {{"fc1", {Split{Dim::n, 0.25}}}, {"fc2", {Split{Dim::c, 0.25}}}});
  auto const fc1 = network.find("fc1");
  auto const fc2 = network.find("fc2");
  EXPECT_EQ(footprints(network, plan, 0)[fc1].activations, Bytes{2 * 64 * 2});
  EXPECT_EQ(footprints(network, plan, 1)[fc1].activations, Bytes{6 * 64 * 2});
  EXPECT_EQ(footprints(network, plan, 0)[fc2].weights, Bytes{8 * 16 * 2});
  EXPECT_EQ(footprints(network, plan, 1)[fc2].weights, Bytes{24 * 16 * 2});
  EXPECT_EQ(fullest({network, array}, plan).accelerator, 1U);
}

TEST(Footprint, CountsAnInputOfSeveralOncePerLayout) {
  test::NetworkText text;
  text.input = "{name: x, features: 64}";
  text.batch = "8";
  auto const network =
      test::network_of(text.with({"{name: fc1, kind: linear, input: x, outputs: 64}",
                                  "{name: fc2, kind: linear, input: x, outputs: 64}",
                                  "{name: sum, kind: add, inputs: [fc1, fc2]}"}));
  auto const array = arch::load("hypar-paper", {"accelerators=2"});
  auto const activations = [&](Split first, Split second) {
    auto const plan =
        plan_with({network, array}, {{"fc1", {first}}, {"fc2", {second}}, {"sum", {Dim::n}}});
    Footprint sum;
    for (auto const& held : footprints(network, plan, 0)) sum += held;
    return sum.activations;  // a sum keeps nothing
  };
  EXPECT_EQ(activations(Dim::n, Dim::n), Bytes{4 * 64 * 4});
  EXPECT_EQ(activations(Dim::n, Dim::k), Bytes{8 * 64 * 4});  // the half is part of the whole
  EXPECT_EQ(activations(Dim::k, Dim::n), Bytes{8 * 64 * 4});
  EXPECT_EQ(activations(Dim::n, Dim::c), Bytes{2 * 8 * 32 * 4});  // two different halves
}

TEST(Footprint, TheFullestIsThatOfAllAcceleratorsOneByOne) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 random{seed};
    test::RandomNetworkOptions options;
    options.graph = test::RandomNetworkOptions::Graph::dag;
    auto const network = test::random_network(random, options);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + network.source_text());
    auto array = test::two_speeds(16, 8, 2);
    array.groups.back().accelerator.memory_capacity = Bytes{seed % 3 == 0 ? 5'000'000 : 9'000'000};
    auto plan = test::random_plan(network, array, random);
    if (seed % 2 == 0) test::unbalance(plan, random);
    Bytes most{0};
    double filled = 0;
    for (std::size_t accelerator = 0; accelerator < 16; ++accelerator) {
      Footprint sum;
      for (auto const& held : footprints(network, plan, accelerator)) sum += held;
      auto const capacity = array.accelerator(accelerator).memory_capacity;
      auto const share =
          static_cast<double>(sum.total().value()) / static_cast<double>(capacity.value());
      if (share > filled) std::tie(filled, most) = std::tuple{share, sum.total()};
    }
    auto const full = fullest({network, array}, plan);
    EXPECT_EQ(full.footprint.total(), most);
    EXPECT_EQ(full.filled(), filled);
  }
}

TEST(Footprint, OfEqualHalvesIsWhatPlannersReckonWith) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    std::mt19937_64 random{seed};
    auto const network = test::random_network(random);  // a chain: no input is kept twice
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + network.source_text());
    auto const array = arch::load("hypar-paper", {"accelerators=2"});
    auto const plan = test::random_plan(network, array, random);
    auto const held = footprints(network, plan, 0);
    for (auto const op : network.operators().ids()) {
      EXPECT_EQ(static_cast<double>(held[op].total().value()),
                elements_held(network, op, plan.splits[op]) *
                    static_cast<double>(network.element_size().value()));
    }
  }
}

TEST(CheckFit, NamesAcceleratorLayerLevelsBytesAndAWayOut) {
  auto const network = two_layers();
  auto array = test::two_speeds(4, 2, 2);
  // Each holds 64 * 32 * 2 B of weights of fc1, as much of gradients and 2 * 64 * 2 B of inputs: 8448 B; fc2 32 * 16 * 2 B twice
  // and 2 * 32 * 2 B: 2176 B.
  array.groups.back().accelerator.memory_capacity = Bytes{10'623};
  auto const plan =
      plan_with({network, array}, {{"fc1", {Dim::n, Dim::n}}, {"fc2", {Dim::n, Dim::n}}});
  EXPECT_EQ(
      test::error_message([&] {
        check_fit({network, array}, plan, Fit::reject);
        return 0;
      }),
      "planner.fit: the plan of by-hand for test, batch 8, makes accelerator 2 (group 2 of 2) hold "
      "10.62 kB, but its memory has 10.62 kB (weights 5.12 kB, gradients 5.12 kB, activations kept "
      "384 B; most in layer 'fc1', 8.448 kB, split I at level 1, 2); use a smaller batch, more "
      "accelerators, another planner, planner.fit=search, or planner.fit=ignore");
  EXPECT_NO_THROW(check_fit({network, array}, plan, Fit::ignore));
  array.groups.back().accelerator.memory_capacity = Bytes{10'624};
  EXPECT_NO_THROW(check_fit({network, array}, plan, Fit::reject));
}

/// All that the papers evaluate fits the machines that they evaluate, but for the one accelerator
/// of HyPar's Fig. 11.
TEST(CheckFit, LetsThroughWhatThePapersEvaluate) {
  auto const array = arch::load("hypar-paper");
  for (auto const* const name : {"hypar/sfc", "hypar/alexnet", "hypar/vgg-e"}) {
    auto const network = workloads::load(name);
    for (auto const* const planner : {"dp", "mp", "hypar"}) {
      auto const plan = make_planner(planner)->solve({network, array});
      EXPECT_NO_THROW(check_fit({network, array}, plan, Fit::reject)) << name << ' ' << planner;
    }
  }
  auto const one = arch::load("hypar-paper", {"accelerators=1"});
  auto const network = workloads::load("hypar/vgg-e");
  auto const plan = make_planner("dp")->solve({network, one});
  EXPECT_THROW(check_fit({network, one}, plan, Fit::reject), ConfigError);
  auto options = one.planner.as_map();
  EXPECT_EQ(fit_from(options), Fit::ignore);
}

}  // namespace
}  // namespace tessera::partition
