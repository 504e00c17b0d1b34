#include "sim/model/fabric/packet/wake_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "arch/base/contract.hpp"

namespace tessera::sim {

namespace {

TEST(WakeQueue, WakesEachOnceAndTheEarliestFirst) {
  std::mt19937_64 random{7};
  constexpr std::size_t sleepers = 50;
  WakeQueue queue{sleepers};
  std::vector<Tick> expected(sleepers, never);
  for (int step = 0; step < 20000; ++step) {
    auto const sleeper = static_cast<std::uint32_t>(random() % sleepers);
    auto const distance = static_cast<Tick>(random() >> (random() % 50 + 14));
    if (random() % 3 != 0) {
      queue.set(sleeper, queue.now() + distance);
      expected[sleeper] = queue.now() + distance;
    }
    auto const earliest = *std::min_element(expected.begin(), expected.end());
    ASSERT_EQ(queue.next_time(), earliest) << step;
    if (random() % 2 == 0 && earliest != never) {
      auto const woken = queue.pop();
      ASSERT_EQ(expected[woken], earliest);
      ASSERT_EQ(queue.now(), earliest);
      expected[woken] = never;
    }
    if (queue.now() > never / 2) break;
  }
}

TEST(WakeQueue, ALaterTimeDoesNotReplaceAnEarlierOneUnlessToldTo) {
  WakeQueue queue{2};
  queue.set_at_most(0, 5);
  queue.set_at_most(0, 9);
  EXPECT_EQ(queue.next_time(), 5);
  queue.set(0, 9);
  EXPECT_EQ(queue.next_time(), 9);
  EXPECT_EQ(queue.pop(), 0U);
  EXPECT_EQ(queue.next_time(), never);
  EXPECT_THROW(queue.set(0, 8), ContractError);
}

}  // namespace

}  // namespace tessera::sim
