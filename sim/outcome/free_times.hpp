// When a unit has time for a task, where tasks are given to it in another order than that in which they arrive.
#pragma once

#include <algorithm>
#include <vector>

#include "arch/base/quantity.hpp"

namespace tessera::sim::outcome {

/// A unit that is at work whenever it has something to do. A task that arrives earlier than one
/// that was given before it takes the time that is left in between, in pieces if need be, and is
/// done when it has had its duration. In order of arrival that is first come, first served.
///
/// Leaves out: gaps of long ago (at least the last `most_gaps` are known).
class FreeTimes final {
 public:
  /// Takes `duration` of the free time from `arrived` on. Returns when the task would have begun if
  /// it had not been interrupted.
  [[nodiscard]] Time take(Time arrived, Time duration) {
    if (arrived < free_) return take_before_free(arrived, duration);
    if (arrived > free_) add_gap({free_, arrived});
    free_ = arrived + duration;
    return arrived;
  }

  /// Free from then on, and not before.
  void restart(Time free) {
    gaps_.clear();
    free_ = free;
  }

 private:
  /// Free time.
  struct Gap {
    Time begin{0};
    Time end{0};
  };
  using Gaps = std::vector<Gap>;
  static constexpr std::size_t most_gaps = 64;

  [[nodiscard]] Time take_before_free(Time arrived, Time duration) {
    auto const first = gap_from(arrived);
    auto gap = first;
    auto end = gap == gaps_.end() ? free_ : gap->begin;
    auto left = duration;
    while (left > Time{0} && gap != gaps_.end()) {
      auto const taken = std::min(left, gap->end - gap->begin);
      left -= taken;
      end = gap->begin += taken;
      if (gap->begin == gap->end) ++gap;
    }
    gaps_.erase(first, gap);
    if (left > Time{0}) end = free_ += left;
    return end - duration;
  }

  void add_gap(Gap gap) {
    if (gaps_.size() >= 2 * most_gaps) gaps_.erase(gaps_.begin(), gaps_.end() - most_gaps);
    gaps_.push_back(gap);
  }

  /// The first gap behind `time`: one that it is in is cut there.
  [[nodiscard]] Gaps::iterator gap_from(Time time) {
    auto gap = gaps_.end();
    while (gap != gaps_.begin() && std::prev(gap)->end > time) --gap;
    if (gap == gaps_.end() || gap->begin >= time) return gap;
    gap = gaps_.insert(gap, {gap->begin, time}) + 1;
    gap->begin = time;
    return gap;
  }

  Gaps gaps_;     ///< in order, before free_
  Time free_{0};  ///< from then on
};

}  // namespace tessera::sim::outcome
