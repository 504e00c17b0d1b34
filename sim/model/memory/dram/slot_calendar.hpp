// The clocks of a command bus that are taken, ahead of time: a ring of bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tessera::sim {

/// A set of cycles, for questions that never go back before those that were forgotten.
class SlotCalendar final {
 public:
  explicit SlotCalendar(std::size_t words = 64) : taken_(words, 0) {}

  /// The first free cycle from `cycle` on.
  [[nodiscard]] std::int64_t first_free(std::int64_t cycle) const {
    for (auto bit = cycle - origin_; bit < end();) {
      auto const free = ~word(bit) >> (bit % 64);
      if (free != 0) return origin_ + bit + __builtin_ctzll(free);
      bit += 64 - bit % 64;
      cycle = origin_ + bit;
    }
    return cycle;
  }
  void take(std::int64_t cycle) {
    auto const bit = cycle - origin_;
    while (bit >= end()) grow();
    word(bit) |= std::uint64_t{1} << (bit % 64);
  }
  /// No later question is about a cycle before `now`.
  void forget_before(std::int64_t now) {
    auto const bit = now - origin_;
    if (bit >= end()) {
      std::fill(taken_.begin(), taken_.end(), 0);
      begin_ = bit / 64 * 64;
    }
    for (; begin_ + 64 <= bit; begin_ += 64) word(begin_) = 0;
  }
  /// Moves everything by `by`.
  void shift(std::int64_t by) { origin_ += by; }
  /// Every cycle from `now` on that is taken, in order.
  template <typename Visit>
  void visit_from(std::int64_t now, Visit visit) const {
    auto const first = std::max(now - origin_, begin_);
    for (auto bit = first; bit < end(); bit += 64 - bit % 64) {
      for (auto left = word(bit) >> (bit % 64) << (bit % 64); left != 0; left &= left - 1) {
        visit(origin_ + bit - bit % 64 + __builtin_ctzll(left));
      }
    }
  }

 private:
  // Bits are counted from the origin, and the ring holds those from begin_ to end().
  [[nodiscard]] std::int64_t end() const {
    return begin_ + 64 * static_cast<std::int64_t>(taken_.size());
  }
  [[nodiscard]] std::size_t place_of(std::int64_t bit) const {
    return static_cast<std::size_t>(bit) / 64 & (taken_.size() - 1);
  }
  [[nodiscard]] std::uint64_t const& word(std::int64_t bit) const { return taken_[place_of(bit)]; }
  [[nodiscard]] std::uint64_t& word(std::int64_t bit) { return taken_[place_of(bit)]; }
  /// Rare, and so out of line.
  [[gnu::noinline]] void grow() {
    std::vector<std::uint64_t> const before = taken_;
    taken_.assign(2 * before.size(), 0);
    for (std::size_t i = 0; i < before.size(); ++i) {
      auto const bit = begin_ + 64 * static_cast<std::int64_t>(i);
      word(bit) = before[static_cast<std::size_t>(bit / 64) & (before.size() - 1)];
    }
  }

  std::vector<std::uint64_t> taken_;  ///< a power of two of words
  std::int64_t origin_ = 0;
  std::int64_t begin_ = 0;  ///< a multiple of 64
};

}  // namespace tessera::sim
