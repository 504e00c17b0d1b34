#include "partition/step/placement.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace tessera::partition {

namespace {

/// A block that has its address.
struct PlacedBlock {
  Bytes address{0};
  Bytes end{0};
  MemoryBlock block;

  [[nodiscard]] bool is_together_with(MemoryBlock const& other) const {
    return block.begin <= other.end && other.begin <= block.end;
  }
};

/// Blocks in the order of their addresses, and what they have in common: a block that is there
/// together with all of them, or with none, passes them in one step.
class Run final {
 public:
  explicit Run(std::vector<PlacedBlock> blocks) : blocks_{std::move(blocks)} { summarise(); }

  [[nodiscard]] std::size_t size() const { return blocks_.size(); }
  [[nodiscard]] Bytes first_address() const { return blocks_.front().address; }

  void insert(PlacedBlock const& placed) {
    auto const behind = std::upper_bound(
        blocks_.begin(), blocks_.end(), placed.address,
        [](Bytes address, PlacedBlock const& other) { return address < other.address; });
    bool const is_last = behind == blocks_.end();
    blocks_.insert(behind, placed);
    if (is_last) {
      add(placed);
    } else {
      summarise();
    }
  }

  /// Leaves the first half here.
  [[nodiscard]] Run split() {
    auto const middle = blocks_.begin() + static_cast<std::ptrdiff_t>(size() / 2);
    Run rest{{middle, blocks_.end()}};
    blocks_.erase(middle, blocks_.end());
    summarise();
    return rest;
  }

  /// Whether `block` finds `size` bytes from `address` on before one of these blocks; `address` is
  /// moved up, past those that are in its way.
  [[nodiscard]] bool fits(MemoryBlock const& block, Bytes size, Bytes& address) const {
    bool const is_apart = block.end < first_begin_ || last_end_ < block.begin;
    if (is_apart) return false;
    bool const is_together = last_begin_ <= block.end && block.begin <= first_end_;
    if (is_together && largest_gap_ < size) {
      if (address + size <= first_address()) return true;
      address = std::max(address, end_);
      return false;
    }
    for (auto const& placed : blocks_) {
      if (!placed.is_together_with(block)) continue;
      if (address + size <= placed.address) return true;
      address = std::max(address, placed.end);
    }
    return false;
  }

 private:
  void summarise() {
    auto const& first = blocks_.front();
    end_ = first.end;
    largest_gap_ = Bytes{0};
    first_begin_ = last_begin_ = first.block.begin;
    first_end_ = last_end_ = first.block.end;
    for (auto const& placed : blocks_) add(placed);
  }

  /// To what those before it have in common.
  void add(PlacedBlock const& placed) {
    auto const& [address, end, block] = placed;
    largest_gap_ = std::max(largest_gap_, address - end_);
    end_ = std::max(end_, end);
    first_begin_ = std::min(first_begin_, block.begin);
    last_begin_ = std::max(last_begin_, block.begin);
    first_end_ = std::min(first_end_, block.end);
    last_end_ = std::max(last_end_, block.end);
  }

  std::vector<PlacedBlock> blocks_;  ///< at least one
  Bytes end_{0};                     ///< the highest
  Bytes largest_gap_{0};             ///< of addresses where none of them lies
  std::int64_t first_begin_ = 0;
  std::int64_t last_begin_ = 0;
  std::int64_t first_end_ = 0;
  std::int64_t last_end_ = 0;
};

/// All that have their addresses. Activations of deep networks are there all at once: with runs
/// each costs the root of their number, where they were looked at one by one.
class PlacedBlocks final {
 public:
  /// Of so many blocks, once all are placed.
  explicit PlacedBlocks(std::size_t blocks)
      : most_in_run_{2 + static_cast<std::size_t>(std::sqrt(blocks))} {}

  [[nodiscard]] Bytes lowest_free(MemoryBlock const& block, Bytes size) const {
    Bytes address{0};
    for (auto const& run : runs_) {
      if (run.fits(block, size, address)) break;
    }
    return address;
  }

  void insert(PlacedBlock const& placed) {
    if (runs_.empty()) {
      runs_.push_back(Run{{placed}});
      return;
    }
    auto run = std::upper_bound(
        runs_.begin(), runs_.end(), placed.address,
        [](Bytes address, Run const& other) { return address < other.first_address(); });
    if (run != runs_.begin()) --run;
    run->insert(placed);
    if (run->size() > most_in_run_) {
      auto rest = run->split();
      runs_.insert(run + 1, std::move(rest));
    }
  }

 private:
  std::size_t most_in_run_;
  std::vector<Run> runs_;  ///< by address
};

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

Bytes most_at_once(std::vector<MemoryBlock> const& blocks, Alignment const& alignment) {
  std::vector<std::tuple<std::int64_t, Bytes>> changes;  // what ends goes after the moment
  changes.reserve(2 * blocks.size());
  for (auto const& block : blocks) {
    auto const size = alignment.rounded(block.bytes);
    changes.emplace_back(2 * block.begin, size);
    changes.emplace_back(2 * block.end + 1, Bytes{0} - size);
  }
  std::sort(changes.begin(), changes.end());
  Bytes alive{0};
  Bytes most{0};
  for (auto const& [moment, change] : changes) most = std::max(most, alive += change);
  return most;
}

Placement place(std::vector<MemoryBlock> const& blocks, Alignment const& alignment) {
  Placement placement{std::vector<Bytes>(blocks.size()), Bytes{0}};
  PlacedBlocks placed{blocks.size()};
  for (auto const index : largest_first(blocks)) {
    auto const size = alignment.rounded(blocks[index].bytes);
    auto const address = placed.lowest_free(blocks[index], size);
    placement.addresses[index] = address;
    placement.size = std::max(placement.size, address + size);
    placed.insert({address, address + size, blocks[index]});
  }
  return placement;
}

}  // namespace tessera::partition
