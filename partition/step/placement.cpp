#include "partition/step/placement.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace tessera::partition {

namespace {

Bytes rounded_up(Bytes bytes, Bytes alignment) { return alignment * ceil_ratio(bytes, alignment); }

bool are_together(MemoryBlock const& a, MemoryBlock const& b) {
  return a.begin <= b.end && b.begin <= a.end;
}

/// Of a memory, end excluded.
struct Occupied {
  Bytes begin{0};
  Bytes end{0};
};

/// The lowest address with room below or behind what is occupied.
Bytes lowest(std::vector<Occupied>& occupied, Bytes size) {
  std::sort(occupied.begin(), occupied.end(),
            [](Occupied const& a, Occupied const& b) { return a.begin < b.begin; });
  Bytes address{0};
  for (auto const& range : occupied) {
    if (address + size <= range.begin) break;
    address = std::max(address, range.end);
  }
  return address;
}

std::vector<std::size_t> largest_first(std::vector<MemoryBlock> const& blocks) {
  std::vector<std::size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::make_tuple(blocks[b].bytes, blocks[a].begin) <
           std::make_tuple(blocks[a].bytes, blocks[b].begin);
  });
  return order;
}

}  // namespace

Bytes most_at_once(std::vector<MemoryBlock> const& blocks, Bytes alignment) {
  std::vector<std::tuple<std::int64_t, Bytes>> changes;  // what ends goes after the moment
  changes.reserve(2 * blocks.size());
  for (auto const& block : blocks) {
    auto const size = rounded_up(block.bytes, alignment);
    changes.emplace_back(2 * block.begin, size);
    changes.emplace_back(2 * block.end + 1, Bytes{0} - size);
  }
  std::sort(changes.begin(), changes.end());
  Bytes alive{0};
  Bytes most{0};
  for (auto const& [moment, change] : changes) most = std::max(most, alive += change);
  return most;
}

Placement place(std::vector<MemoryBlock> const& blocks, Bytes alignment) {
  Placement placement{std::vector<Bytes>(blocks.size()), Bytes{0}};
  std::vector<std::size_t> placed;
  placed.reserve(blocks.size());
  for (auto const index : largest_first(blocks)) {
    std::vector<Occupied> occupied;
    for (auto const other : placed) {
      if (!are_together(blocks[index], blocks[other])) continue;
      auto const begin = placement.addresses[other];
      occupied.push_back({begin, begin + rounded_up(blocks[other].bytes, alignment)});
    }
    auto const size = rounded_up(blocks[index].bytes, alignment);
    placement.addresses[index] = lowest(occupied, size);
    placement.size = std::max(placement.size, placement.addresses[index] + size);
    placed.push_back(index);
  }
  return placement;
}

}  // namespace tessera::partition
