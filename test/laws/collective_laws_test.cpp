// Laws of collectives in a training step: every algorithm sends what was priced, takes no less than was priced, and gives the same
// whatever is skipped and whoever comes first.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/cost_model.hpp"
#include "partition/step/symmetry.hpp"
#include "sim/lower/lower.hpp"
#include "sim/shell/run.hpp"
#include "test/support/cases/cases.hpp"
#include "test/support/forked.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "traces/sink.hpp"
#include "workloads/load.hpp"

namespace tessera {
namespace {

using Names = std::vector<std::string>;

Names const algorithms = {"ring",   "bidirectional", "halving-doubling", "double-tree", "torus",
                          "direct", "auto"};

/// Of `count` accelerators on a torus.
arch::ArraySpec array_with(std::string const& algorithm, std::size_t count, Names settings = {}) {
  settings.insert(settings.begin(),
                  {"accelerators=" + std::to_string(count), "fabric.topology=torus",
                   "fabric.link.bandwidth=36 Gb/s", "execution.collectives=" + algorithm});
  return arch::load("hypar-paper", settings);
}

/// A network under a plan of it, both drawn.
struct DrawnPlan {
  DrawnPlan(std::uint64_t seed, arch::ArraySpec const& array, int levels, std::int64_t factor)
      : random{seed} {
    test::RandomNetworkOptions options;
    options.levels = levels;
    options.factor = factor;
    options.graph = test::RandomNetworkOptions::Graph::dag;
    network = test::random_network(random, options);
    plan = test::random_plan(*network, array, random);
  }
  std::mt19937_64 random;
  std::optional<workloads::Network> network;
  partition::Plan plan;
};

/// Data only.
void expect_priced_bytes_to_be_sent(workloads::Network const& network, arch::ArraySpec const& array,
                                    partition::Plan const& plan) {
  auto const tasks = sim::lower(network, array, plan);
  auto const priced = partition::cost({network, array}, plan);
  EXPECT_EQ(transferred_in(tasks), priced.communication) << network.source_text();
}

TEST(CollectiveLaws, EveryAlgorithmSendsWhatWasPriced) {
  for (auto const& algorithm : algorithms) {
    for (std::size_t const count : {4U, 6U, 9U}) {
      auto const array = array_with(algorithm, count);
      for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        SCOPED_TRACE(algorithm + " of " + std::to_string(count) + ", seed " + std::to_string(seed));
        bool const is_binary = count == 4;
        DrawnPlan const drawn{seed, array, is_binary ? 2 : 1, is_binary ? 1 : 9};
        expect_priced_bytes_to_be_sent(*drawn.network, array, drawn.plan);
      }
    }
  }
}

TEST(CollectiveLaws, EveryAlgorithmSendsWhatWasPricedOfStagesWithReplicas) {
  for (auto const& algorithm : algorithms) {
    auto const array = array_with(algorithm, 16);
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      auto const* const schedule = seed % 2 == 0 ? "1f1b" : "gpipe";
      SCOPED_TRACE(algorithm + ", " + schedule + ", seed " + std::to_string(seed));
      std::mt19937_64 random{seed};
      test::RandomNetworkOptions options;
      options.levels = 6;
      options.graph = test::RandomNetworkOptions::Graph::dag;
      auto const network = test::random_network(random, options);
      auto const plan = test::random_staged_plan(network, array, random, schedule);
      expect_priced_bytes_to_be_sent(network, array, plan);
    }
  }
}

enum class Run { skipping, in_full, in_reverse, shuffled };

/// What a run reports.
std::string reported(workloads::Network const& network, arch::ArraySpec const& array,
                     partition::Plan const& plan, Run how) {
  return test::forked([&] {
    sim::RunOptions options;
    Folding folding{static_cast<std::size_t>(array.accelerators)};
    if (how == Run::skipping) {
      folding = partition::symmetry({network, array}, plan);
    } else {
      options.fast_forward = sim::PhaseMemo::Use::off;
    }
    if (how == Run::in_reverse) options.module_order = sim::RunOptions::ModuleOrder::reverse;
    if (how == Run::shuffled) options.shuffle_seed = 7;
    traces::NullSink sink;
    auto const report = sim::run(array, sim::lower(network, array, plan, folding), sink, options);
    auto const& summary = report.summary;
    EXPECTS(summary.complete, report.stuck.size());
    std::ostringstream text;
    text << summary.time << ' ' << summary.communication << ' ' << summary.fingerprint;
    return text.str();
  });
}

TEST(CollectiveLaws, NeitherSkippingNorWhoComesFirstMakesADifference) {
  std::string const packets =
      "fabric={clock: 1 GHz, topology: {kind: torus, shape: [4, 2], link: {bandwidth: 36 Gb/s, "
      "latency: 40 ns}}, packet: 512 B, router: {pipeline: 3 ns, virtual_channels: 2, "
      "buffer_packets: 4}}";
  for (auto const& algorithm : algorithms) {
    for (auto const& settings :
         {Names{}, Names{"fabric.topology=htree"}, Names{"execution.overlap=communication"},
          Names{packets, "execution.overlap=communication"}}) {
      if (algorithm == "torus" && settings == Names{"fabric.topology=htree"}) continue;
      for (std::uint64_t seed = 1; seed <= test::cases(2); ++seed) {
        auto const array = array_with(algorithm, 8, settings);
        SCOPED_TRACE(algorithm + ' ' + (settings.empty() ? "" : settings.front()) + ", seed " +
                     std::to_string(seed));
        DrawnPlan const drawn{seed, array, 3, 1};
        auto const full = reported(*drawn.network, array, drawn.plan, Run::in_full);
        for (auto const how : {Run::skipping, Run::in_reverse, Run::shuffled}) {
          EXPECT_EQ(reported(*drawn.network, array, drawn.plan, how), full)
              << drawn.network->source_text();
        }
      }
    }
  }
}

TEST(CollectiveLaws, WithoutOverlapRoundsTakeWhatIsPricedPlusTheirClocks) {
  auto const network = workloads::load("hypar/cifar-c");
  for (auto const& algorithm : algorithms) {
    for (auto const* const planner : {"dp", "hypar"}) {
      SCOPED_TRACE(algorithm + " " + planner);
      auto const array = array_with(algorithm, 8, {"fabric.link.bandwidth=1 Gb/s"});
      auto const plan = partition::make_planner(planner)->solve({network, array});
      auto const words = reported(network, array, plan, Run::in_full);
      auto const time_s = seconds(Time{std::stoll(words)});
      // A stage or round ends in a barrier: 8 hops of a link and a router at 1 GHz, 6 clocks of 4 ns.
      auto const stages = sim::lower(network, array, plan).barrier_members().size();
      EXPECT_GT(time_s, plan.predicted->time_s);
      if (algorithm == "direct") continue;  // messages of several hops wait for each other
      EXPECT_LT(time_s, plan.predicted->time_s * 1.001 + 1e-7 * static_cast<double>(stages));
    }
  }
}

TEST(CollectiveLaws, AutoIsPricedNoHigherThanAnyAlgorithm) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    auto const array = array_with("auto", 8);
    DrawnPlan const drawn{seed, array, 3, 1};
    auto const price_s = [&](std::string const& algorithm) {
      return partition::cost({*drawn.network, array_with(algorithm, 8)}, drawn.plan).time_s();
    };
    for (auto const* const other : {"ring", "halving-doubling", "torus", "direct", "double-tree"}) {
      EXPECT_LE(price_s("auto"), price_s(other) * (1 + 1e-6)) << other;
    }
  }
}

TEST(CollectiveLaws, ARingOfDataParallelGradientsHasTheMessagesOfItsClosedForm) {
  // 2 (p - 1) rounds of p messages; each element is added to p - 1 others.
  auto const network = workloads::load("hypar/lenet-c", {"batch=240"});
  for (std::int64_t const p : {2, 5, 16}) {
    auto const array = array_with("ring", static_cast<std::size_t>(p));
    auto const plan = partition::make_planner("dp")->solve({network, array});
    std::int64_t transfers = 0;
    std::int64_t summed = 0;
    std::int64_t weights = 0;
    for (auto const& op : network.operators()) {
      if (op.weight) weights += network.at(op.weight->tensor).elements().value();
    }
    auto const tasks = sim::lower(network, array, plan);
    for (auto const& task : tasks.tasks()) {
      if (task.kind != sim::TaskKind::transfer) continue;
      transfers += task.rounds;
      if (task.reduces) summed += task.bytes / network.element_size();
    }
    EXPECT_EQ(summed, (p - 1) * weights);
    EXPECT_EQ(transfers, 4 * 2 * (p - 1) * p);  // four layers with weights
  }
}

}  // namespace
}  // namespace tessera
