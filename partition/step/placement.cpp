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
  auto const& addresses = placement.addresses;
  std::vector<std::size_t> placed;  // by address
  placed.reserve(blocks.size());
  for (auto const index : largest_first(blocks)) {
    auto const size = rounded_up(blocks[index].bytes, alignment);
    Bytes address{0};
    for (auto const other : placed) {
      if (!are_together(blocks[index], blocks[other])) continue;
      if (address + size <= addresses[other]) break;
      address = std::max(address, addresses[other] + rounded_up(blocks[other].bytes, alignment));
    }
    placement.addresses[index] = address;
    placement.size = std::max(placement.size, address + size);
    auto const behind =
        std::upper_bound(placed.begin(), placed.end(), address,
                         [&](Bytes a, std::size_t other) { return a < addresses[other]; });
    placed.insert(behind, index);
  }
  return placement;
}

}  // namespace tessera::partition
