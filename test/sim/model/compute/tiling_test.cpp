// The tiling with the least traffic, and the stalls of its tiles against a walk tile by tile.
#include "sim/model/compute/tiling.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "arch/base/config_error.hpp"
#include "sim/model/compute/tile_stream.hpp"
#include "test/support/compute/tile_twin.hpp"
#include "test/support/draw.hpp"

namespace tessera::sim {
namespace {

using test::Draw;

Gemm any_gemm(Draw& draw, std::int64_t most) {
  return {draw(1, 3), draw(1, most), draw(1, most), draw(1, most)};
}

TileRules rules(std::int64_t bytes, std::int64_t banks = 16, arch::TilePadding granule = {}) {
  return {{Bytes{bytes}, banks}, granule, Bytes{2}, Bytes{4}, {}};
}

constexpr auto orders = {Tiling::Outer::m, Tiling::Outer::n};

Cycles no_time(Gemm const& /*tile*/) { return Cycles{0}; }
Cycles a_cycle_per_mac(Gemm const& tile) { return Cycles{tile.macs().value()}; }

TEST(Tiling, NoOtherTilingMovesLess) {
  Draw draw{30};
  for (int trial = 0; trial < 150; ++trial) {
    auto const gemm = any_gemm(draw, 12);
    arch::TilePadding const granule{1, draw(1, 3), draw(1, 3), draw(1, 3)};
    auto const rule = rules(16 * draw(12, 60), 16, granule);
    if (!fits(rule, {1, 1, 1, 1})) continue;
    auto const chosen = choose_tiling(rule, gemm);
    ASSERT_TRUE(fits(rule, chosen.tile));
    auto least = traffic_of(rule, gemm, chosen);
    for (Gemm tile{1, 1, 1, 1}; tile.m <= gemm.m; ++tile.m) {
      for (tile.n = 1; tile.n <= gemm.n; ++tile.n) {
        for (tile.k = 1; tile.k <= gemm.k; ++tile.k) {
          if (!fits(rule, tile)) continue;
          for (auto const outer : orders) {
            ASSERT_LE(least, traffic_of(rule, gemm, {tile, outer})) << trial;
          }
        }
      }
    }
  }
}

TEST(Tiling, AProductThatFitsIsOneTileAndMovesOnce) {
  Gemm const gemm{4, 100, 200, 300};
  auto const tiling = choose_tiling(rules(1 << 20), gemm);
  EXPECT_EQ(tiling.tile, (Gemm{1, 100, 200, 300}));
  EXPECT_EQ(traffic_of(rules(1 << 20), gemm, tiling),
            Bytes{2 * 4 * (100 * 300 + 300 * 200 + 100 * 200)});
}

TEST(Tiling, TilesComeInWholeGranulesUnlessTheProductEnds) {
  auto const rule = rules(1 << 18, 64, {1, 8, 128, 128});
  Gemm const gemm{1, 1000, 1000, 1000};
  auto const tile = choose_tiling(rule, gemm).tile;
  EXPECT_EQ(tile.m % 8, 0);
  EXPECT_TRUE(tile.n % 128 == 0 || tile.n == 1000);
  EXPECT_TRUE(tile.k % 128 == 0 || tile.k == 1000);
  EXPECT_EQ(padded({1, 147, 64, 9}, {1, 8, 128, 128}), (Gemm{1, 152, 128, 128}));
}

TEST(Tiling, AScratchpadTooSmallForAGranuleIsTheUsersFault) {
  EXPECT_THROW(static_cast<void>(choose_tiling(rules(1024, 16, {1, 8, 128, 128}), {1, 64, 64, 64})),
               ConfigError);
  // Six banks hold a pair of each; five do not.
  EXPECT_TRUE(fits(rules(6 * 64, 6), {1, 1, 1, 1}));
  EXPECT_FALSE(fits(rules(5 * 64, 5), {1, 1, 1, 1}));
}

TEST(TileStream, TakesTheCyclesOfAWalkTileByTile) {
  Draw draw{31};
  for (int trial = 0; trial < 20'000; ++trial) {
    auto const gemm = any_gemm(draw, 9);
    Gemm const tile{1, draw(1, gemm.m), draw(1, gemm.n), draw(1, gemm.k)};
    Tiling const tiling{tile, draw(0, 1) == 0 ? Tiling::Outer::m : Tiling::Outer::n};
    auto const rule = rules(1 << 20);
    MemoryPort const memory{Frequency{1'000'000}, Bandwidth{1'000'000 * draw(1, 64)}};
    auto const slow = draw(1, 5);
    auto const compute = [slow](Gemm const& part) { return Cycles{part.macs().value() / slow}; };
    TileTimes const times{compute, Cycles{draw(0, 9)}};
    auto const fast = stream(rule, gemm, tiling, memory, times);
    auto const twin = run_tile_twin(rule, gemm, tiling, memory, times);
    ASSERT_EQ(fast.cycles, twin.cycles) << trial;
    ASSERT_EQ(fast.computed, twin.computed);
    ASSERT_EQ(fast.stalled, twin.stalled);
    ASSERT_EQ(fast.draining, twin.draining);
    ASSERT_EQ(fast.traffic, twin.traffic);
    ASSERT_EQ(fast.tiles, twin.tiles);
  }
}

TEST(TileStream, TakesTheCyclesOfAPassTileByTile) {
  Draw draw{33};
  for (int trial = 0; trial < 2000; ++trial) {
    auto const tile = [&draw] {
      return PassTile{Bytes{draw(1, 50)}, Cycles{draw(0, 60)}, Bytes{draw(0, 50)}};
    };
    auto const whole = tile();
    auto const last = tile();
    std::vector<PassTile> tiles(static_cast<std::size_t>(draw(0, 12)), whole);
    tiles.push_back(last);
    MemoryPort const memory{Frequency{1'000}, Bandwidth{1'000 * draw(1, 16)}};
    auto const count = static_cast<std::int64_t>(tiles.size());
    auto const fast = stream(whole, last, count, memory);
    auto const twin = run_tile_twin(tiles, memory);
    ASSERT_EQ(fast.cycles, twin.cycles) << trial;
    ASSERT_EQ(fast.computed, twin.computed);
    ASSERT_EQ(fast.stalled, twin.stalled);
    ASSERT_EQ(fast.draining, twin.draining);
    ASSERT_EQ(fast.traffic, twin.traffic);
    ASSERT_EQ(fast.tiles, count);
  }
}

TEST(TileStream, OnlyTheFirstTileIsLateWhenMemoryIsFast) {
  // 4 tiles of 2 x 2 x 4; 8 elements of 2 B each way at 1 B per cycle: 16 for A, 16 for B.
  Gemm const gemm{1, 4, 4, 4};
  MemoryPort const memory{Frequency{1'000}, Bandwidth{8'000}};
  auto const slow_array = [](Gemm const& /*tile*/) { return Cycles{1000}; };
  auto const cost =
      stream(rules(1024), gemm, {{1, 2, 2, 4}, Tiling::Outer::m}, memory, {slow_array, Cycles{0}});
  EXPECT_EQ(cost.stalled, Cycles{32});
  EXPECT_EQ(cost.draining, Cycles{8});  // the last block: 4 elements
  EXPECT_EQ(cost.cycles, Cycles{32 + 4 * 1000 + 8});
}

TEST(TileStream, MemoryIsNeverIdleWhenTheArrayIsFast) {
  Draw draw{32};
  for (int trial = 0; trial < 100; ++trial) {
    auto const gemm = any_gemm(draw, 30);
    auto const rule = rules(1 << 10);
    auto const tiling = choose_tiling(rule, gemm);
    MemoryPort const memory{Frequency{1'000}, Bandwidth{8'000}};  // a byte per cycle
    EXPECT_EQ(stream(rule, gemm, tiling, memory, {no_time, Cycles{0}}).cycles,
              Cycles{traffic_of(rule, gemm, tiling).value()});
  }
}

TEST(TileStream, WhatTakesLongerThanCyclesCanBeCountedIsTheUsersFault) {
  Gemm const gemm{1, 1'000'000'000, 1'000'000, 1};
  auto const rule = rules(1 << 20);
  auto const tiling = choose_tiling(rule, gemm);
  MemoryPort const slow{Frequency{1'000'000'000}, Bandwidth{1}};
  EXPECT_THROW(static_cast<void>(stream(rule, gemm, tiling, slow, {no_time, Cycles{0}})),
               ConfigError);
}

TEST(TileStream, MoreBandwidthNeverCosts) {
  Gemm const gemm{2, 300, 200, 500};
  auto const rule = rules(1 << 14);
  auto const tiling = choose_tiling(rule, gemm);
  auto previous = Cycles{std::numeric_limits<std::int64_t>::max()};
  for (std::int64_t rate = 1; rate < 4096; rate *= 2) {
    MemoryPort const memory{Frequency{1'000}, Bandwidth{1'000 * rate}};
    auto const cost = stream(rule, gemm, tiling, memory, {a_cycle_per_mac, Cycles{0}});
    EXPECT_LE(cost.cycles, previous);
    EXPECT_EQ(cost.cycles, cost.computed + cost.stalled + cost.draining);
    EXPECT_EQ(cost.computed, Cycles{gemm.macs().value()});
    previous = cost.cycles;
  }
}

}  // namespace
}  // namespace tessera::sim
