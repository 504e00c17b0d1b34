// Places of packets that are under way.
#include "sim/model/fabric/packet/packet_pool.hpp"

#include <gtest/gtest.h>

namespace tessera::sim {
namespace {

TEST(PacketPool, UsesThePlaceOfAnArrivedPacketAgain) {
  PacketPool pool;
  auto const first = pool.add(5, 0, {0, 3, 7, 42});
  auto const second = pool.add(6, 1, {1, 2, 8, 43});
  EXPECT_NE(first, second);
  pool[first].injected = 9;
  pool[first].hops = 2;
  auto const delivery = pool.remove(first, 20);
  EXPECT_EQ(delivery.tag, 42U);
  EXPECT_EQ(delivery.hops, 2U);
  EXPECT_EQ(delivery.created, 5);
  EXPECT_EQ(delivery.injected, 9);
  EXPECT_EQ(delivery.delivered, 20);
  EXPECT_EQ(pool.add(21, 2, {1, 0, 9, 44}), first);
  EXPECT_EQ(pool[first].hops, 0U);
  EXPECT_EQ(pool[first].size, 9U);
  EXPECT_EQ(pool[second].size, 8U);
}

TEST(PacketPool, GivesEveryPacketUnderWayAPlaceOfItsOwn) {
  PacketPool pool;
  for (std::uint32_t tag = 0; tag < 3; ++tag) EXPECT_EQ(pool.add(0, tag, {0, 1, 1, tag}), tag);
  for (std::uint32_t index : {1U, 0U}) EXPECT_EQ(pool.remove(index, 1).tag, index);
  auto const a = pool.add(2, 3, {0, 1, 1, 3});
  auto const b = pool.add(2, 4, {0, 1, 1, 4});
  auto const c = pool.add(2, 5, {0, 1, 1, 5});
  EXPECT_EQ(pool[a].tag, 3U);
  EXPECT_EQ(pool[b].tag, 4U);
  EXPECT_EQ(pool[c].tag, 5U);
  EXPECT_EQ(pool[2].tag, 2U);
}

}  // namespace
}  // namespace tessera::sim
