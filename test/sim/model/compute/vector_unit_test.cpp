#include "sim/model/compute/vector_unit.hpp"

#include <gtest/gtest.h>

namespace tessera::sim {
namespace {

arch::VectorUnitSpec const tpu_vectors{128, 8, 2, 1, 1};

std::int64_t cycles(VectorWork const& work, std::int64_t elements) {
  return vector_cost(tpu_vectors, work, Elements{elements}).cycles.value();
}

/// Cycle by cycle: every slot takes what is left of its kind.
std::int64_t cycles_one_by_one(arch::VectorUnitSpec const& unit, VectorWork const& work,
                               std::int64_t elements) {
  std::int64_t vectors = 0;
  for (; elements > 0; elements -= unit.lanes * unit.sublanes) ++vectors;
  auto alu = vectors * work.alu;
  auto loads = vectors * work.loads;
  auto stores = vectors * work.stores;
  std::int64_t cycle = 0;
  for (; alu > 0 || loads > 0 || stores > 0; ++cycle) {
    alu -= unit.alus;
    loads -= unit.loads;
    stores -= unit.stores;
  }
  return cycle;
}

TEST(VectorUnit, TheBusiestSlotDecides) {
  EXPECT_EQ(cycles(work_of(VectorOperation::relu), 1024), 1);
  EXPECT_EQ(cycles(work_of(VectorOperation::relu), 1025), 2);
  EXPECT_EQ(cycles(work_of(VectorOperation::add), 10 * 1024), 20);      // two loads each
  EXPECT_EQ(cycles(work_of(VectorOperation::softmax), 10 * 1024), 70);  // 14 on two ALUs
  EXPECT_EQ(cycles(work_of(VectorOperation::adam), 1024), 7);           // 14 on two ALUs
  EXPECT_EQ(cycles(work_of(VectorOperation::sgd), 1024), 2);            // w and its gradient
  EXPECT_EQ(cycles(work_of(VectorOperation::relu), 0), 0);
}

TEST(VectorUnit, CountsSlotsAsIfTheyWereFilledCycleByCycle) {
  for (auto const operation : {VectorOperation::batch_norm, VectorOperation::gelu,
                               VectorOperation::momentum, VectorOperation::layer_norm_backward}) {
    for (std::int64_t alus = 1; alus < 5; ++alus) {
      arch::VectorUnitSpec const unit{4, 2, alus, 2, 1};
      for (std::int64_t elements = 0; elements < 60; ++elements) {
        EXPECT_EQ(vector_cost(unit, work_of(operation), Elements{elements}).cycles.value(),
                  cycles_one_by_one(unit, work_of(operation), elements));
      }
    }
  }
}

TEST(VectorUnit, PoolsReadTheirWholeWindow) {
  EXPECT_EQ(cycles(max_pool(3), 1024), 9);
  EXPECT_EQ(cycles(average_pool(7), 1024), 49);
  EXPECT_EQ(cycles(max_pool_backward(2), 1024), 4);
  auto const cost = vector_cost(tpu_vectors, max_pool(2), Elements{100});
  EXPECT_EQ(cost.operations, 300);
  EXPECT_EQ(cost.accesses, Elements{100 * (4 + 1)});
}

}  // namespace
}  // namespace tessera::sim
