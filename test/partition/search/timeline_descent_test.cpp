#include "partition/search/timeline_descent.hpp"

#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/plan_timeline.hpp"
#include "test/support/error_message.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using workloads::Dim;

Plan planned(std::string const& planner, Problem const& problem, std::string const& price) {
  return make_planner(planner, ConfigNode::map().add("price", price))->solve(problem);
}

Time length_of(Problem const& problem, Plan const& plan) {
  return timeline_price(problem, plan).value().step;
}

struct Space {
  std::string planner;
  std::vector<Dim> dims;
};

class ByTimeline : public testing::TestWithParam<Space> {
 protected:
  workloads::Network network = workloads::load("hypar/lenet-c");
  arch::ArraySpec array =
      arch::load("hypar-paper", {"accelerators=8", "execution.overlap=communication"});
  Problem problem{network, array};
};

TEST_P(ByTimeline, IsNeverLongerThanTheChoiceByTheSum) {
  auto const by_sum = planned(GetParam().planner, problem, "sum");
  auto const by_timeline = planned(GetParam().planner, problem, "timeline");
  EXPECT_LE(length_of(problem, by_timeline), length_of(problem, by_sum));
  EXPECT_GT(by_timeline.evaluations, by_sum.evaluations);
}

TEST_P(ByTimeline, IsShortenedByNoSingleChange) {
  auto const plan = planned(GetParam().planner, problem, "timeline");
  auto const length = length_of(problem, plan);
  for (auto const op : network.operators().ids()) {
    for (std::size_t level = 0; level < plan.splits[op].size(); ++level) {
      for (auto const dim : GetParam().dims) {
        if (!network.at(op).can_split(dim)) continue;
        auto changed = plan;
        changed.splits[op][level] = Split{dim};
        EXPECT_GE(length_of(problem, changed), length) << network.at(op).name << ' ' << level;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Planners, ByTimeline,
                         testing::Values(Space{"hypar", {Dim::n, Dim::c}},
                                         Space{"accpar", {Dim::n, Dim::c, Dim::k}},
                                         Space{"optcnn", {Dim::n, Dim::k}}),
                         [](auto const& space) { return space.param.planner; });

TEST(Price, ByTimelineRefusesArraysThatAreTooLarge) {
  auto const network = workloads::load("hypar/sfc");
  auto const array = arch::load("hypar-paper", {"accelerators=256"});
  EXPECT_EQ(test::error_message([&] {
              return planned("hypar", {network, array}, "timeline");
            }),
            "planner.price: there is no timeline of so large an array (256 accelerators, at most "
            "128); use sum");
}

}  // namespace
}  // namespace tessera::partition
