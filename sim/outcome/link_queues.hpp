// What links have yet to carry, where transfers of several rounds share them with others.
#pragma once

#include <algorithm>
#include <optional>
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

  /// A transfer on the first of its links.
  struct Leaving {
    TaskId transfer;
    arch::LinkId link;
    std::size_t shape = 0;
    std::int64_t rounds = 1;
  };
  /// None of one that may be delayed before.
  [[nodiscard]] std::optional<Leaving> leaving(TaskId transfer) const {
    auto const link = shapes_.leaves_on(transfer);
    if (!link) return std::nullopt;
    return Leaving{transfer, *link, shapes_.of(transfer), graph_.at(transfer).rounds};
  }

  void clear() { std::fill(free_.begin(), free_.end(), FreeTimes{}); }

  /// It enters the link at `begun`.
  void begin(Leaving const& it, Time begun, RoundLengths const& lengths) {
    auto const load = lengths.first[it.shape] * it.rounds;
    carried_[it.transfer] = free_[it.link.index()].take(begun, load) + load;
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
