// The clocks of a command bus that are taken, ahead of time.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::sim {

/// A set of cycles, for questions that never go back before the `past` of the last one.
class SlotCalendar final {
 public:
  explicit SlotCalendar(std::size_t size = 4096) : taken_(size, -1) {}

  /// The first free cycle from `cycle` on.
  [[nodiscard]] std::int64_t first_free(std::int64_t cycle) const {
    while (taken_[place(cycle)] == cycle) ++cycle;
    return cycle;
  }
  /// `past`: no later question is about a cycle before this one.
  void take(std::int64_t cycle, std::int64_t past) {
    while (cycle - past >= static_cast<std::int64_t>(taken_.size())) grow();
    taken_[place(cycle)] = cycle;
  }
  void shift(std::int64_t by) {
    std::vector<std::int64_t> const before = taken_;
    taken_.assign(before.size(), -1);
    for (auto const cycle : before) {
      if (cycle >= 0) taken_[place(cycle + by)] = cycle + by;
    }
  }
  /// Every cycle from `now` on that is taken, in order.
  template <typename Visit>
  void visit_from(std::int64_t now, Visit visit) const {
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      auto const cycle = now + static_cast<std::int64_t>(i);
      if (taken_[place(cycle)] == cycle) visit(cycle);
    }
  }

 private:
  [[nodiscard]] std::size_t place(std::int64_t cycle) const {
    return static_cast<std::size_t>(cycle) & (taken_.size() - 1);
  }
  void grow() {
    std::vector<std::int64_t> const before = taken_;
    taken_.assign(2 * before.size(), -1);
    for (auto const cycle : before) {
      if (cycle >= 0) taken_[place(cycle)] = cycle;
    }
  }

  std::vector<std::int64_t> taken_;  ///< a power of two of places
};

}  // namespace tessera::sim
