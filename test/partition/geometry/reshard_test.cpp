// Laws of resharding: parts cover the tensor, exchanges bring what is missing and nothing else, and what they move is what the cost
// model's closed forms say.
#include "partition/geometry/reshard.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "arch/array/load.hpp"
#include "partition/geometry/tiling.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/traffic.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "test/support/two_speeds.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using workloads::Dim;
using workloads::OperatorId;

/// What the steps of a level move, and what they would if everybody received as much as the one
/// that receives most.
Traffic moved_by(Tiling const& tiling, std::vector<ReshardStep> const& steps, std::size_t level) {
  Traffic total;
  for (auto const& step : steps) {
    if (step.level != level) continue;
    double most = 0;
    for (auto const& exchange : step.exchanges) {
      auto const elements = static_cast<double>(exchange.elements.value());
      total.elements += elements;
      most = std::max(most, elements);
    }
    total.critical += most * static_cast<double>(tiling.accelerators());
  }
  return total;
}

void expect_equal(Traffic const& sent, Traffic const& priced, std::string const& where) {
  EXPECT_DOUBLE_EQ(sent.elements, priced.elements) << where;
  EXPECT_DOUBLE_EQ(sent.critical, priced.critical) << where;
}

/// Holds every edge's and every gradient's exchanges against the closed form, at every level.
void expect_exchanges_match_prices(workloads::Network const& network, Plan const& plan,
                                   ArrayShape const& shape = {}) {
  Tiling const tiling{network, plan};
  for (std::size_t level = 0; level < tiling.levels(); ++level) {
    LevelPricer const pricer{network, level, shape};
    for (auto const id : network.operators().ids()) {
      auto const& op = network.at(id);
      auto const& splits = plan.splits[id];
      auto const written = layout_written(op.output, splits);
      auto const where = op.name + " level " + std::to_string(level);
      auto const steps_of = [&](Layout const& from, Layout const& to) {
        return moved_by(tiling, reshard(tiling, op.output.tensor, from, to), level);
      };
      Traffic own;
      if (op.weight) {
        own += moved_by(tiling,
                        all_reduce(tiling, op.weight->tensor, layout_written(*op.weight, splits)),
                        level);
      }
      auto const& consumers = network.at(op.output.tensor).consumers;
      if (consumers.empty()) {
        auto const loss = layout_of_loss(written);
        own += steps_of(written, loss);
        own += steps_of(loss, layout_read(op.output, splits));
      }
      expect_equal(own, pricer.within(id, splits), where);
      for (auto const consumer : consumers) {
        auto const& input = input_of(network.at(consumer), op.output.tensor);
        auto const& theirs = plan.splits[consumer];
        auto both_ways = steps_of(written, layout_read(input, theirs));
        both_ways += steps_of(layout_written(input, theirs), layout_read(op.output, splits));
        expect_equal(both_ways, pricer.between(id, splits, consumer, theirs), where);
      }
    }
  }
}

TEST(Reshard, MovesWhatTheClosedFormsSayOnRandomPlans) {
  // Every extent of these is divisible by 4: fractions are whole.
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  for (auto const* const name : {"hypar/vgg-a", "hypar/alexnet"}) {
    auto const network = workloads::load(name);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      SCOPED_TRACE(std::string{name} + " seed " + std::to_string(seed));
      std::mt19937_64 random{seed};
      auto plan = test::random_plan(network, array, random);
      // three channels do not divide
      plan.splits[OperatorId{0}].assign(2, Dim::n);
      expect_exchanges_match_prices(network, plan);
    }
  }
}

TEST(Reshard, MovesWhatTheClosedFormsSayInQuarters) {
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    test::RandomNetworkOptions options;
    options.levels = 4;  // extents divide by 16: quarters of quarters are whole
    options.graph = test::RandomNetworkOptions::Graph::dag;
    auto const network = test::random_network(random, options);
    auto plan = test::random_plan(network, array, random);
    test::unbalance(plan, random, 4);
    expect_exchanges_match_prices(network, plan);
  }
}

TEST(Reshard, MovesWhatTheClosedFormsSayAmongThreeAndMore) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    auto const size = seed % 2 == 0 ? "6" : "10";
    auto const array = arch::load(
        "hypar-paper", {std::string{"accelerators="} + size, "fabric.link.bandwidth=30 Gb/s"});
    std::mt19937_64 random{seed};
    test::RandomNetworkOptions options;
    options.levels = 1;
    options.factor = 15;
    options.graph = test::RandomNetworkOptions::Graph::dag;
    auto const network = test::random_network(random, options);
    auto plan = test::random_plan(network, array, random);
    for (auto& splits : plan.splits) {
      // Scattering over samples, and the other dimensions twice: all extents divide by 30 once.
      if (splits[0] == splits[1]) splits[1].reset();
    }
    expect_exchanges_match_prices(network, plan, shape_of(array));
  }
}

class Arrays : public testing::TestWithParam<char const*> {};
INSTANTIATE_TEST_SUITE_P(Sizes, Arrays, testing::Values("16", "12", "15"));

TEST_P(Arrays, PartsOfASplitTensorCoverItOnceAndLoopsAddUp) {
  auto const array = arch::load(
      "hypar-paper", {std::string{"accelerators="} + GetParam(), "fabric.link.bandwidth=24 Gb/s"});
  for (auto const* const name : {"hypar/lenet-c", "hypar/cifar-c", "hypar/vgg-a"}) {
    auto const network = workloads::load(name);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(std::string{name} + " seed " + std::to_string(seed));
      std::mt19937_64 random{seed};
      auto plan = test::random_plan(network, array, random);
      if (seed % 2 == 0) test::unbalance(plan, random);
      Tiling const tiling{network, plan};
      for (auto const id : network.operators().ids()) {
        // The loop nest is dealt out exactly once: sum over accelerators of the products of shares.
        std::int64_t nests = 0;
        for (std::size_t holder = 0; holder < tiling.accelerators(); ++holder) {
          nests += tiling.loop_extent(id, Dim::n, holder) * tiling.loop_extent(id, Dim::k, holder) *
                   tiling.loop_extent(id, Dim::c, holder);
        }
        auto const& extents = network.at(id).extents;
        EXPECT_EQ(nests, extents[Dim::n] * extents[Dim::k] * extents[Dim::c]);
      }
    }
  }
}

TEST(Reshard, NoPlanOfUnevenShapesLosesOrInventsAnElement) {
  // exchanges_of() checks per accelerator that what it has and what it gets is what it needs (ENSURES): run it on shapes
  // that do not divide: 1, 3, 10, 20, 50 channels over 16 accelerators.
  auto const array = arch::load("hypar-paper");
  for (auto const* const name : {"hypar/sconv", "hypar/lenet-c", "hypar/cifar-c"}) {
    auto const network = workloads::load(name);
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      SCOPED_TRACE(std::string{name} + " seed " + std::to_string(seed));
      std::mt19937_64 random{seed};
      auto plan = test::random_plan(network, array, random);
      if (seed % 2 == 0) test::unbalance(plan, random);
      Tiling const tiling{network, plan};
      for (auto const id : network.operators().ids()) {
        auto const& output = network.at(id).output;
        for (auto const consumer : network.at(output.tensor).consumers) {
          auto const& input = input_of(network.at(consumer), output.tensor);
          EXPECT_NO_THROW(static_cast<void>(reshard(tiling, output.tensor,
                                                    layout_written(output, plan.splits[id]),
                                                    layout_read(input, plan.splits[consumer]))));
        }
      }
    }
  }
}

TEST(AllReduce, SendsEveryElementOfAPairTwicePerLevel) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper", {"accelerators=2"});
  auto const plan = make_planner("dp")->solve({network, array});
  Tiling const tiling{network, plan};
  auto const& conv1 = network.at(OperatorId{0});
  auto const steps = all_reduce(tiling, conv1.weight->tensor,
                                layout_written(*conv1.weight, plan.splits[OperatorId{0}]));
  ASSERT_EQ(steps.size(), 2U);  // reduce-scatter, all-gather
  EXPECT_TRUE(steps[0].reduces);
  EXPECT_FALSE(steps[1].reduces);
  EXPECT_EQ(moved_by(tiling, steps, 0).elements, 2 * 500);  // 20 filters of 5 x 5
}

TEST(AllReduce, OfPaddedPiecesIsTheSameForAll) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper");
  auto const& conv1 = network.at(OperatorId{0});  // 500 weights
  for (auto const top : {Dim::n, Dim::k}) {
    auto plan = make_planner("dp")->solve({network, array});
    plan.splits[OperatorId{0}][0] = Split{top};
    Tiling const tiling{network, plan};
    auto sum = gradient_sum(conv1, plan.splits[OperatorId{0}]);
    sum.pieces = arch::SumPieces::padded;
    std::vector<std::size_t> all(16);
    std::iota(all.begin(), all.end(), std::size_t{0});
    auto const steps = all_reduce(tiling, sum.tensor, sum.from, all, sum.pieces);
    std::size_t const levels = top == Dim::n ? 4 : 3;  // halves of 250 where filters are split
    auto const padded = top == Dim::n ? 512 : 256;
    ASSERT_EQ(steps.size(), 2 * levels);
    for (std::size_t i = 0; i < levels; ++i) {
      for (auto const& exchange : steps[i].exchanges) {
        EXPECT_EQ(exchange.elements, Elements{padded / 2 >> i});
      }
      auto const level = 3 - i;
      EXPECT_EQ(traffic_of(network, sum, level, shape_of(array)).elements,
                moved_by(tiling, steps, level).elements);
    }
  }
}

TEST(AllReduce, GathersInTheReverseOrderOfItsScatters) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper", {"accelerators=8"});
  auto const plan = make_planner("dp")->solve({network, array});
  Tiling const tiling{network, plan};
  auto const& weight = *network.at(OperatorId{0}).weight;
  std::vector<std::size_t> levels;
  for (auto const& step :
       all_reduce(tiling, weight.tensor, layout_written(weight, plan.splits[OperatorId{0}]))) {
    levels.push_back(step.level);
  }
  EXPECT_EQ(levels, (std::vector<std::size_t>{2, 1, 0, 0, 1, 2}));
}

}  // namespace
}  // namespace tessera::partition
