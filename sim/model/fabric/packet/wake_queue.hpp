// Who wakes when: at most one time for each of a fixed number of sleepers, earliest first.
//
// A hierarchical timing wheel (Varghese and Lauck, SOSP 1987): 64 slots a level, level k holds times that differ from now in their
// k-th group of six bits and in none above. Setting, moving and popping take a few operations each, whatever the distance in time;
// nothing is allocated after construction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tessera::sim {

using Tick = std::int64_t;  ///< clock cycles or picoseconds: the models of fabrics run in either

inline constexpr Tick never = std::numeric_limits<Tick>::max();

class WakeQueue final {
 public:
  explicit WakeQueue(std::size_t sleepers);

  /// Sets when `sleeper` wakes, at `now()` or later; replaces what was set before.
  void set(std::uint32_t sleeper, Tick time);
  /// The same, unless it wakes before that anyway.
  void set_at_most(std::uint32_t sleeper, Tick time) {
    if (time < time_[sleeper]) set(sleeper, time);
  }

  /// When the next one wakes; never if none does.
  [[nodiscard]] Tick next_time() {
    if (!next_is_known_) {
      known_next_ = (occupied_levels_ & 1U) != 0 ? earliest_of_level_0() : find_next_time();
      next_is_known_ = true;
    }
    return known_next_;
  }
  /// Takes one that wakes at next_time(), which becomes now(). Requires that there is one.
  [[nodiscard]] std::uint32_t pop();

  [[nodiscard]] Tick now() const { return now_; }

 private:
  static constexpr std::size_t bits = 6;
  static constexpr std::size_t slots = std::size_t{1} << bits;
  static constexpr std::size_t levels = 11;  // 66 bits
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// Requires somebody there.
  [[nodiscard]] Tick earliest_of_level_0() const {
    auto const place = static_cast<std::uint64_t>(__builtin_ctzll(occupied_[0]));
    return static_cast<Tick>((static_cast<std::uint64_t>(now_) & ~(slots - 1)) | place);
  }
  void insert(std::uint32_t sleeper);
  void remove(std::uint32_t sleeper);
  void spread(std::size_t level);
  /// Requires somebody.
  [[nodiscard]] std::uint32_t first_of_earliest_slot() const;

  [[nodiscard]] Tick find_next_time() const;

  Tick now_ = 0;
  Tick known_next_ = never;  ///< the earliest time, unless `next_is_known_` is false
  bool next_is_known_ = true;
  std::array<std::uint64_t, levels> occupied_{};
  std::uint32_t occupied_levels_ = 0;
  std::vector<std::uint32_t> first_;     ///< of each slot
  std::vector<Tick> time_;               ///< of each sleeper
  std::vector<std::uint32_t> next_;      ///< in its slot
  std::vector<std::uint32_t> previous_;  ///< in its slot; none for the first
  std::vector<std::uint16_t> slot_;
};

}  // namespace tessera::sim
