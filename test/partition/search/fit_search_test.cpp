// Planning for memories that are too small, against all plans of small networks.
#include "partition/search/fit_search.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/cost_model.hpp"
#include "partition/price/footprint.hpp"
#include "partition/search/planning.hpp"
#include "test/support/random_network.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using workloads::Dim;
ConfigNode searching() { return ConfigNode::map().add("fit", "search"); }

Plan fitting_plan(std::string const& planner, Problem const& problem, ConfigNode const& options) {
  return make_planner(planner, options)->solve(problem);
}

/// Of all plans of one level: the least footprint, and the least time among those that fit.
struct AllPlans {
  Bytes smallest{std::numeric_limits<std::int64_t>::max()};
  Bytes largest{0};
  double fastest_s = std::numeric_limits<double>::infinity();
};

AllPlans all_plans(Problem const& problem) {
  auto const choices = choices_among({Dim::n, Dim::c}, problem.network);
  std::vector<Plan> plans = {empty_plan("all", problem)};
  for (auto const op : choices.ids()) {
    std::vector<Plan> longer;
    for (auto const& plan : plans) {
      for (auto const choice : choices[op]) {
        longer.push_back(plan);
        longer.back().splits[op] = {choice};
      }
    }
    plans = std::move(longer);
  }
  AllPlans all;
  for (auto const& plan : plans) {
    auto const full = fullest(problem, plan);
    all.smallest = std::min(all.smallest, full.footprint.total());
    all.largest = std::max(all.largest, full.footprint.total());
    if (full.fits()) all.fastest_s = std::min(all.fastest_s, predict(problem, plan).time_s);
  }
  return all;
}

TEST(FitSearch, FindsAPlanThatFitsWhereThereIsOne) {
  int as_fast_as_any = 0;
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    std::mt19937_64 random{seed};
    auto const network = test::random_network(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + network.source_text());
    auto array = arch::load("hypar-paper", {"accelerators=2"});
    Problem const problem{network, array};
    auto const every = all_plans(problem);
    auto const room = every.largest - every.smallest;
    for (int const tenths : {-1, 0, 3, 7}) {
      array.groups.front().accelerator.memory_capacity =
          every.smallest + Bytes{room.value() * tenths / 10} - Bytes{tenths < 0 ? 1 : 0};
      auto const plan = fitting_plan("hypar", problem, searching());
      auto const fits = fullest(problem, plan).fits();
      EXPECT_EQ(fits, tenths >= 0) << tenths;
      if (!fits) continue;
      auto const best_s = all_plans(problem).fastest_s;
      EXPECT_GE(plan.predicted->time_s, best_s * (1 - 1e-12));
      ++found;
      if (plan.predicted->time_s <= best_s * (1 + 1e-12)) ++as_fast_as_any;
    }
  }
  EXPECT_EQ(found, 300);
  EXPECT_GE(as_fast_as_any, 280);  // not all: a price cannot choose among few large layers
}

TEST(FitSearch, ChangesNothingWhereTheCheapestPlanFits) {
  auto const network = workloads::load("hypar/vgg-a");
  auto const array = arch::load("hypar-paper");
  for (auto const* const planner : {"hypar", "accpar", "optcnn"}) {
    auto const searched = fitting_plan(planner, {network, array}, searching());
    auto const plain = fitting_plan(planner, {network, array}, ConfigNode::map());
    for (auto const op : network.operators().ids()) {
      EXPECT_EQ(searched.splits[op], plain.splits[op]);
    }
  }
}

TEST(FitSearch, PaysTimeForRoom) {
  auto const network = workloads::load("hypar/vgg-a");
  auto const array =
      arch::load("hypar-paper", {"accelerator.memory.capacity=300 MB"});  // HyPar's holds 318 MB
  for (auto const* const planner : {"hypar", "accpar"}) {
    auto const fastest = fitting_plan(planner, {network, array}, ConfigNode::map());
    auto const fitting = fitting_plan(planner, {network, array}, searching());
    EXPECT_FALSE(fullest({network, array}, fastest).fits());
    EXPECT_TRUE(fullest({network, array}, fitting).fits());
    EXPECT_GT(fitting.predicted->time_s, fastest.predicted->time_s);
  }
}

TEST(FitSearch, ReturnsTheEmptiestPlanWhereNoneFits) {
  auto const network = workloads::load("hypar/vgg-a");
  auto const array = arch::load("hypar-paper", {"accelerator.memory.capacity=1 MB"});
  for (auto const* const planner : {"hypar", "accpar", "optcnn"}) {
    auto const fastest =
        fullest({network, array}, fitting_plan(planner, {network, array}, ConfigNode::map()));
    auto const found =
        fullest({network, array}, fitting_plan(planner, {network, array}, searching()));
    EXPECT_FALSE(found.fits());
    EXPECT_LT(found.footprint.total(), fastest.footprint.total());
  }
}

}  // namespace
}  // namespace tessera::partition
