// Spreads things that overlap in time over lanes, in each of which nothing does.
//
// They come in the order of their ends, as a run file has its tasks. Each goes to the lane that became free last before it begins
// (best fit), which takes as few lanes as there are things at once: what keeps k of k lanes busy at its begin overlaps it, as all of
// them end before it does. Only the end of the last thing of each lane is kept.
#pragma once

#include <cstddef>
#include <vector>

#include "arch/base/quantity.hpp"

namespace tessera::sim {

class Lanes final {
 public:
  /// The lane of what is busy from `begin` to `end`.
  [[nodiscard]] std::size_t take(Time begin, Time end) {
    std::size_t best = ends_.size();
    for (std::size_t lane = 0; lane < ends_.size(); ++lane) {
      bool const is_free = ends_[lane] <= begin;
      if (is_free && (best == ends_.size() || ends_[lane] > ends_[best])) best = lane;
    }
    if (best == ends_.size()) ends_.push_back(end);
    ends_[best] = end;
    return best;
  }
  [[nodiscard]] std::size_t count() const { return ends_.size(); }

 private:
  std::vector<Time> ends_;
};

}  // namespace tessera::sim
