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
  explicit LinkQueues(std::size_t links) : free_(links) {}

  /// A transfer on the first of its links.
  struct Leaving {
    arch::LinkId link;
    std::uint32_t shape = 0;
    std::uint32_t rounds = 1;
  };
  /// None of one that may be delayed before.
  [[nodiscard]] static std::optional<Leaving> leaving(Task const& task, TaskId id,
                                                      TransferShapes const& shapes) {
    auto const link = shapes.leaves_on(id);
    if (!link) return std::nullopt;
    return Leaving{*link, static_cast<std::uint32_t>(shapes.of(id)), task.rounds};
  }

  void clear() { std::fill(free_.begin(), free_.end(), FreeTimes{}); }

  /// It enters the link at `begun`. Returns when the link has carried it, behind all that began
  /// there before it.
  Time begin(Leaving const& it, Time begun, RoundLengths const& lengths) {
    auto const load = lengths.first[it.shape] * std::int64_t{it.rounds};
    return free_[it.link.index()].take(begun, load) + load;
  }

 private:
  std::vector<FreeTimes> free_;  ///< by link
};

}  // namespace tessera::sim::outcome
