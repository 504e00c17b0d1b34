// What links have yet to carry, where transfers of several rounds share them with others.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/outcome/free_times.hpp"
#include "sim/outcome/round_times.hpp"

namespace tessera::sim::outcome {

/// A link is at work as long as a transfer has begun there that it has not carried.
class LinkQueues final {
 public:
  /// All must outlive it.
  LinkQueues(Blueprint const& blueprint, TransferShapes const& shapes)
      : graph_{blueprint.schedule.graph()},
        shapes_{shapes},
        free_(blueprint.topology.links().size()),
        carried_{graph_.size()} {}

  void clear() { std::fill(free_.begin(), free_.end(), FreeTimes{}); }

  /// A transfer enters its first link at `begun`.
  void begin(TaskId transfer, Time begun, RoundLengths const& lengths) {
    auto const link = shapes_.leaves_on(transfer);
    if (!link) return;
    auto const load = lengths.first[shapes_.of(transfer)] * graph_.at(transfer).rounds;
    carried_[transfer] = free_[link->index()].take(begun, load) + load;
  }

  /// When the link of a transfer has carried it, behind all that began there before it.
  [[nodiscard]] Time carried(TaskId transfer) const { return carried_[transfer]; }

 private:
  TaskGraph const& graph_;
  TransferShapes const& shapes_;
  std::vector<FreeTimes> free_;  ///< by link
  IdVector<TaskId, Time> carried_;
};

}  // namespace tessera::sim::outcome
