#include <gtest/gtest.h>

#include <limits>

#include "arch/load.hpp"
#include "partition/cost_model.hpp"
#include "partition/solver.hpp"
#include "partition/solvers/planning.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using workloads::Dim;

Plan optcnn(Problem const& problem) { return builtin_solvers().make("optcnn", {})->solve(problem); }

/// The least predicted time of all plans in which every operator splits n at its upper levels and k
/// at the others.
double least_time(Problem const& problem) {
  auto plan = empty_plan("test", problem);
  auto const levels = static_cast<std::size_t>(plan.levels());
  auto const operators = plan.splits.size();
  std::size_t combinations = 1;
  for (std::size_t i = 0; i < operators; ++i) combinations *= levels + 1;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t combination = 0; combination < combinations; ++combination) {
    auto rest = combination;
    for (auto const op : plan.splits.ids()) {
      plan.splits[op].assign(rest % (levels + 1), Split{Dim::n});
      plan.splits[op].resize(levels, Split{Dim::k});
      rest /= levels + 1;
    }
    best = std::min(best, cost(problem, plan).time_s());
  }
  return best;
}

TEST(OptCnn, FindsTheFastestOfAllItsPlans) {
  for (auto const* const network_name : {"hypar/lenet-c", "hypar/sfc", "hypar/cifar-c"}) {
    for (auto const* const array_name : {"hypar-paper", "hmc-htree-16"}) {
      auto const network = workloads::load(network_name);
      auto const array = arch::load(array_name);
      Problem const problem{network, array};
      auto const best = least_time(problem);
      EXPECT_NEAR(optcnn(problem).predicted->time_s, best, 1e-12 * best)
          << network_name << " on " << array_name;
    }
  }
}

TEST(OptCnn, SplitsSamplesAboveOutputChannels) {
  auto const network = workloads::load("hypar/vgg-a");
  auto const array = arch::load("hypar-paper");
  auto const plan = optcnn({network, array});
  for (auto const op : plan.splits.ids()) {
    auto const& splits = plan.splits[op];
    for (std::size_t level = 1; level < splits.size(); ++level) {
      EXPECT_FALSE(is_over(splits[level - 1], Dim::k) && is_over(splits[level], Dim::n));
    }
  }
  EXPECT_EQ(plan.splits[network.find("conv1_1")].back(), Split{Dim::n});
  EXPECT_EQ(plan.splits[network.find("fc1")].back(), Split{Dim::k});
}

TEST(OptCnn, IsNeverSlowerThanDataParallelismByTheCostModel) {
  for (auto const* const name : {"inception-v3", "bert-base", "accpar/resnet-18", "gnmt"}) {
    auto const network = workloads::load(name);
    auto const array = arch::load("tpu-v3-128");
    Problem const problem{network, array};
    auto const dp = builtin_solvers().make("dp", {})->solve(problem);
    EXPECT_LE(optcnn(problem).predicted->time_s, dp.predicted->time_s * (1 + 1e-12)) << name;
  }
}

}  // namespace
}  // namespace tessera::partition
