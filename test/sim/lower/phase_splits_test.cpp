// Operators whose backward phases are split otherwise than their forward phase: nothing is lost, and what is priced is sent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/cost_model.hpp"
#include "sim/lower/lower.hpp"
#include "test/support/cases/cases.hpp"
#include "test/support/network_text.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {
namespace {

using testing::HasSubstr;
using workloads::Phase;

/// Half of the backward phases split as in another plan.
partition::Plan with_phases_of(partition::Plan plan, partition::Plan const& other,
                               workloads::Network const& network, std::mt19937_64& random) {
  for (auto const op : plan.splits.ids()) {
    for (auto const phase : {Phase::backward_data, Phase::backward_weight}) {
      if (!network.at(op).has(phase) || random() % 2 == 0) continue;
      plan.phase_splits.emplace(std::pair{op, phase}, other.splits[op]);
    }
  }
  return plan;
}

/// visit(network, plan) for random DAGs whose parts are all equal on 16 accelerators.
template <typename Visit>
void for_random_phases(arch::ArraySpec const& array, Visit visit) {
  for (std::uint64_t seed = 1; seed <= test::cases(60); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    test::RandomNetworkOptions options;
    options.levels = 4;
    options.graph = test::RandomNetworkOptions::Graph::dag;
    auto const network = test::random_network(random, options);
    auto const forward = test::random_plan(network, array, random);
    auto const backward = test::random_plan(network, array, random);
    auto const plan = with_phases_of(forward, backward, network, random);
    validate(plan, network, array);
    visit(network, plan);
  }
}

TEST(PhaseSplits, SendWhatIsPriced) {
  auto const array = arch::load("hypar-paper");
  for_random_phases(array, [&](auto const& network, auto const& plan) {
    auto const tasks = lower(network, array, plan);
    EXPECT_EQ(transferred_in(tasks), partition::cost({network, array}, plan).communication);
  });
}

TEST(PhaseSplits, DealOutTheMacsOfEveryPhaseExactlyOnce) {
  auto const array = arch::load("hmc-htree-16");
  for_random_phases(array, [&](auto const& network, auto const& plan) {
    auto const tasks = lower(network, array, plan);
    for (auto const phase : {Phase::forward, Phase::backward_data, Phase::backward_weight}) {
      Macs all{0};
      for (auto const& task : tasks.tasks()) {
        if (task.phase == phase) all += task.macs;
      }
      EXPECT_EQ(all, network.macs(phase));
    }
  });
}

TEST(PhaseSplits, AreReadAsTheyWereWritten) {
  auto const array = arch::load("hypar-paper");
  for_random_phases(array, [&](auto const& network, auto const& plan) {
    auto const text = write_config(to_config(plan, network));
    bool const is_split = std::any_of(
        plan.phase_splits.begin(), plan.phase_splits.end(),
        [&](auto const& entry) { return entry.second != plan.splits[entry.first.first]; });
    EXPECT_THAT(text, HasSubstr(is_split ? "tessera.plan/2" : "tessera.plan/1"));
    auto const back = partition::plan_from(read_config_text(text, "plan.yaml"), network, array);
    for (auto const op : plan.splits.ids()) {
      for (auto const phase : workloads::all_phases) {
        EXPECT_EQ(back.splits_of(op, phase), plan.splits_of(op, phase));
      }
    }
  });
}

/// lenet-c on two accelerators, with this for conv1.
std::string error_of(std::string const& conv1, std::string const& schema = "tessera.plan/2") {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper", {"accelerators=2"});
  try {
    static_cast<void>(partition::plan_from(
        read_config_text("schema: " + schema + "\nplanner: hand\nnetwork: hypar/lenet-c\n" +
                             "array: hypar-paper\nbatch: 256\naccelerators: 2\noperators:\n" +
                             "  conv1: " + conv1 + "\n  conv2: [n]\n  fc1: [n]\n  fc2: [n]\n",
                         "plan.yaml"),
        network, array));
  } catch (ConfigError const& error) {
    return error.what();
  }
  return {};
}

TEST(PhaseSplits, ThatCannotBeAreRefusedWhereTheyStand) {
  EXPECT_EQ(error_of("{forward: [n], backward_weight: [k]}"), "");
  EXPECT_THAT(error_of("{backward_weight: [k]}"), HasSubstr("missing key 'forward'"));
  EXPECT_THAT(error_of("{forward: [n], backwards: [k]}"), HasSubstr("plan.yaml:8:"));
  EXPECT_THAT(error_of("{forward: [n], backward_weight: [k, k]}"), HasSubstr("has 2 levels"));
  EXPECT_THAT(error_of("{forward: [n], backward_weight: [k]}", "tessera.plan/1"),
              HasSubstr("splits of phases are of a newer schema"));
}

// The halo of a part's windows is of all phases.
TEST(PhaseSplits, OfRowsInOnePhaseOnlyAreRefused) {
  test::NetworkText text;
  text.input = "{name: x, channels: 4, rows: 16, columns: 16}";
  auto const network =
      test::network_of(text.with({"{name: a, kind: conv, input: x, filters: 4, kernel: 3, "
                                  "padding: 1}"}));
  auto const array = arch::load("hypar-paper", {"accelerators=2"});
  auto plan = partition::make_planner("dp")->solve({network, array});
  workloads::OperatorId const a{0};
  plan.phase_splits[{a, Phase::backward_data}] = {partition::Split{workloads::Dim::h}};
  try {
    validate(plan, network, array);
    FAIL();
  } catch (ConfigError const& error) {
    EXPECT_EQ(
        error.problem(),
        "operator 'a' splits 'h' in a phase and has other splits in another (the halo that it "
        "fetches is of all phases); use n, c and k, or the same splits for all phases");
  }
}

TEST(PhaseSplits, OfSoyBeanAreLoweredToWhatTheyArePricedAt) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper");
  auto const plan_with = [&](std::string const& forms) {
    auto options = ConfigNode::map();
    options.override_key("forms", forms, "test");
    return partition::make_planner("soybean", options)->solve({network, array});
  };
  EXPECT_TRUE(plan_with("per_operator").phase_splits.empty());
  auto const split = plan_with("split_backward");
  EXPECT_FALSE(split.phase_splits.empty());
  EXPECT_EQ(transferred_in(lower(network, array, split)),
            partition::cost({network, array}, split).communication);
}

}  // namespace
}  // namespace tessera::sim
