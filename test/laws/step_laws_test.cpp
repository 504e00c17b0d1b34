// Laws of a whole simulated step: what must hold between prediction, simulation and the machine's limits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>

#include "arch/array/load.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/cost_model.hpp"
#include "partition/step/symmetry.hpp"
#include "sim/lower/lower.hpp"
#include "sim/shell/run.hpp"
#include "test/support/cases/cases.hpp"
#include "test/support/forked.hpp"
#include "test/support/network_text.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "test/support/two_speeds.hpp"
#include "traces/sink.hpp"
#include "workloads/load.hpp"

namespace tessera {
namespace {

using workloads::Dim;

partition::Plan solved(std::string const& planner, workloads::Network const& network,
                       arch::ArraySpec const& array) {
  return partition::make_planner(planner)->solve({network, array});
}

/// The simulated time of one step of accelerators that `folding` leaves; run() checks the
/// conservation laws.
Time simulated_time(workloads::Network const& network, arch::ArraySpec const& array,
                    partition::Plan const& plan, Folding const& folding) {
  auto const text = test::forked([&] {
    traces::NullSink sink;
    auto const report = sim::run(array, sim::lower(network, array, plan, folding), sink);
    EXPECTS(report.summary.complete, report.stuck.size());
    return std::to_string(report.summary.time.value());
  });
  return Time{std::stoll(text)};
}

/// The same, of all accelerators.
Time simulated_time(workloads::Network const& network, arch::ArraySpec const& array,
                    partition::Plan const& plan) {
  return simulated_time(network, array, plan,
                        Folding{static_cast<std::size_t>(array.accelerators)});
}

/// Every stage adds a few clocks of issue, arrival and barrier to what the cost model sees. A stage
/// is fenced by one barrier; it takes at most 8 hops of a link and a router at 1 GHz, and 6 clocks
/// of 4 ns.
Time overhead(sim::TaskGraph const& tasks) {
  return Time{static_cast<std::int64_t>(tasks.barrier_members().size()) * 100'000};
}

TEST(StepLaws, WithoutOverlapTheStepTakesWhatHyParsModelSaysPlusItsClocks) {
  for (auto const* const name : {"hypar/sconv", "hypar/lenet-c", "hypar/cifar-c", "hypar/vgg-a"}) {
    for (auto const* const planner : {"dp", "hypar"}) {
      for (auto const* const fabric :
           {"fabric.topology=htree", "fabric.topology=torus",
            "fabric={topology: {kind: dragonfly, shape: [2, 4, 2], link: {bandwidth: 500 Mb/s, "
            "latency: 40 ns}, port: {bandwidth: 1 Gb/s, latency: 0 ns}}, clock: 1 GHz}"}) {
        SCOPED_TRACE(std::string{name} + " " + planner + " " + fabric);
        auto const network = workloads::load(name);
        auto const array = arch::load("hypar-paper", {fabric});
        auto const plan = solved(planner, network, array);
        auto const time = seconds(simulated_time(network, array, plan));
        auto const allowed = seconds(overhead(sim::lower(network, array, plan)));
        EXPECT_GT(time, plan.predicted->time_s);
        // Whole elements: a gradient of 500 weights does not halve evenly four times. At most one element per exchange is late.
        EXPECT_LT(time, plan.predicted->time_s * 1.001 + allowed);
      }
    }
  }
}

TEST(StepLaws, ItDoesNotMatterWhichOfTwoUnlikeGroupsComesFirst) {
  auto const network = workloads::load("accpar/vgg-16");
  auto const time_on = [&network](arch::ArraySpec const& array) {
    auto const plan = solved("accpar", network, array);
    return simulated_time(network, array, plan, partition::symmetry({network, array}, plan));
  };
  auto const array = arch::load("accpar-paper-256");
  auto swapped = array;
  std::swap(swapped.groups.front(), swapped.groups.back());
  EXPECT_EQ(time_on(array), time_on(swapped));
}

TEST(StepLaws, RandomNetworksUnderRandomPlansNeverBeatTheirComputation) {
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  for (std::uint64_t seed = 1; seed <= test::cases(30); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    test::RandomNetworkOptions options;
    options.levels = 2;
    options.graph = seed % 2 == 0 ? test::RandomNetworkOptions::Graph::dag
                                  : test::RandomNetworkOptions::Graph::chain;
    auto const network = test::random_network(random, options);
    auto const plan = test::random_plan(network, array, random);
    auto const priced = partition::cost({network, array}, plan);
    EXPECT_GE(seconds(simulated_time(network, array, plan)), priced.time_s())
        << network.source_text();
  }
}

/// Under random plans of random graphs (RandomNetworkOptions says what levels and factor are).
void expect_priced_bytes_to_be_sent(arch::ArraySpec const& array, int levels, std::int64_t factor,
                                    std::uint64_t graphs) {
  for (std::uint64_t seed = 1; seed <= test::cases(graphs); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    test::RandomNetworkOptions options;
    options.levels = levels;
    options.factor = factor;
    options.graph = test::RandomNetworkOptions::Graph::dag;
    auto const network = test::random_network(random, options);
    auto const plan = test::random_plan(network, array, random);
    EXPECT_EQ(sim::transferred_in(sim::lower(network, array, plan)),
              partition::cost({network, array}, plan).communication)
        << network.source_text();
  }
}

TEST(StepLaws, SimulatedBytesAreThePredictedOnesOnRandomDags) {
  for (auto const* const sums : {"execution.sums=exact", "execution.sums=padded"}) {
    auto const array = arch::load("hypar-paper", {"accelerators=4", sums});
    expect_priced_bytes_to_be_sent(array, 2, 1, 200);
  }
}

TEST(StepLaws, SimulatedBytesAreThePredictedOnesAmongThree) {
  for (auto const* const sums : {"execution.sums=exact", "execution.sums=padded"}) {
    auto const array =
        arch::load("hypar-paper", {"accelerators=9", "fabric.link.bandwidth=9 Gb/s", sums});
    expect_priced_bytes_to_be_sent(array, 1, 9, 100);
  }
}

/// Convolutions over maps that divide, split over samples or channels and, at the innermost levels,
/// over rows and columns by turns.
TEST(StepLaws, SimulatedBytesAreThePredictedOnesWithHalos) {
  auto const array = arch::load("hypar-paper", {"accelerators=16"});
  test::NetworkText text;
  text.input = "{name: x, channels: 16, rows: 64, columns: 64}";
  text.batch = "16";
  auto const network = test::network_of(text.with(
      {"{name: a, kind: conv, input: x, filters: 16, kernel: 3, padding: 1}",
       "{name: b, kind: conv, input: a, filters: 32, kernel: 5, padding: 2}",
       "{name: c, kind: conv, input: b, filters: 32, kernel: 4, padding: 1, stride: 2}",
       "{name: d, kind: conv, input: a, filters: 32, kernel: 1, stride: 2}",
       "{name: e, kind: add, inputs: [c, d]}", "{name: f, kind: pool, input: e, size: 2}"}));
  for (std::uint64_t seed = 1; seed <= test::cases(100); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    auto plan = test::random_plan(network, array, random, {Dim::n, Dim::k});
    for (auto& splits : plan.splits) {
      auto const over_map = static_cast<std::size_t>(test::random_between(random, 0, 4));
      for (std::size_t place = 0; place < over_map; ++place) {
        splits[3 - place] = place % 2 == 0 ? Dim::h : Dim::w;
      }
    }
    EXPECT_EQ(sim::transferred_in(sim::lower(network, array, plan)),
              partition::cost({network, array}, plan).communication);
  }
}

/// Random DAGs under random plans in quarters: with extents that divide by 16, of which two levels
/// leave whole indices.
struct InQuarters {
  InQuarters(std::uint64_t seed, arch::ArraySpec const& array) : random{seed} {
    test::RandomNetworkOptions options;
    options.levels = 4;
    options.graph = test::RandomNetworkOptions::Graph::dag;
    network = test::random_network(random, options);
    plan = test::random_plan(*network, array, random);
    test::unbalance(plan, random, 4);
  }
  std::mt19937_64 random;
  std::optional<workloads::Network> network;
  partition::Plan plan;
};

TEST(StepLaws, SimulatedBytesAreThePredictedOnesWithUnequalShares) {
  auto const array = test::two_speeds(4, 2, 3);
  for (std::uint64_t seed = 1; seed <= test::cases(200); ++seed) {
    SCOPED_TRACE(seed);
    InQuarters const drawn{seed, array};
    EXPECT_EQ(sim::transferred_in(sim::lower(*drawn.network, array, drawn.plan)),
              partition::cost({*drawn.network, array}, drawn.plan).communication)
        << drawn.network->source_text();
  }
}

TEST(StepLaws, UnequalSharesTakeWhatTheModelSaysOrLonger) {
  auto const array = test::two_speeds(4, 2, 3);
  for (std::uint64_t seed = 1; seed <= test::cases(30); ++seed) {
    SCOPED_TRACE(seed);
    InQuarters const drawn{seed, array};
    auto const priced = partition::cost({*drawn.network, array}, drawn.plan);
    EXPECT_GE(seconds(simulated_time(*drawn.network, array, drawn.plan)), priced.time_s())
        << drawn.network->source_text();
  }
}

TEST(StepLaws, FasterLinksOfOneHalfSaveWhatTheModelSays) {
  auto const network = workloads::load("hypar/cifar-c");
  for (auto const* const levels : {"halved", "alike"}) {
    auto array = test::two_speeds(8, 4, 1);
    array.fabric.levels = std::string{levels} == "alike" ? arch::FabricSpec::Levels::alike
                                                         : arch::FabricSpec::Levels::halved;
    for (double const share : {0.25, 0.5, 0.75}) {
      SCOPED_TRACE(std::string{levels} + " " + std::to_string(share));
      auto plan = solved("accpar", network, array);
      for (auto& splits : plan.splits) splits.front() = partition::Split{workloads::Dim::n, share};
      auto const slower_s = partition::cost({network, array}, plan).time_s();
      auto faster = array;
      faster.groups.back().link_bandwidth = 4 * array.fabric.link_bandwidth;
      auto const faster_s = partition::cost({network, faster}, plan).time_s();
      auto const time_s = seconds(simulated_time(network, faster, plan));
      EXPECT_GT(time_s, faster_s);
      EXPECT_LT(time_s, faster_s * 1.001 + seconds(overhead(sim::lower(network, faster, plan))));
      if (share < 0.5) {
        EXPECT_LT(faster_s, slower_s);
      }
    }
  }
}

TEST(StepLaws, OverlapNeverMakesAStepLonger) {
  for (auto const* const planner : {"dp", "mp", "hypar"}) {
    auto const network = workloads::load("hypar/cifar-c");
    auto const fenced = arch::load("hmc-htree-16", {"execution.overlap=none"});
    auto const overlapped = arch::load("hmc-htree-16");
    EXPECT_LE(simulated_time(network, overlapped, solved(planner, network, overlapped)),
              simulated_time(network, fenced, solved(planner, network, fenced)))
        << planner;
  }
}

/// Keeps every event.
class EventSink final : public traces::Sink {
 public:
  void begin(traces::RunDescription const& /*run*/) override {}
  void record(traces::TaskEvent const& event) override { events.push_back(event); }
  void end(traces::RunSummary const& /*summary*/) override {}

  std::vector<traces::TaskEvent> events;
};

/// Of the transfers of each phase, how many are under way at some time at which a computation is,
/// somewhere in the array: "forward 0 of 12, ...".
std::string transfers_beside_computation(std::vector<traces::TaskEvent> const& events) {
  std::map<std::uint8_t, std::pair<int, int>> beside;
  for (auto const& transfer : events) {
    if (transfer.kind != static_cast<std::uint8_t>(sim::TaskKind::transfer)) continue;
    auto& [overlapping, all] = beside[transfer.phase];
    ++all;
    auto const overlaps = [&](auto const& other) {
      return other.kind == static_cast<std::uint8_t>(sim::TaskKind::compute) &&
             other.start < transfer.end && transfer.start < other.end;
    };
    if (std::any_of(events.begin(), events.end(), overlaps)) ++overlapping;
  }
  std::string text;
  for (auto const& [phase, counts] : beside) {
    auto const& [overlapping, all] = counts;
    text += name(static_cast<workloads::Phase>(phase)) + std::string{" "} +
            (overlapping == 0     ? "none"
             : overlapping == all ? "all"
                                  : "some") +
            ' ';
  }
  return text;
}

TEST(StepLaws, CollectivesRunBesideComputationOnlyWhereTheArrayOverlaps) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const simulated_with = [&](std::string const& planner, std::string const& overlap) {
    return test::forked([&] {
      auto const array = arch::load("hypar-paper", {"execution.overlap=" + overlap});
      EventSink sink;
      static_cast<void>(
          sim::run(array, sim::lower(network, array, solved(planner, network, array)), sink));
      return transfers_beside_computation(sink.events);
    });
  };
  // Data parallelism only sums gradients, each while the error of earlier layers is computed; those
  // of the first layer are the last thing to happen but updates.
  EXPECT_EQ(simulated_with("dp", "none"), "backward_weight none ");
  EXPECT_EQ(simulated_with("dp", "communication"), "backward_weight some ");
  // HyPar's plan also sums outputs and hands on errors.
  EXPECT_EQ(simulated_with("hypar", "none"),
            "forward none backward_data none backward_weight none ");
  EXPECT_THAT(simulated_with("hypar", "communication"), testing::HasSubstr("backward_weight some"));
}

TEST(StepLaws, EveryPhaseIsBlamedForItsOwnComputationEvenWhereTasksQueueUp) {
  // Overlapped data parallelism: updates wait at the unit behind backward phases.
  auto const network = workloads::load("hypar/cifar-c");
  auto const array =
      arch::load("hypar-paper",
                 {"execution.overlap=communication", "accelerator.processing_unit.update=charged",
                  "accelerator.processing_unit.mac_count=output-map"});
  auto const tasks = sim::lower(network, array, solved("dp", network, array));
  std::map<workloads::Phase, double> clocks;
  std::map<workloads::Phase, double> count;
  for (auto const& task : tasks.tasks()) {
    if (task.kind != sim::TaskKind::compute) continue;
    clocks[task.phase] += std::ceil(static_cast<double>(task.macs.value()) / 168);
    count[task.phase] += 1;
  }
  auto const text = test::forked([&] {
    traces::NullSink sink;
    auto const report = sim::run(array, tasks, sink);
    std::map<workloads::Phase, double> blamed;
    for (auto const& row : report.summary.breakdown) {
      blamed[static_cast<workloads::Phase>(row.phase)] += static_cast<double>(row.compute.value());
    }
    std::string verdict;
    for (auto const& [phase, busy] : clocks) {
      double const period = 4000;  // ps
      double const rest = blamed[phase] / period - busy;
      // At most three clocks per task pass between issue, start and completion.
      if (rest < 0 || rest > 3 * count[phase]) {
        verdict += std::string{name(phase)} + ": " + std::to_string(rest) + " clocks too many\n";
      }
    }
    return verdict;
  });
  EXPECT_EQ(text, "");
}

TEST(StepLaws, OneAcceleratorOnlyComputes) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = arch::load("hypar-paper", {"accelerators=1"});
  auto const plan = solved("hypar", network, array);
  auto const priced = partition::cost({network, array}, plan);
  EXPECT_EQ(priced.communication_s, 0);
  EXPECT_NEAR(seconds(simulated_time(network, array, plan)), priced.compute_s, 1e-5);
}

TEST(StepLaws, AFasterFabricNeverMakesAStepLonger) {
  auto const network = workloads::load("hypar/lenet-c");
  Time previous{INT64_MAX};
  for (auto const* const bandwidth : {"1 Gb/s", "2 Gb/s", "8 Gb/s", "64 Gb/s"}) {
    auto const array =
        arch::load("hmc-htree-16", {std::string{"fabric.link.bandwidth="} + bandwidth});
    auto const time = simulated_time(network, array, solved("dp", network, array));
    EXPECT_LT(time, previous) << bandwidth;
    previous = time;
  }
}

}  // namespace
}  // namespace tessera
