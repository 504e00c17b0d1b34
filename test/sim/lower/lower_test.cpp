// Laws of lowering: nothing of the network's work is lost or done twice, and every byte that the cost model prices is sent.
#include "sim/lower/lower.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/cost_model.hpp"
#include "partition/price/footprint.hpp"
#include "partition/price/work.hpp"
#include "test/support/cases/cases.hpp"
#include "test/support/network_text.hpp"
#include "test/support/random_plan.hpp"
#include "test/support/two_speeds.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {
namespace {

using workloads::Dim;
using workloads::Phase;

partition::Plan solved(std::string const& planner, workloads::Network const& network,
                       arch::ArraySpec const& array) {
  return partition::make_planner(planner)->solve({network, array});
}

Macs macs_of(TaskGraph const& tasks, Phase phase) {
  Macs sum{0};
  for (auto const& task : tasks.tasks()) {
    if (task.phase == phase) sum += task.macs;
  }
  return sum;
}

/// visit(network, plan) for plans with equal halves and with others.
template <typename Visit>
void for_random_plans(arch::ArraySpec const& array, Visit visit) {
  for (auto const* const name : {"hypar/lenet-c", "hypar/cifar-c"}) {
    auto const network = workloads::load(name);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(std::string{name} + " seed " + std::to_string(seed));
      std::mt19937_64 random{seed};
      auto plan = test::random_plan(network, array, random);
      if (seed % 2 == 0) test::unbalance(plan, random);
      visit(network, plan);
    }
  }
}

class LowerOnArrays : public testing::TestWithParam<char const*> {};
INSTANTIATE_TEST_SUITE_P(Sizes, LowerOnArrays, testing::Values("16", "12", "15"));

TEST_P(LowerOnArrays, DealsOutTheMacsOfEveryPhaseExactlyOnceUnderAnyPlan) {
  auto const array = arch::load(
      "hmc-htree-16", {std::string{"accelerators="} + GetParam(), "fabric.link.bandwidth=24 Gb/s"});
  for_random_plans(array, [&](auto const& network, auto const& plan) {
    auto const tasks = lower(network, array, plan);
    for (auto const phase : {Phase::forward, Phase::backward_data, Phase::backward_weight}) {
      EXPECT_EQ(macs_of(tasks, phase), network.macs(phase));
    }
  });
}

TEST_P(LowerOnArrays, DealsOutTheMacsOfSplitMapsExactlyOnceHoweverTheyAreCounted) {
  test::NetworkText text;
  text.input = "{name: x, channels: 4, rows: 31, columns: 18}";
  text.batch = "48";
  auto const network = test::network_of(
      text.with({"{name: a, kind: conv, input: x, filters: 8, kernel: 3}",
                 "{name: b, kind: conv, input: a, filters: 8, kernel: 5, padding: 1, stride: 2}"}));
  for (auto const* const name : {"hypar-paper", "hmc-htree-16"}) {
    auto const array = arch::load(
        name, {std::string{"accelerators="} + GetParam(), "fabric.link.bandwidth=24 Gb/s"});
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(std::string{name} + " seed " + std::to_string(seed));
      std::mt19937_64 random{seed};
      auto const plan = test::random_plan(network, array, random, {Dim::n, Dim::k, Dim::h, Dim::w});
      auto const tasks = lower(network, array, plan);
      for (auto const phase : {Phase::forward, Phase::backward_weight}) {
        Macs all{0};
        for (auto const& op : network.operators()) {
          all += partition::macs_charged(array.accelerator(0), op, phase);
        }
        EXPECT_EQ(macs_of(tasks, phase), all);
      }
    }
  }
}

TEST(Lower, GivesEachHalfItsShare) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper", {"accelerators=2"});
  auto plan = solved("dp", network, array);
  auto const fc1 = network.find("fc1");
  plan.splits[fc1][0] = partition::Split{Dim::n, 0.25};
  std::map<std::size_t, Macs> forward;
  auto const tasks = lower(network, array, plan);
  for (auto const& task : tasks.tasks()) {
    if (task.op == fc1 && task.phase == Phase::forward)
      forward[task.accelerator.index()] += task.macs;
  }
  // 64 and 192 of 256 samples, 800 x 500 weights.
  EXPECT_EQ(forward[0], Macs{64 * 800 * 500});
  EXPECT_EQ(forward[1], Macs{192 * 800 * 500});
}

/// What the tasks move says what is there: an update reads the weights and their gradient, and the
/// error that a layer of a chain writes is as large as its input.
TEST(Lower, MovesWhatTheFootprintSaysIsHeld) {
  auto const array = arch::load("hypar-paper");
  for_random_plans(array, [&](auto const& network, auto const& plan) {
    std::vector<Bytes> moved(16, Bytes{0});
    auto const tasks = lower(network, array, plan);
    for (auto const& task : tasks.tasks()) {
      bool const is_input = task.kind == TaskKind::store && task.phase == Phase::backward_data;
      bool const is_weight = task.kind == TaskKind::load && task.phase == Phase::update;
      if (is_input || is_weight) moved[task.accelerator.index()] += task.bytes;
    }
    for (std::size_t accelerator = 0; accelerator < 16; ++accelerator) {
      partition::Footprint held;
      for (auto const& part : partition::footprints(network, plan, accelerator)) held += part;
      EXPECT_EQ(held.total(), moved[accelerator]) << accelerator;
    }
  });
}

/// Every kind of operator, every extent divisible by 16.
std::string const all_kinds = R"(
schema: tessera.network/1
name: all-kinds
batch: 16
element: fp32
input: {name: x, positions: 16}
operators:
  - {name: word, kind: embedding, input: x, entries: 64, outputs: 64}
  - {name: place, kind: embedding, input: x, entries: 16, outputs: 64}
  - {name: embedded, kind: add, inputs: [word, place]}
  - {name: cells, kind: lstm, input: embedded, hidden: 64}
  - {name: both, kind: concat, inputs: [cells, embedded]}
  - {name: query, kind: linear, input: both, outputs: 64}
  - {name: key, kind: linear, input: embedded, outputs: 64}
  - {name: value, kind: linear, input: embedded, outputs: 64}
  - {name: scores, kind: scores, inputs: [query, key], heads: 16}
  - {name: probabilities, kind: softmax, input: scores}
  - {name: context, kind: context, inputs: [probabilities, value]}
  - {name: norm, kind: layer_norm, input: context}
  - {name: map, kind: recast, input: norm, channels: 32, rows: 32, columns: 32}
  - {name: conv, kind: conv, input: map, filters: 32, kernel: 3, padding: 2, dilation: 2, groups: 2}
  - {name: pool, kind: pool, input: conv, size: 2}
  - {name: output, kind: linear, input: pool, outputs: 16}
)";

TEST(Lower, DealsOutTheMacsAndSendsThePredictedBytesForEveryKindOfOperator) {
  auto const network = workloads::network_from(read_config_text(all_kinds, "all-kinds.yaml"));
  auto const array = arch::load("hmc-htree-16");
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    auto const plan = test::random_plan(network, array, random);
    auto const tasks = lower(network, array, plan);
    for (auto const phase : {Phase::forward, Phase::backward_data, Phase::backward_weight}) {
      EXPECT_EQ(macs_of(tasks, phase), network.macs(phase));
    }
    EXPECT_EQ(transferred_in(tasks), partition::cost({network, array}, plan).communication);
  }
}

TEST(Lower, DealsOutTheMacsOfEveryNetworkOfTheZoo) {
  auto const array = arch::load("accpar-paper-128", {"accelerators=16"});
  for (auto const& entry : workloads::builtin_networks()) {
    auto const network = workloads::load(entry.name);
    // Larger ones have more of the blocks that others have, too.
    if (network.operators().size() > (test::is_sanitized() ? 60 : 350)) continue;
    bool const is_large = network.operators().size() > 200;
    for (std::string const planner : {"dp", "mp", "owt", "hypar"}) {
      if (is_large && planner != "hypar") continue;  // would take half of the time of all
      SCOPED_TRACE(entry.name + " " + planner);
      auto const tasks = lower(network, array, solved(planner, network, array));
      for (auto const phase : {Phase::forward, Phase::backward_data, Phase::backward_weight}) {
        EXPECT_EQ(macs_of(tasks, phase), network.macs(phase));
      }
    }
  }
}

TEST(Lower, AnEmbeddingReadsItsRowsAndNotItsTable) {
  auto const network = workloads::load("rnnlm");
  auto const array = arch::load("hypar-paper", {"accelerators=1"});
  auto const tasks = lower(network, array, solved("dp", network, array));
  auto const load = std::find_if(tasks.tasks().begin(), tasks.tasks().end(), [](Task const& task) {
    return task.kind == TaskKind::load && task.phase == Phase::forward;
  });
  ASSERT_NE(load, tasks.tasks().end());
  EXPECT_EQ(load->bytes, Bytes{64 * 35 * (1 + 1500) * 4});  // ids and rows
}

TEST(Lower, EveryReplicaOfAWeightIsUpdated) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hmc-htree-16");
  EXPECT_EQ(macs_of(lower(network, array, solved("dp", network, array)), Phase::update),
            network.macs(Phase::update) * 16);
}

TEST(Lower, CountsHyParsMacsOnTheInputMap) {
  // SCONV conv1: 28 x 28 input, 24 x 24 output, 500 weights: 28*28*500 MACs per image (HyPar), not 24*24*500.
  auto const network = workloads::load("hypar/sconv");
  auto const array = arch::load("hypar-paper");
  auto const tasks = lower(network, array, solved("dp", network, array));
  Macs conv1{0};
  for (auto const& task : tasks.tasks()) {
    if (task.phase == Phase::forward && task.op == network.find("conv1")) conv1 += task.macs;
  }
  EXPECT_EQ(conv1, Macs{256 * 28 * 28 * 500});
}

TEST(Lower, SendsWhatTheCostModelPricesAtEveryLevel) {
  auto const array = arch::load("hypar-paper");
  for (auto const* const name : {"hypar/sfc", "hypar/sconv", "hypar/lenet-c", "hypar/vgg-e"}) {
    for (auto const* const planner : {"dp", "owt", "hypar"}) {
      SCOPED_TRACE(std::string{name} + " " + planner);
      auto const network = workloads::load(name);
      auto const plan = solved(planner, network, array);
      auto const tasks = lower(network, array, plan);
      auto const priced = partition::cost({network, array}, plan);
      EXPECT_EQ(transferred_in(tasks), priced.communication);
      std::map<int, double> by_level;
      for (auto const& task : tasks.tasks()) {
        by_level[task.level] +=
            static_cast<double>(task.bytes.value()) * (task.kind == TaskKind::transfer ? 1 : 0);
      }
      for (int level = 1; level <= plan.levels(); ++level) {
        EXPECT_EQ(by_level[level], 4 * priced.level_elements[static_cast<std::size_t>(level - 1)]);
      }
    }
  }
}

TEST(Lower, SiblingsExchangeAtTheirLevelOnly) {
  auto const network = workloads::load("hypar/alexnet");
  auto const array = arch::load("hypar-paper");
  auto const tasks = lower(network, array, solved("hypar", network, array));
  for (auto const& task : tasks.tasks()) {
    if (task.kind != TaskKind::transfer) continue;
    auto const bit = std::size_t{1} << (4 - task.level);  // level 1 = the highest of four bits
    EXPECT_EQ(task.accelerator.index() ^ task.destination.index(), bit);
  }
}

TEST(Lower, OneAcceleratorSendsNothing) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper", {"accelerators=1"});
  auto const tasks = lower(network, array, solved("hypar", network, array));
  EXPECT_EQ(transferred_in(tasks), Bytes{0});
  EXPECT_GT(tasks.size(), 0U);
}

TEST(Lower, WithoutOverlapEveryStageIsFencedByABarrier) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const fenced = arch::load("hypar-paper");
  auto const overlapped = arch::load("hypar-paper", {"execution.overlap=communication"});
  EXPECT_GT(lower(network, fenced, solved("dp", network, fenced)).barrier_members().size(), 0U);
  EXPECT_EQ(lower(network, overlapped, solved("dp", network, overlapped)).barrier_members().size(),
            0U);
}

TEST(Lower, TheFirstLayersErrorIsComputedOnlyWhereAskedFor) {
  auto const array = arch::load("hypar-paper");
  auto const count = [&](std::string const& setting) {
    auto const network = workloads::load("hypar/lenet-c", {"training.input_error=" + setting});
    return macs_of(lower(network, array, solved("dp", network, array)), Phase::backward_data);
  };
  EXPECT_GT(count("computed"), count("skipped"));
}

TEST(Lower, WaitsOncePerTaskHoweverManyWaysLeadToIt) {
  std::vector<std::string> operators{"{name: s0, kind: linear, input: x, outputs: 64}",
                                     "{name: s1, kind: linear, input: s0, outputs: 64}"};
  std::string stage = "s0, s1";
  std::string splits = "s0: [], s1: []";
  for (int i = 2; i < 60; ++i) {
    auto const name = "s" + std::to_string(i);
    auto const inputs = "s" + std::to_string(i - 1) + ", s" + std::to_string(i - 2);
    operators.push_back("{name: " + name + ", kind: add, inputs: [" + inputs + "]}");
    stage += ", " + name;
    splits += ", " + name + ": []";
  }
  operators.emplace_back("{name: last, kind: linear, input: s59, outputs: 64}");
  test::NetworkText text;
  text.input = "{name: x, features: 64}";
  auto const network = test::network_of(text.with(operators));
  auto const array =
      arch::load("hypar-paper", {"accelerators=2", "execution.overlap=communication"});
  auto const plan = partition::plan_from(
      read_config_text("schema: tessera.plan/2\nplanner: hand\nnetwork: test\narray: hypar-paper\n"
                       "batch: 4\naccelerators: 2\npipeline:\n  schedule: 1f1b\n"
                       "  micro_batches: 4\n  stages:\n    - {accelerators: [0], operators: [" +
                           stage + "]}\n    - {accelerators: [1], operators: [last]}\n" +
                           "operators: {" + splits + ", last: []}\n",
                       "plan.yaml"),
      network, array);
  // Lists of predecessors that doubled with every sum would fill the memory.
  auto const tasks = lower(network, array, plan);
  for (auto const id : tasks.tasks().ids()) EXPECT_LE(tasks.after(id).size(), 5U);
}

TEST(Lower, ATensorGoesToAStageOnceHoweverManyReadItThere) {
  test::NetworkText text;
  text.input = "{name: x, features: 64}";
  auto const network = test::network_of(text.with({"{name: a, kind: linear, input: x, outputs: 64}",
                                                   "{name: q, kind: linear, input: a, outputs: 64}",
                                                   "{name: k, kind: linear, input: a, outputs: 64}",
                                                   "{name: sum, kind: add, inputs: [a, q, k]}"}));
  auto const array =
      arch::load("hypar-paper", {"accelerators=2", "execution.overlap=communication"});
  auto const plan = partition::plan_from(
      read_config_text("schema: tessera.plan/2\nplanner: hand\nnetwork: test\n"
                       "array: hypar-paper\nbatch: 4\naccelerators: 2\npipeline:\n"
                       "  schedule: 1f1b\n  micro_batches: 2\n  stages:\n"
                       "    - {accelerators: [0], operators: [a]}\n"
                       "    - {accelerators: [1], operators: [q, k, sum]}\n"
                       "operators: {a: [], q: [], k: [], sum: []}\n",
                       "plan.yaml"),
      network, array);
  auto const tasks = lower(network, array, plan);
  // 4 samples of 64 features of 4 bytes, and their errors.
  EXPECT_EQ(transferred_in(tasks), Bytes{2 * 4 * 64 * 4});
  EXPECT_EQ(partition::cost({network, array}, plan).communication, transferred_in(tasks));
}

}  // namespace
}  // namespace tessera::sim
