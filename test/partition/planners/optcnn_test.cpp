#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/cost_model.hpp"
#include "partition/search/planning.hpp"
#include "test/support/network_text.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using workloads::Dim;

Plan optcnn(Problem const& problem) { return make_planner("optcnn")->solve(problem); }

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

/// Small maps: two convolutions whose windows overlap, and a linear layer.
workloads::Network small_maps(std::string const& batch) {
  test::NetworkText text;
  text.input = "{name: x, channels: 4, rows: 16, columns: 16}";
  text.batch = batch;
  return test::network_of(
      text.with({"{name: a, kind: conv, input: x, filters: 8, kernel: 3, padding: 1}",
                 "{name: b, kind: conv, input: a, filters: 8, kernel: 5, padding: 2, stride: 2}",
                 "{name: c, kind: pool, input: b, size: global}",
                 "{name: d, kind: linear, input: c, outputs: 4}"}));
}

std::int64_t count(Splits const& splits, Dim dim) {
  return std::count_if(splits.begin(), splits.end(),
                       [dim](auto const& split) { return is_over(split, dim); });
}

/// Every way to split an operator at three levels: over samples, then channels, then the last of
/// `map`, if it and the batch have as many parts. By itself, without the planner's code.
std::vector<Splits> all_ways(workloads::Operator const& op, Splits const& map, std::int64_t batch) {
  std::vector<Splits> ways;
  for (std::size_t over_map = 0; over_map <= 3; ++over_map) {
    for (std::size_t over_channels = 0; over_map + over_channels <= 3; ++over_channels) {
      Splits splits(3 - over_map - over_channels, Split{Dim::n});
      splits.resize(3 - over_map, Split{Dim::k});
      splits.insert(splits.end(), map.end() - static_cast<std::ptrdiff_t>(over_map), map.end());
      bool is_possible = batch % (1 << count(splits, Dim::n)) == 0;
      for (auto const& split : splits) is_possible = is_possible && op.can_split(split->dim);
      for (auto const dim : {Dim::h, Dim::w}) {
        is_possible = is_possible && op.extents[dim] >= 1 << count(splits, dim);
      }
      if (is_possible) ways.push_back(std::move(splits));
    }
  }
  return ways;
}

/// The least predicted time of all plans of four operators.
double least_time(Problem const& problem, Splits const& map) {
  IdVector<workloads::OperatorId, std::vector<Splits>> ways;
  for (auto const& op : problem.network.operators()) {
    ways.push_back(all_ways(op, map, problem.network.batch()));
  }
  using workloads::OperatorId;
  auto plan = empty_plan("test", problem);
  double best = std::numeric_limits<double>::infinity();
  for (auto const& a : ways[OperatorId{0}]) {
    for (auto const& b : ways[OperatorId{1}]) {
      for (auto const& c : ways[OperatorId{2}]) {
        for (auto const& d : ways[OperatorId{3}]) {
          plan.splits = {};
          for (auto const& splits : {a, b, c, d}) plan.splits.push_back(splits);
          best = std::min(best, cost(problem, plan).time_s());
        }
      }
    }
  }
  return best;
}

TEST(OptCnn, FindsTheFastestOfAllItsPlansOverRowsAndColumns) {
  for (auto const* const batch : {"64", "2"}) {
    for (auto const* const bandwidth : {"800 Mb/s", "8 Gb/s"}) {
      auto const network = small_maps(batch);
      auto const array = arch::load(
          "hypar-paper", {"accelerators=8", std::string{"fabric.link.bandwidth="} + bandwidth});
      Problem const problem{network, array};
      auto const best = std::min({least_time(problem, {Dim::h, Dim::h, Dim::h}),
                                  least_time(problem, {Dim::w, Dim::w, Dim::w}),
                                  least_time(problem, {Dim::h, Dim::w, Dim::h})});
      EXPECT_NEAR(optcnn(problem).predicted->time_s, best, 1e-12 * best) << batch << bandwidth;
    }
  }
}

TEST(OptCnn, SplitsMapsWhenThereAreTooFewSamples) {
  auto const network = small_maps("2");
  auto const array = arch::load("hypar-paper", {"accelerators=8"});
  auto const plan = optcnn({network, array});
  auto const& splits = plan.splits[network.find("a")];
  EXPECT_EQ(splits.front(), Split{Dim::n});
  EXPECT_TRUE(is_over(splits.back(), Dim::h) || is_over(splits.back(), Dim::w));
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
    auto const dp = make_planner("dp")->solve(problem);
    EXPECT_LE(optcnn(problem).predicted->time_s, dp.predicted->time_s * (1 + 1e-12)) << name;
  }
}

}  // namespace
}  // namespace tessera::partition
