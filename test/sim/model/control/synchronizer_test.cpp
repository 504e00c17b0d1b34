// Barriers: nobody goes on before everybody is there.
#include "sim/model/control/synchronizer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/sim/model/protocol/core_harness.hpp"

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

/// Of eight barriers.
Synchronizer::Members everybody(std::size_t accelerators) {
  return Synchronizer::Members{8, std::vector<bool>(accelerators, true)};
}

TEST(Synchronizer, WaitsForTheMembersOfABarrierOnly) {
  Synchronizer::Members members{1, {true, false, true}};
  Synchronizer synchronizer{Folding{3}, ghz.period(), members};
  EXPECT_THAT(advance(synchronizer, ns(1), {reach(2, 0, 12)}), IsEmpty());
  EXPECT_THAT(synchronizer.waits_for(),
              ElementsAre("synchronizer: barrier 0, reached by 1 of 2, waits for accelerator-0"));
  auto const out = advance(synchronizer, ns(5), {reach(0, 0, 10)});
  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[0].port, 0U);
  EXPECT_EQ(out[1].port, 2U);
}

TEST(Synchronizer, RefusesOneThatIsNoMember) {
  Synchronizer::Members members{1, {true, false}};
  Synchronizer synchronizer{Folding{2}, ghz.period(), members};
  EXPECT_THROW(advance(synchronizer, ns(1), {reach(1, 0, 1)}), ContractError);
}

TEST(Synchronizer, ReleasesAllOneClockAfterTheLastArrived) {
  auto const members = everybody(3);
  Synchronizer synchronizer{Folding{3}, ghz.period(), members};
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
  auto const members = everybody(2);
  Synchronizer synchronizer{Folding{2}, ghz.period(), members};
  EXPECT_THAT(advance(synchronizer, ns(1), {reach(0, 0, 1), reach(1, 1, 2)}), IsEmpty());
  EXPECT_EQ(advance(synchronizer, ns(2), {reach(0, 1, 3)}).size(), 2U);
  EXPECT_EQ(advance(synchronizer, ns(3), {reach(1, 0, 4)}).size(), 2U);
}

TEST(Synchronizer, OfOneReleasesAtOnce) {
  auto const members = everybody(1);
  Synchronizer synchronizer{Folding{1}, ghz.period(), members};
  EXPECT_EQ(advance(synchronizer, ns(1), {reach(0, 0, 1)}).at(0).at, ns(2));
}

TEST(Synchronizer, RefusesTheSameArrivalTwice) {
  auto const members = everybody(2);
  Synchronizer synchronizer{Folding{2}, ghz.period(), members};
  advance(synchronizer, ns(1), {reach(0, 0, 1)});
  EXPECT_THROW(advance(synchronizer, ns(2), {reach(0, 0, 2)}), ContractError);
}

TEST(Synchronizer, NamesWhoIsMissing) {
  auto const members = everybody(4);
  Synchronizer synchronizer{Folding{4}, ghz.period(), members};
  EXPECT_THAT(synchronizer.waits_for(), IsEmpty());
  advance(synchronizer, ns(1), {reach(0, 7, 1), reach(2, 7, 3)});
  EXPECT_THAT(synchronizer.waits_for(),
              ElementsAre("synchronizer: barrier 7, reached by 2 of 4, waits for accelerator-1, "
                          "accelerator-3"));
}

TEST(Synchronizer, NamesOnlyTheFirstEightOfManyMissing) {
  auto const members = everybody(16);
  Synchronizer synchronizer{Folding{16}, ghz.period(), members};
  advance(synchronizer, ns(1), {reach(0, 0, 1)});
  auto const lines = synchronizer.waits_for();
  EXPECT_THAT(lines.at(0), testing::EndsWith("accelerator-8 and 7 more"));
}

}  // namespace
}  // namespace tessera::sim
