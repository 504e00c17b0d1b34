#include "partition/step/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace tessera::partition {
namespace {

std::vector<MemoryBlock> random_blocks(std::mt19937_64& random) {
  std::vector<MemoryBlock> blocks;
  auto const count = 1 + random() % 60;
  for (std::size_t i = 0; i < count; ++i) {
    auto const begin = static_cast<std::int64_t>(random() % 100);
    auto const length = static_cast<std::int64_t>(random() % (random() % 2 == 0 ? 4 : 80));
    auto const bytes = static_cast<std::int64_t>(1 + random() % 1000);
    blocks.push_back({Bytes{bytes}, begin, begin + length});
  }
  return blocks;
}

TEST(Placement, BlocksThatAreThereTogetherDoNotOverlap) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    auto const blocks = random_blocks(random);
    Bytes const alignment{1 + static_cast<std::int64_t>(random() % 64)};
    auto const placement = place(blocks, alignment);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      auto const begin = placement.addresses[i];
      EXPECT_EQ(begin.value() % alignment.value(), 0);
      EXPECT_LE(begin + blocks[i].bytes, placement.size);
      for (std::size_t j = 0; j < i; ++j) {
        bool const together = blocks[i].begin <= blocks[j].end && blocks[j].begin <= blocks[i].end;
        if (!together) continue;
        auto const other = placement.addresses[j];
        EXPECT_TRUE(begin + blocks[i].bytes <= other || other + blocks[j].bytes <= begin);
      }
    }
    EXPECT_GE(placement.size, most_at_once(blocks, alignment));
  }
}

/// In the order in which they get their addresses: the largest first, of equal ones the one that
/// begins first.
std::vector<std::size_t> turns_of(std::vector<MemoryBlock> const& blocks) {
  std::vector<std::size_t> turns(blocks.size());
  std::iota(turns.begin(), turns.end(), std::size_t{0});
  std::stable_sort(turns.begin(), turns.end(), [&](std::size_t a, std::size_t b) {
    bool const is_equal = blocks[a].bytes == blocks[b].bytes;
    return is_equal ? blocks[a].begin < blocks[b].begin : blocks[a].bytes > blocks[b].bytes;
  });
  return turns;
}

/// The lowest aligned address where a block lies on none of `others` that are there with it.
Bytes lowest_free(std::size_t block, std::vector<std::size_t> const& others,
                  std::vector<MemoryBlock> const& blocks, Placement const& placement,
                  Bytes alignment) {
  std::vector<bool> taken(static_cast<std::size_t>(placement.size.value()), false);
  for (auto const other : others) {
    bool const together =
        blocks[block].begin <= blocks[other].end && blocks[other].begin <= blocks[block].end;
    if (!together) continue;
    auto const begin = taken.begin() + placement.addresses[other].value();
    std::fill(begin, begin + blocks[other].bytes.value(), true);
  }
  for (std::int64_t address = 0;; address += alignment.value()) {
    auto const begin = taken.begin() + std::min(address, placement.size.value());
    auto const end =
        taken.begin() + std::min(address + blocks[block].bytes.value(), placement.size.value());
    if (std::find(begin, end, true) == end) return Bytes{address};
  }
}

void expect_lowest_addresses(std::vector<MemoryBlock> const& blocks, Bytes alignment) {
  auto const placement = place(blocks, alignment);
  std::vector<std::size_t> placed;
  for (auto const block : turns_of(blocks)) {
    ASSERT_EQ(placement.addresses[block], lowest_free(block, placed, blocks, placement, alignment))
        << block;
    placed.push_back(block);
  }
}

TEST(Placement, EveryBlockInItsTurnHasTheLowestFreeAddress) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    auto const blocks = random_blocks(random);
    expect_lowest_addresses(blocks, Bytes{1 + static_cast<std::int64_t>(random() % 64)});
  }
}

/// Some kept from a way forward to the way back, some there for a while: more than a run holds.
TEST(Placement, SoDoThousandsOfWhichMostAreThereTogether) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    std::vector<MemoryBlock> blocks;
    for (std::int64_t layer = 0; layer < 2000; ++layer) {
      Bytes const size{1 + static_cast<std::int64_t>(random() % 4)};
      bool const is_kept = random() % 8 != 0;
      auto const begin = is_kept ? layer : static_cast<std::int64_t>(random() % 4000);
      blocks.push_back({size, begin, is_kept ? 4000 - layer : begin + 300});
    }
    expect_lowest_addresses(blocks, Bytes{1 + static_cast<std::int64_t>(random() % 2)});
  }
}

TEST(Placement, MostAtOnceIsThatOfTheFullestMoment) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    auto const blocks = random_blocks(random);
    Bytes most{0};
    for (std::int64_t moment = 0; moment < 200; ++moment) {
      Bytes alive{0};
      for (auto const& block : blocks) {
        if (block.begin <= moment && moment <= block.end) alive += block.bytes;
      }
      most = std::max(most, alive);
    }
    EXPECT_EQ(most_at_once(blocks, Bytes{1}), most);
  }
}

/// What is kept on the way forward goes in the opposite order on the way back; beside it errors.
TEST(Placement, OfWhatIsKeptThereAndBackHasFewGaps) {
  std::vector<MemoryBlock> blocks;
  for (std::int64_t layer = 0; layer < 10; ++layer) {
    Bytes const size{100 * (10 - layer)};
    blocks.push_back({size, layer, 30 - layer});       // an input
    blocks.push_back({size, 29 - layer, 30 - layer});  // its error, until the one before
  }
  auto const most = most_at_once(blocks, Bytes{1});
  EXPECT_EQ(most, Bytes{5900});
  EXPECT_LE(place(blocks, Bytes{1}).size.value(), most.value() * 107 / 100);
}

TEST(Placement, LargeBlocksBeginAtMultiplesOfTheirOwn) {
  Alignment const alignment{Bytes{10}, Bytes{100}};
  // An odd size of a large one does not move the next one.
  auto const placement =
      place({{Bytes{6'405}, 0, 9}, {Bytes{7'001}, 0, 9}, {Bytes{6'399}, 0, 9}}, alignment);
  EXPECT_EQ(placement.addresses[1], Bytes{0});
  EXPECT_EQ(placement.addresses[0], Bytes{7'100});
  EXPECT_EQ(placement.addresses[2], Bytes{13'600});
  EXPECT_EQ(placement.size, Bytes{13'600 + 6'400});
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    auto const blocks = random_blocks(random);
    Alignment const small{Bytes{2}, Bytes{8}};
    auto const placed = place(blocks, small);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      EXPECT_EQ(placed.addresses[i].value() % (blocks[i].bytes.value() >= 8 * 64 ? 8 : 2), 0);
    }
  }
}

TEST(Placement, AFreeAddressIsUsedAgain) {
  std::vector<MemoryBlock> const blocks = {
      {Bytes{100}, 0, 1}, {Bytes{50}, 0, 9}, {Bytes{80}, 2, 9}};
  auto const placement = place(blocks, Bytes{10});
  EXPECT_EQ(placement.addresses[2], placement.addresses[0]);
  EXPECT_EQ(placement.size, Bytes{150});
}

}  // namespace
}  // namespace tessera::partition
