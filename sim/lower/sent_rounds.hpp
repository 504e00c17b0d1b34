// The transfers of a collective's rounds, each after earlier ones: which arrivals are known to have
// come when a later one has.
//
// For example a ring of three, 0 to 1 to 2 to 0. In the second round 0 sends on what has come from 2
// in the first, in the third 1 does, in the fourth 2. So when 0 receives in the fourth round, what
// came in the first is there, and a task that waits for the one need not wait for the other. In a
// folded array most rings go from a representative to itself, and each arrival is after all before.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/task/task_graph.hpp"

namespace tessera::sim {

class SentRounds final {
 public:
  /// `accelerators`: of the task graph. Rings of more than `most_steps` are not followed.
  explicit SentRounds(std::size_t accelerators)
      : steps_back_{accelerators <= most_steps ? accelerators : 0} {}

  /// Forgets all: another collective begins.
  void clear() { sent_.clear(); }
  /// Appends a transfer that waits for the earlier ones with the numbers `after`.
  void add(TaskId transfer, AcceleratorId from, AcceleratorId to,
           std::vector<std::size_t> const& after) {
    auto const behind = after.empty() ? std::nullopt : std::optional{after.front()};
    sent_.push_back({transfer, from, to, behind});
  }
  [[nodiscard]] std::size_t size() const { return sent_.size(); }
  /// The transfer with a number, from 0 on in the order in which they were added.
  [[nodiscard]] TaskId operator[](std::size_t number) const { return sent_[number].transfer; }

  /// Of the transfers that the last one waits for, one after the other, the latest that arrived
  /// where the last one does and was sent on from there; none among the nearest `steps_back_`.
  [[nodiscard]] std::optional<TaskId> passed_on_by_last() const {
    auto const to = sent_.back().to;
    auto const* next = &sent_.back();
    for (std::size_t step = 0; next->behind && step < steps_back_; ++step) {
      auto const& sent = sent_[*next->behind];
      if (sent.to == to && next->from == to) return sent.transfer;
      next = &sent;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t most_steps = 16;

  struct Sent {
    TaskId transfer;
    AcceleratorId from;
    AcceleratorId to;
    std::optional<std::size_t> behind;  ///< number of the first transfer that it waits for
  };

  std::vector<Sent> sent_;  ///< by number
  std::size_t steps_back_;  ///< transfers that are followed back, at most
};

}  // namespace tessera::sim
