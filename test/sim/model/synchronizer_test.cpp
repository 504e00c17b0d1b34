// Barriers: nobody goes on before everybody is there.
#include "sim/model/synchronizer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/sim/model/core_harness.hpp"

namespace tessera::sim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Arrival reach(std::size_t accelerator, std::size_t barrier, std::size_t task) {
  Message message;
  message.kind = Message::Kind::arrive;
  message.source = AcceleratorId{accelerator};
  message.barrier = BarrierId{barrier};
  message.task = TaskId{task};
  return {Synchronizer::from_dispatchers, message};
}

TEST(Synchronizer, ReleasesAllOneClockAfterTheLastArrived) {
  Synchronizer synchronizer{Folding{3}, ghz};
  EXPECT_THAT(advance(synchronizer, ns(1), {reach(2, 0, 12)}), IsEmpty());
  EXPECT_THAT(advance(synchronizer, ns(5), {reach(0, 0, 10)}), IsEmpty());
  auto const out = advance(synchronizer, ns(9), {reach(1, 0, 11)});
  ASSERT_EQ(out.size(), 3U);
  for (std::size_t accelerator = 0; accelerator < 3; ++accelerator) {
    EXPECT_EQ(out[accelerator].port, accelerator);
    EXPECT_EQ(out[accelerator].at, ns(10));
    EXPECT_EQ(out[accelerator].message.kind, Message::Kind::release);
    EXPECT_EQ(out[accelerator].message.task, TaskId{10 + accelerator});
  }
  EXPECT_EQ(statistic(synchronizer, "barriers"), 1);
}

TEST(Synchronizer, KeepsBarriersApart) {
  Synchronizer synchronizer{Folding{2}, ghz};
  EXPECT_THAT(advance(synchronizer, ns(1), {reach(0, 0, 1), reach(1, 1, 2)}), IsEmpty());
  EXPECT_EQ(advance(synchronizer, ns(2), {reach(0, 1, 3)}).size(), 2U);
  EXPECT_EQ(advance(synchronizer, ns(3), {reach(1, 0, 4)}).size(), 2U);
}

TEST(Synchronizer, OfOneReleasesAtOnce) {
  Synchronizer synchronizer{Folding{1}, ghz};
  EXPECT_EQ(advance(synchronizer, ns(1), {reach(0, 0, 1)}).at(0).at, ns(2));
}

TEST(Synchronizer, RefusesTheSameArrivalTwice) {
  Synchronizer synchronizer{Folding{2}, ghz};
  advance(synchronizer, ns(1), {reach(0, 0, 1)});
  EXPECT_THROW(advance(synchronizer, ns(2), {reach(0, 0, 2)}), ContractError);
}

TEST(Synchronizer, NamesWhoIsMissing) {
  Synchronizer synchronizer{Folding{4}, ghz};
  EXPECT_THAT(synchronizer.waits_for(), IsEmpty());
  advance(synchronizer, ns(1), {reach(0, 7, 1), reach(2, 7, 3)});
  EXPECT_THAT(synchronizer.waits_for(),
              ElementsAre("synchronizer: barrier 7, reached by 2 of 4, waits for accelerator-1, "
                          "accelerator-3"));
}

TEST(Synchronizer, NamesOnlyTheFirstEightOfManyMissing) {
  Synchronizer synchronizer{Folding{16}, ghz};
  advance(synchronizer, ns(1), {reach(0, 0, 1)});
  auto const lines = synchronizer.waits_for();
  EXPECT_THAT(lines.at(0), testing::EndsWith("accelerator-8 and 7 more"));
}

}  // namespace
}  // namespace tessera::sim
