#include "partition/price/work.hpp"

#include <gtest/gtest.h>

#include "arch/array/load.hpp"
#include "test/support/random_network.hpp"
#include "test/support/random_plan.hpp"
#include "test/support/two_speeds.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {
namespace {

using workloads::Dim;
using workloads::Phase;

double rate(arch::AcceleratorSpec const& accelerator) {
  return static_cast<double>(accelerator.macs_per_cycle()) *
         static_cast<double>(accelerator.clock.value());
}

arch::CoreUnitSpec some_core() {
  auto const core = arch::load_core("hypar-pu");
  return {core, core};
}

/// The work of every accelerator, one by one.
Work one_by_one(Problem const& problem, workloads::OperatorId id, Splits const& splits,
                Phase phase) {
  auto const& op = problem.network.at(id);
  Work work;
  for (std::int64_t index = 0; index < problem.array.accelerators; ++index) {
    auto const& accelerator = problem.array.accelerator(static_cast<std::size_t>(index));
    auto macs = static_cast<double>(macs_charged(accelerator, op, phase).value());
    for (std::size_t level = 0; level < splits.size(); ++level) {
      auto const& split = splits[level];
      if (!split || (phase == Phase::update && !op.weight->axis_of(split->dim))) continue;
      bool const is_second = ((index >> (splits.size() - 1 - level)) & 1) != 0;
      macs *= is_second ? 1 - split->first : split->first;
    }
    work.slowest_s = std::max(work.slowest_s, macs / rate(accelerator));
    work.mac_energy += macs * arch::mac_energy(accelerator, problem.array.energy);
  }
  return work;
}

TEST(Work, IsThatOfTheAcceleratorsOneByOne) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    auto const network = test::random_network(random);
    auto array = test::two_speeds(16, 1 + static_cast<std::int64_t>(random() % 15), 3);
    array.groups.back().accelerator.processing_unit =
        some_core();  // whose MACs cost another energy
    Problem const problem{network, array};
    auto plan = test::random_plan(network, array, random);
    test::unbalance(plan, random);
    for (auto const op : network.operators().ids()) {
      for (auto const phase : workloads::all_phases) {
        if (!network.at(op).has(phase)) continue;
        auto const expected = one_by_one(problem, op, plan.splits[op], phase);
        auto const work = work_of(problem, op, plan.splits[op], phase);
        EXPECT_NEAR(work.slowest_s, expected.slowest_s, 1e-12 * expected.slowest_s);
        auto const joules = expected.mac_energy.value();
        EXPECT_NEAR(work.mac_energy.value(), joules, 1e-12 * joules);
      }
    }
  }
}

TEST(Work, OfLevelsThatAreNotDecidedIsSharedInProportionToSpeed) {
  auto const network = workloads::load("hypar/sfc");
  auto const array = test::two_speeds(4, 2, 3);  // speeds 1, 1, 3, 3
  Problem const problem{network, array};
  auto const op = network.find("fc2");
  auto const all = static_cast<double>(network.at(op).macs(Phase::forward).value());
  auto const slow = rate(array.accelerator(0));
  EXPECT_NEAR(work_of(problem, op, {}, Phase::forward).slowest_s, all / (8 * slow), 1e-12);
  // Half of it on two slow ones.
  EXPECT_NEAR(work_of(problem, op, {Dim::n}, Phase::forward).slowest_s, all / 2 / (2 * slow),
              1e-12);
}

TEST(BalancedShare, LetsBothHalvesTakeEquallyLong) {
  auto const network = workloads::load("hypar/lenet-c");
  auto const array = test::two_speeds(8, 4, 3);
  Problem const problem{network, array};
  auto const op = network.find("conv2");
  EXPECT_DOUBLE_EQ(balanced_share(problem, op, 0), 0.25);  // speeds 1 : 3
  EXPECT_DOUBLE_EQ(balanced_share(problem, 0), 0.25);
  EXPECT_EQ(balanced_share(problem, op, 1), 0.5);
  auto const balanced = work_of(problem, op, {Split{Dim::c, 0.25}}).slowest_s;
  for (auto const share : {0.2, 0.24, 0.26, 0.5}) {
    EXPECT_GT(work_of(problem, op, {Split{Dim::c, share}}).slowest_s, balanced) << share;
  }
}

TEST(HalvesAreAlike, WhereNoGroupHoldsBothKinds) {
  auto const array = test::two_speeds(8, 4, 3);
  EXPECT_FALSE(has_alike_halves(array, 0));
  EXPECT_TRUE(has_alike_halves(array, 1));
  auto const mixed = test::two_speeds(8, 3, 3);
  EXPECT_FALSE(has_alike_halves(mixed, 1));
  EXPECT_FALSE(has_alike_halves(mixed, 2));
}

}  // namespace
}  // namespace tessera::partition
