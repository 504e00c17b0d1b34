// What is not simulated is provably what was: fast-forward and symmetry against every accelerator, tile and request worked out; and who
// wakes the cores, SystemC or the engine, does not matter.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <sstream>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/step/symmetry.hpp"
#include "sim/engine/run.hpp"
#include "sim/lower/lower.hpp"
#include "sim/shell/run.hpp"
#include "test/support/cases/cases.hpp"
#include "test/support/forked.hpp"
#include "test/support/pipeline_laws.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "test/support/two_speeds.hpp"
#include "traces/sink.hpp"
#include "workloads/load.hpp"

namespace tessera {
namespace {

using workloads::Dim;

/// Writes down every event.
class TextSink final : public traces::Sink {
 public:
  void begin(traces::RunDescription const& /*run*/) override {}
  void record(traces::TaskEvent const& event) override {
    text << event.task << ' ' << int{event.kind} << int{event.phase} << ' ' << int{event.level}
         << ' ' << event.accelerator << '>' << event.destination << ' ' << event.op << ' '
         << event.start << ' ' << event.end << ' ' << event.bytes << ' ' << event.macs << ' '
         << event.waited_for << ' ' << int{event.cause} << ' ' << event.slack << '\n';
  }
  void end(traces::RunSummary const& /*summary*/) override {}

  std::ostringstream text;
};

/// All that a run reports, as text.
std::string everything(traces::RunSummary const& summary) {
  std::ostringstream text;
  text << summary.complete << ' ' << summary.time << ' ' << summary.cycles << ' '
       << summary.communication << ' ' << summary.macs << ' ' << summary.fingerprint << '\n';
  for (auto const& entry : summary.breakdown) {
    text << entry.op << ' ' << int{entry.phase} << ' ' << entry.compute << ' ' << entry.memory
         << ' ' << entry.communication << ' ' << entry.idle << '\n';
  }
  for (auto const& counter : summary.counters) {
    text << counter.resource << ' ' << counter.name << ' ' << counter.value << '\n';
  }
  for (auto const& histogram : summary.utilisation) {
    text << histogram.resource << ' ' << histogram.width;
    for (auto const busy : histogram.busy) text << ' ' << busy;
    text << '\n';
  }
  for (auto const& entry : summary.energy) {
    text << entry.component << ' ' << entry.event << ' ' << entry.count << '\n';
  }
  for (auto const& link : summary.links) {
    text << link.from << '>' << link.to << ' ' << link.level << ' ' << link.lanes << ' '
         << link.lane_bandwidth << ' ' << link.messages << ' ' << link.bytes << ' ' << link.busy
         << ' ' << link.utilisation << ' ' << link.energy << '\n';
  }
  for (auto const& entry : summary.traffic) {
    text << entry.source << '>' << entry.destination << ' ' << entry.messages << ' ' << entry.bytes
         << '\n';
  }
  for (auto const& stage : summary.stages) {
    text << stage.stage << ' ' << stage.accelerator << ' ' << stage.begin << ' ' << stage.end << ' '
         << stage.compute << ' ' << stage.bubble << ' ' << stage.in_flight << ' '
         << stage.weight_versions << '\n';
  }
  EXPECT_FALSE(summary.reasons.value().what_if.empty());
  for (auto const& piece : summary.reasons.value().critical_path) {
    text << piece.begin << ' ' << piece.end << ' ' << piece.task << ' ' << int{piece.cause} << ' '
         << piece.link << '\n';
  }
  return text.str();
}

/// On SystemC, unless by the engine. In full, the modules of an instant may be run in another
/// order.
enum class Effort {
  skipping,
  skipping_by_the_engine,
  in_full,
  in_full_and_in_reverse,
  in_full_and_shuffled,
  in_full_by_the_engine
};

bool is_skipping(Effort effort) {
  return effort == Effort::skipping || effort == Effort::skipping_by_the_engine;
}

bool is_by_the_engine(Effort effort) {
  return effort == Effort::skipping_by_the_engine || effort == Effort::in_full_by_the_engine;
}

struct Outcome {
  std::int64_t worked_out_tiles = 0;
  std::string text;  ///< all events, and everything()
};

Outcome simulated_with(workloads::Network const& network, arch::ArraySpec const& array,
                       partition::Plan const& plan, Effort effort) {
  auto const words = test::forked([&] {
    sim::RunOptions options;
    Folding folding{static_cast<std::size_t>(array.accelerators)};
    if (is_skipping(effort)) {
      folding = partition::symmetry({network, array}, plan);
    } else {
      options.fast_forward = sim::PhaseMemo::Use::off;
    }
    if (effort == Effort::in_full_and_in_reverse) {
      options.module_order = sim::RunOptions::ModuleOrder::reverse;
    }
    if (effort == Effort::in_full_and_shuffled) options.shuffle_seed = 7;
    TextSink sink;
    auto const tasks = sim::lower(network, array, plan, folding);
    auto const run = is_by_the_engine(effort) ? sim::engine::run : sim::run;
    auto const report = run(array, tasks, sink, options);
    return std::to_string(report.worked_out_tiles) + '\n' + everything(report.summary) +
           sink.text.str();
  });
  auto const line = words.find('\n');
  return {std::stoll(words.substr(0, line)), words.substr(line + 1)};
}

/// How many tiles were skipped.
std::int64_t expect_that_skipping_changes_nothing(workloads::Network const& network,
                                                  arch::ArraySpec const& array,
                                                  partition::Plan const& plan,
                                                  Effort effort = Effort::in_full) {
  auto const full = simulated_with(network, array, plan, effort);
  auto const skipping = simulated_with(network, array, plan, Effort::skipping);
  EXPECT_FALSE(full.text.empty());
  EXPECT_EQ(skipping.text, full.text) << network.source_text();
  EXPECT_EQ(simulated_with(network, array, plan, Effort::skipping_by_the_engine).text, full.text);
  return full.worked_out_tiles - skipping.worked_out_tiles;
}

/// One of the strings.
std::string one_of(std::mt19937_64& random, std::vector<std::string> const& all) {
  return all.at(static_cast<std::size_t>(
      test::random_between(random, 0, static_cast<std::int64_t>(all.size()) - 1)));
}

/// A ring, or a torus of two or three dimensions, numbered either way.
std::string random_grid(std::mt19937_64& random, std::int64_t count) {
  std::vector<std::string> shapes = {std::to_string(count)};
  if (count % 2 == 0) shapes.push_back("2, " + std::to_string(count / 2));
  if (count % 4 == 0) shapes.push_back("4, " + std::to_string(count / 4));
  if (count % 4 == 0) shapes.push_back("2, 2, " + std::to_string(count / 4));
  auto const shape = one_of(random, shapes);
  auto const half_way = one_of(random, {"one", "both"});
  return "{clock: 1 GHz, topology: {kind: torus, shape: [" + shape + "], half_way: " + half_way +
         ", link: {bandwidth: 36 Gb/s, latency: 40 ns}}}";
}

/// Of whole messages, or of packets in each of the switchings.
std::string random_fabric(std::mt19937_64& random, std::int64_t count) {
  std::string const link = "link: {bandwidth: 36 Gb/s, latency: 40 ns}";
  auto const kind =
      one_of(random, {"htree", "htree", "torus", "rule", "grid", "packets", "packets"});
  if (kind == "htree" || kind == "torus")
    return "{clock: 1 GHz, topology: " + kind + ", " + link + "}";
  if (kind == "grid") return random_grid(random, count);
  auto const shape = one_of(random, {std::to_string(count), "2, " + std::to_string(count / 2)});
  auto const graph = ", topology: {kind: " + one_of(random, {"mesh", "torus"}) + ", shape: [" +
                     shape + "], " + link + "}";
  if (kind == "rule") return "{clock: 1 GHz" + graph + "}";
  return "{clock: 1 GHz, packet: 512 B, header: 16 B, flit: 16 B, router: {pipeline: 12 ns, "
         "virtual_channels: 2, buffer_packets: 2}, switching: " +
         one_of(random, {"cut-through", "store-and-forward", "wormhole"}) + graph + "}";
}

/// Arrays of 2 to 16 accelerators, of one kind or of two halves; some with groups of three.
arch::ArraySpec random_array(std::mt19937_64& random) {
  auto const base = one_of(random, {"hypar-paper", "hmc-htree-16", "hmc-htree-16", "tpu-v2v3-256"});
  auto const count = std::stoll(one_of(random, {"2", "4", "8", "16", "6", "12"}));
  std::vector<std::string> settings = {
      "accelerators=" + std::to_string(count), "fabric=" + random_fabric(random, count),
      "execution.overlap=" + one_of(random, {"none", "communication"})};
  if (base == "tpu-v2v3-256") {
    for (auto const* const group : {"groups.0.count=", "groups.1.count="}) {
      settings.push_back(group + std::to_string(count / 2));
    }
  } else if (base == "hmc-htree-16") {
    auto const memory = one_of(random, {"hmc-1.0", "hmc-2.0", "hmc-2.1", "tpu-v3", "tpu-v2"});
    settings.push_back("accelerator.memory.dram=" + memory);
    if (memory == "hmc-2.0" || memory == "hmc-2.1") {
      settings.push_back("accelerator.memory.through=" + one_of(random, {"local", "links"}));
    }
    settings.push_back("accelerator.memory.dram.policy.refresh=" +
                       one_of(random, {"none", "all-bank"}));
    settings.push_back("accelerator.memory.dram.policy.scheduler=" +
                       one_of(random, {"fcfs", "fcfs", "fcfs", "frfcfs"}));
    settings.emplace_back("accelerator.memory.dram.policy.starvation_cap=300");
    settings.push_back("accelerator.transfers=" +
                       one_of(random, {"{path: beside-memory}", "{path: beside-memory}",
                                       "{path: through-memory, block: 4 KiB}"}));
  }
  settings.push_back("execution.collectives=" +
                     one_of(random, {"hierarchical", "hierarchical", "ring", "bidirectional",
                                     "halving-doubling", "double-tree", "direct", "auto"}));
  return arch::load(base, settings);
}

class RandomSystem : public testing::TestWithParam<int> {};

TEST_P(RandomSystem, IsTheSameWhenSkippingAndInAnyOrderOfModules) {
  std::mt19937_64 random{static_cast<std::uint64_t>(GetParam())};
  for (int trial = 0; trial < 24; ++trial) {
    SCOPED_TRACE(trial);
    auto const array = random_array(random);
    using Options = test::RandomNetworkOptions;
    Options options;
    options.graph = trial % 2 == 0 ? Options::Graph::dag : Options::Graph::chain;
    options.extents = trial % 3 == 0 ? Options::Extents::arbitrary : Options::Extents::divisible;
    options.operators = 4;
    auto const network = test::random_network(random, options);
    auto plan = trial % 2 == 0 ? test::random_plan(network, array, random)
                               : test::random_plan(network, array, random,
                                                   {Dim::n, Dim::c, Dim::k, Dim::h, Dim::w});
    if (test::random_between(random, 0, 1) == 0) test::unbalance(plan, random);
    auto const effort = std::array{Effort::in_full, Effort::in_full_and_in_reverse,
                                   Effort::in_full_and_shuffled, Effort::in_full_by_the_engine}
                            .at(static_cast<std::size_t>(trial % 4));
    static_cast<void>(expect_that_skipping_changes_nothing(network, array, plan, effort));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSystem, testing::Range(0, static_cast<int>(test::cases(4))));

/// Detailed cores and memories; up to four stages of one or two accelerators.
arch::ArraySpec small_array(std::mt19937_64& random) {
  auto const base = one_of(random, {"hmc-htree-16", "tpu-v3-128"});
  std::vector<std::string> settings = {
      "accelerators=8", "execution.overlap=" + one_of(random, {"none", "communication"}),
      "accelerator.memory.dram=" + one_of(random, {"hmc-1.0", "hmc-2.1", "tpu-v3", "tpu-v2"})};
  return arch::load(base, settings);
}

/// Up to four operators, of a batch that micro-batches, replicas and splits divide.
workloads::Network small_network(std::mt19937_64& random) {
  test::RandomNetworkOptions options;
  options.graph = test::RandomNetworkOptions::Graph::dag;
  options.operators = 4;
  options.levels = 5;
  options.map_levels = 1;
  return test::random_network(random, options);
}

TEST(Skipping, ChangesNothingInPipelinesOnDetailedArrays) {
  std::int64_t skipped = 0;
  for (std::uint64_t seed = 1; seed <= test::cases(48); ++seed) {
    std::mt19937_64 random{seed};
    auto const array = small_array(random);
    auto const network = small_network(random);
    auto const& schedule = test::every_schedule[seed % test::every_schedule.size()];
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + schedule + " on " + array.name);
    auto const plan = test::random_staged_plan(network, array, random, schedule);
    skipped += expect_that_skipping_changes_nothing(network, array, plan);
  }
  EXPECT_GT(skipped, 0);
}

TEST(Skipping, ChangesNothingOnGridsThatFoldAlongTheirRings) {
  std::size_t left_out = 0;
  for (std::uint64_t seed = 1; seed <= test::cases(40); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random{seed};
    auto const count = std::stoll(one_of(random, {"4", "8", "16", "12", "9"}));
    auto const fabric = one_of(random, {"grid", "grid", "torus"});
    bool const has_thirds = count % 3 == 0;
    auto const base = one_of(random, {"hypar-paper", "tpu-v3-128"});
    auto const array = arch::load(
        has_thirds ? "hypar-paper" : base,
        {"accelerators=" + std::to_string(count),
         "fabric=" + (fabric == "grid" ? random_grid(random, count)
                                       : "{clock: 1 GHz, topology: torus, link: {bandwidth: 36 "
                                         "Gb/s, latency: 40 ns}}"),
         "execution.overlap=" + one_of(random, {"none", "communication"}),
         "execution.collectives=" + one_of(random, {"torus", "torus", "ring", "bidirectional",
                                                    "direct", "hierarchical", "auto"})});
    test::RandomNetworkOptions options;
    options.operators = 3;
    options.map_levels = 1;
    options.factor = has_thirds ? 9 : 1;
    auto const network = test::random_network(random, options);
    auto const plan = one_of(random, {"dp", "dp", "random"}) == "dp"
                          ? partition::make_planner("dp")->solve({network, array})
                          : test::random_plan(network, array, random);
    left_out += static_cast<std::size_t>(count) -
                partition::symmetry({network, array}, plan).representatives();
    static_cast<void>(expect_that_skipping_changes_nothing(network, array, plan));
  }
  EXPECT_GT(left_out, 0U);
}

/// The others: `tessera validate skipping`.
TEST(Skipping, ChangesNothingForSmallNetworksOfTheZoo) {
  for (auto const* const name : {"hypar/lenet-c", "hypar/cifar-c", "accpar/lenet"}) {
    for (auto const* const base : {"hmc-htree-16", "tpu-v3-128"}) {
      SCOPED_TRACE(std::string{name} + " on " + base);
      auto const network = workloads::load(name, {"batch=8"});
      auto const array = arch::load(
          base, {"accelerators=4", "fabric.topology=htree", "fabric.link.bandwidth=8 Gb/s"});
      auto const maker = partition::make_planner("dp");
      static_cast<void>(
          expect_that_skipping_changes_nothing(network, array, maker->solve({network, array})));
    }
  }
}

class FabricOfPackets : public testing::TestWithParam<char const*> {};

/// run() checks the laws of each.
TEST_P(FabricOfPackets, IsTheSameWhenSkippingAndInAnyOrderOfModules) {
  auto const network = workloads::load("hypar/lenet-c", {"batch=16"});
  for (auto const* const overlap : {"none", "communication"}) {
    auto const array =
        arch::load("hmc-htree-16",
                   {std::string{"fabric={clock: 1 GHz, packet: 4 KiB, router: {pipeline: 3 ns, "
                                "virtual_channels: 2, buffer_packets: 2}, topology: {"} +
                        GetParam() + ", link: {bandwidth: 2 Gb/s, latency: 11 ns}}}",
                    std::string{"execution.overlap="} + overlap});
    for (auto const* const planner : {"dp", "hypar"}) {
      SCOPED_TRACE(std::string{overlap} + ' ' + planner);
      auto const maker = partition::make_planner(planner);
      auto const plan = maker->solve({network, array});
      auto const full = simulated_with(network, array, plan, Effort::in_full).text;
      EXPECT_EQ(simulated_with(network, array, plan, Effort::skipping).text, full);
      EXPECT_EQ(simulated_with(network, array, plan, Effort::in_full_and_in_reverse).text, full);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Topologies, FabricOfPackets,
                         testing::Values("kind: torus, shape: [4, 4]", "kind: mesh, shape: [4, 4]",
                                         "kind: fat-tree, shape: [4, 2]"));

}  // namespace
}  // namespace tessera
