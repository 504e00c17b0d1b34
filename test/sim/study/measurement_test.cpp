// Sums and averages over a run's summary.
#include "sim/study/measurement.hpp"

#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "arch/array/topology.hpp"
#include "partition/planners/planner.hpp"
#include "partition/price/footprint.hpp"
#include "sim/lower/lower.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {
namespace {

constexpr Time one_second{picoseconds_per_second};

TEST(Measurement, TimeIsAveragedOverAccelerators) {
  traces::RunSummary summary;
  // conv1 and fc1 are operators 0 and 2 of Lenet-c; forward and backward_weight are phases 0 and 2.
  summary.breakdown = {{0, 0, 4 * one_second, Time{0}, Time{0}, Time{0}},
                       {2, 0, Time{0}, Time{0}, 2 * one_second, Time{0}},
                       {2, 2, Time{0}, 1 * one_second, Time{0}, 3 * one_second}};
  summary.breakdown[2].kernel_starts = one_second;
  summary.accelerators.resize(2);
  auto const breakdown = breakdown_of(summary, workloads::load("hypar/lenet-c"));
  EXPECT_EQ(breakdown.total.kernel_starts, 0.5);
  EXPECT_EQ(breakdown.total.compute, 2);        // 4 s / 2
  EXPECT_EQ(breakdown.total.communication, 1);  // 2 s / 2
  EXPECT_EQ(breakdown.total.memory, 0.5);
  EXPECT_EQ(breakdown.total.idle, 1.5);
  ASSERT_EQ(breakdown.layers.size(), 2U);
  EXPECT_EQ(breakdown.layers[1].first, "fc1");
  EXPECT_EQ(breakdown.layers[1].second.total(), 3);  // (2 + 1 + 3) / 2
  ASSERT_EQ(breakdown.phases.size(), 2U);
  EXPECT_EQ(breakdown.phases[1].first, "backward_weight");
}

TEST(Measurement, EnergyIsSummedByComponent) {
  traces::RunSummary summary;
  summary.energy = {{"processing-unit", "multiply", 2, Energy{3}},
                    {"processing-unit", "add", 2, Energy{1}},
                    {"memory", "access", 1, Energy{5}}};
  auto const energy = energy_of(summary);
  ASSERT_EQ(energy.size(), 2U);
  EXPECT_EQ(energy[0].second, 8);  // 2 * 3 + 2 * 1
  EXPECT_EQ(energy[1].second, 5);
  EXPECT_EQ(measured(summary).energy_j, 13);
}

TEST(Measurement, AddressesAreThoseOfWhatIsNeededAndThoseBeyondTheMemoryAreCounted) {
  auto array = arch::load("hmc-htree-16", {"accelerators=1"});
  auto const network = workloads::load("hypar/sfc", {"batch=16"});
  partition::Problem const problem{network, array};
  auto const plan = partition::make_planner("dp")->solve(problem);
  auto const tasks = lower(network, array, plan);
  // Weights and gradients of 784-8192-8192-8192-10, the inputs of all four layers, and when the last one goes backward, the errors of its
  // output and of its input; each from a stripe of 32 vaults * 256 B on.
  auto const needed = (partition::fullest(problem, plan).footprint.total() +
                       partition::working_memory(network, plan, 0))
                          .value();
  std::int64_t const weights = 784 * 8192 + 2 * 8192 * 8192 + 8192 * 10;
  EXPECT_EQ(needed, 4 * (2 * weights + 16 * (784 + 3 * 8192 + 10 + 8192)));
  auto const use = addresses_of(tasks, array, 0).value();
  EXPECT_GE(use.mapped_bytes, needed);
  EXPECT_LE(use.mapped_bytes, needed + 4 * 4 * 32 * 256);
  EXPECT_EQ(use.wrapped_bytes, 0);
  array.groups.front().accelerator.memory_capacity = Bytes{500'000'000};
  EXPECT_EQ(addresses_of(tasks, array, 0)->wrapped_bytes, use.mapped_bytes - 500'000'000);
  EXPECT_FALSE(addresses_of(tasks, arch::load("hypar-paper", {"accelerators=1"}), 0).has_value());
}

// The symptom: "accelerator 0 needs 57.56 MB" of a TPU-v2 beside "addresses: 119.5 MB" of a TPU-v3.
TEST(Measurement, AddressesAreThoseOfTheAcceleratorThatIsAskedFor) {
  auto const array = arch::load("tpu-v2v3-256");
  auto const network = workloads::load("accpar/resnet-18");
  auto const plan = partition::make_planner("accpar")->solve({network, array});
  auto const tasks = lower(network, array, plan);
  for (std::size_t const accelerator : {0U, 255U}) {
    EXPECT_EQ(addresses_of(tasks, array, accelerator)->mapped_bytes,
              tasks.addressed(AcceleratorId{accelerator}).value());
  }
  EXPECT_LT(addresses_of(tasks, array, 0)->mapped_bytes,
            addresses_of(tasks, array, 255)->mapped_bytes);
}

TEST(Measurement, ALinkIsBusyForAShareOfItsLanesTime) {
  auto const array = arch::load("hypar-paper", {"accelerators=4"});
  traces::RunSummary summary;
  summary.time = Time{100};
  arch::Topology const topology{array};
  for (auto const& link : topology.links()) {
    summary.counters.push_back({link.name, "busy", "ps", 50 * link.lanes});
    summary.counters.push_back({link.name, "bytes", "B", 7});
  }
  for (auto const& [name, use] : links_of(summary, array)) {
    EXPECT_EQ(use.busy_fraction, 0.5) << name;  // 50 of 100 ps on every lane
    EXPECT_EQ(use.bytes, 7);
  }
}

TEST(Measurement, ALinkWithoutItsCounterIsABrokenContract) {
  EXPECT_THROW(static_cast<void>(links_of({}, arch::load("hypar-paper"))), ContractError);
}

TEST(Measurement, BytesCountAtTheLevelOfTheirTransfer) {
  Hierarchy const halves{8};
  std::vector<traces::TrafficEntry> const traffic = {
      {0, 7, 1, Bytes{10}}, {1, 3, 1, Bytes{15}}, {6, 4, 1, Bytes{5}}};
  EXPECT_EQ(sent_by_level(traffic, halves),  // the first from half to half
            (std::vector<Bytes>{Bytes{10}, Bytes{20}, Bytes{0}}));
}

}  // namespace
}  // namespace tessera::sim
