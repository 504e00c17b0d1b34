// How busy a resource was over time, in at most 256 bins, without knowing beforehand how long the run will be.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "arch/base/quantity.hpp"

namespace tessera::sim {

/// Intervals in their order, none before the end of another; what touches is one.
class BusyIntervals final {
 public:
  struct Interval {
    Time begin{0};
    Time end{0};
  };

  /// Requires that `begin` is not before the end of the last one.
  void add(Time begin, Time end);
  [[nodiscard]] std::vector<Interval> const& all() const { return intervals_; }

  /// How much of them is before `time`. Requires seal() behind the last one.
  [[nodiscard]] Time before(Time time) const;
  /// Of all together. Likewise.
  [[nodiscard]] Time total() const;
  void seal();

 private:
  std::vector<Interval> intervals_;
  std::vector<Time> busy_before_;  ///< by interval, once sealed: all earlier ones together
};

/// Bins of equal width from time 0 on. When something happens past the last bin, neighbours are
/// merged and the width doubles, so the width is always a power of two picoseconds and no
/// picosecond is lost: the sum of the bins is the sum of what was added, in any order of adding.
class BusyHistogram final {
 public:
  static constexpr std::size_t bin_count = 256;

  /// Adds the picoseconds of [begin, end). Requires 0 <= begin <= end.
  void add(Time begin, Time end);
  /// Adds all intervals, `by` later: bin by bin, however many they are.
  void add(BusyIntervals const& intervals, Time by);

  /// Adds all of another one, so many times.
  void add(BusyHistogram const& other, std::int64_t times);

  /// From now on what is added is also written down, until take_record().
  void record() { record_.emplace(); }
  [[nodiscard]] BusyIntervals take_record() {
    record_->seal();
    return *std::exchange(record_, std::nullopt);
  }

  /// Widens until one of the 256 bins ends at or after `end`.
  void cover(Time end);

  [[nodiscard]] Time width() const { return Time{std::int64_t{1} << width_bits_}; }
  /// The bins up to `end`, or to the last picosecond that was added if that is later (what was
  /// reserved when a run was broken off). Requires cover(end).
  [[nodiscard]] std::vector<Time> bins(Time end) const;
  [[nodiscard]] Time total() const;

 private:
  void merge_neighbours();

  unsigned width_bits_ = 0;  ///< logarithm of the width in picoseconds
  Time last_{0};             ///< the end of the last interval
  std::optional<BusyIntervals> record_;
  std::vector<Time> bins_ = std::vector<Time>(bin_count);
};

}  // namespace tessera::sim
