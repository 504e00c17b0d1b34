// What links have yet to carry, where transfers of several rounds take turns with others.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/outcome/round_times.hpp"

namespace tessera::sim::outcome {

/// A link is at work as long as a transfer has begun there that it has not carried.
class LinkQueues final {
 public:
  /// All must outlive it.
  LinkQueues(Blueprint const& blueprint, TransferShapes const& shapes)
      : graph_{blueprint.schedule.graph()},
        shapes_{shapes},
        busy_until_(blueprint.topology.links().size()),
        carried_{graph_.size()} {}

  void clear() { std::fill(busy_until_.begin(), busy_until_.end(), Time{0}); }

  /// A transfer enters its first link at `begun`. In the order in which they were issued.
  void begin(TaskId transfer, Time begun, RoundLengths const& lengths) {
    auto const link = shapes_.leaves_on(transfer);
    if (!link) return;
    auto const load = lengths.first[shapes_.of(transfer)] * graph_.at(transfer).rounds;
    auto& until = busy_until_[link->index()];
    until = std::max(until, begun) + load;
    carried_[transfer] = until;
  }

  /// When the link of a transfer has carried it, and all that began there before it.
  [[nodiscard]] Time carried(TaskId transfer) const { return carried_[transfer]; }

 private:
  TaskGraph const& graph_;
  TransferShapes const& shapes_;
  std::vector<Time> busy_until_;  ///< by link
  IdVector<TaskId, Time> carried_;
};

}  // namespace tessera::sim::outcome
