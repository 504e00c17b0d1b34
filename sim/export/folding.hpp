// A run whose steady state is shown as one of its periods: what begins in one of the others is left out, and what comes after them
// moves forward by as much as is missing. A task that reaches over the end of the period that is shown stands for those that reach over
// the end of the last one; they begin a whole number of periods later.
//
// Leaves out to check that all that happens repeats: a steady state is one of the distances between micro-batches
// (sim/model/record/steady_state.hpp).
#pragma once

#include <cstdint>
#include <optional>

#include "arch/base/quantity.hpp"

namespace tessera::sim {

class Folding final {
 public:
  /// Nothing is folded.
  Folding() = default;
  /// All whole periods from `begin` on but the first. Requires period > 0.
  Folding(Time begin, Time end, Time period)
      : begin_{begin + period},
        periods_{(end - begin) / period},
        period_{period},
        end_{begin + periods_ * period} {}

  [[nodiscard]] std::int64_t periods() const { return periods_; }
  /// How much earlier something is shown that begins at `begin`; none: it is left out.
  [[nodiscard]] std::optional<Time> shift(Time begin) const {
    if (periods_ < 2 || begin < begin_) return Time{0};
    if (begin < end_) return std::nullopt;
    return (periods_ - 1) * period_;
  }
  /// The period that is shown.
  [[nodiscard]] Time shown_begin() const { return begin_ - period_; }
  [[nodiscard]] Time shown_end() const { return begin_; }

 private:
  Time begin_{0};  ///< of what is left out
  std::int64_t periods_ = 0;
  Time period_{0};
  Time end_{0};
};

}  // namespace tessera::sim
