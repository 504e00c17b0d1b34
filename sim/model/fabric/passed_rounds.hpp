// The transfers of several rounds that an accelerator sends and receives: which round may go when,
// and when all have left and have come.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/model/protocol/message.hpp"

namespace tessera::sim {

/// The latest of several messages, in whatever order they are added.
struct LatestMessage {
  Time at{0};
  Message message;

  void update(Time other_at, Message const& other) {
    if (other_at < at || (other_at == at && !(message < other))) return;
    at = other_at;
    message = other;
  }
};

/// Rounds and their times may be added in any order. A round may be sent when the round before it
/// of the transfer that it passes on has arrived, and not before its own transfer was issued.
class PassedRounds final {
 public:
  /// A round and the time from which on it may be sent.
  struct Round {
    Message issue;
    Time at{0};
  };

  /// Issues a transfer of `rounds` by its first one. Returns the later ones whose predecessors have
  /// arrived.
  [[nodiscard]] std::vector<Round> issue(Message const& first, Time at, std::uint32_t rounds) {
    auto& own = own_[first.task];
    own.issue = first;
    own.issued = at;
    own.rounds = rounds;
    std::vector<Round> all;
    for (auto const& [round, ready] : std::exchange(own.early, {})) {
      all.push_back(own.round(round, ready));
    }
    return all;
  }

  /// Round `round` of transfer `next` can be sent from `ready` on. Returns it, unless `next` has
  /// not been issued.
  [[nodiscard]] std::optional<Round> make_ready(TaskId next, std::uint32_t round, Time ready) {
    auto& own = own_[next];
    if (own.issue) return own.round(round, ready);
    own.early.emplace_back(round, ready);
    return std::nullopt;
  }

  /// Whether an own transfer has been issued, of which not all has left.
  [[nodiscard]] bool is_issued(TaskId own) const {
    auto const found = own_.find(own);
    return found != own_.end() && found->second.issue;
  }
  /// The first round of one; none before it is issued.
  [[nodiscard]] std::optional<Message> issued(TaskId own) const {
    auto const found = own_.find(own);
    return found == own_.end() ? std::nullopt : found->second.issue;
  }
  /// Counts rounds before the last one: that have left, and that have arrived.
  void count(TaskId own, std::uint32_t left, TaskId incoming, std::uint32_t arrived) {
    if (left > 0) own_.at(own).have_left += left;
    if (arrived > 0) incoming_[incoming].rounds += arrived;
  }

  /// Counts a round of an own transfer that has left. Returns the latest of all rounds when it was
  /// the last one missing.
  [[nodiscard]] std::optional<LatestMessage> count_left(Message const& sent, Time told) {
    auto const own = own_.find(sent.task);
    EXPECTS(own != own_.end(), sent.task);
    own->second.left.update(told, sent);
    if (++own->second.have_left < own->second.rounds) return std::nullopt;
    auto const latest = own->second.left;
    own_.erase(own);
    return latest;
  }

  /// Counts a round of an incoming transfer of `rounds`. Returns the latest of all rounds when it
  /// was the last one missing.
  [[nodiscard]] std::optional<LatestMessage> count_arrived(Message const& done, Time told,
                                                           std::uint32_t rounds) {
    auto& incoming = incoming_[done.task];
    incoming.latest.update(told, done);
    if (++incoming.rounds < rounds) return std::nullopt;
    auto const latest = incoming.latest;
    incoming_.erase(done.task);
    return latest;
  }

  /// Schedules a round to be returned by take_due().
  void schedule(Round const& round) { scheduled_.emplace(round.at, round.issue); }
  /// The time of the earliest scheduled round.
  [[nodiscard]] std::optional<Time> next_due() const {
    return scheduled_.empty() ? std::nullopt : std::optional{scheduled_.begin()->first};
  }
  /// Removes and returns the scheduled rounds up to `now`, in order of (time, content).
  [[nodiscard]] std::vector<Message> take_due(Time now) {
    std::vector<Message> all;
    while (!scheduled_.empty() && scheduled_.begin()->first <= now) {
      all.push_back(scheduled_.extract(scheduled_.begin()).value().second);
    }
    return all;
  }

 private:
  struct Own {
    std::optional<Message> issue;
    Time issued{0};
    std::vector<std::pair<std::uint32_t, Time>>
        early;  ///< rounds that are ready, before it is issued
    std::uint32_t rounds = 0;
    std::uint32_t have_left = 0;
    LatestMessage left;

    [[nodiscard]] Round round(std::uint32_t number, Time at) const {
      Round round{*issue, std::max(issued, at)};
      round.issue.round = number;
      return round;
    }
  };
  struct Incoming {
    std::uint32_t rounds = 0;  ///< that have arrived
    LatestMessage latest;
  };

  std::map<TaskId, Own> own_;            ///< own transfers with rounds that have not left
  std::map<TaskId, Incoming> incoming_;  ///< incoming transfers with rounds that have not arrived
  std::set<std::pair<Time, Message>> scheduled_;
};

}  // namespace tessera::sim
