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

/// The last of several messages, in whatever order one is told of them.
struct LastHeard {
  Time at{0};
  Message message;

  void hear(LastHeard const& other) {
    if (std::tie(at, message) < std::tie(other.at, other.message)) *this = other;
  }
};

/// May be told in any order: what goes when depends on times alone. A round goes when the one
/// before it has come that is passed on, the first one when its task is issued, and none before
/// that.
class PassedRounds final {
 public:
  /// A round that may be sent.
  struct Round {
    Message issue;
    Time at{0};
  };

  /// A task of `rounds` is issued, its first one: those that may go, too, as others have come.
  [[nodiscard]] std::vector<Round> issue(Message const& first, Time at, std::uint32_t rounds) {
    auto& own = own_[first.task];
    own.issue = first;
    own.issued = at;
    own.rounds = rounds;
    std::vector<Round> all;
    for (auto const& [round, come] : std::exchange(own.early, {})) {
      all.push_back(own.round(round, come));
    }
    return all;
  }

  /// What `next` sends as round `round` is here to be sent at `at`; none: it is not issued.
  [[nodiscard]] std::optional<Round> bring(TaskId next, std::uint32_t round, Time at) {
    auto& own = own_[next];
    if (own.issue) return own.round(round, at);
    own.early.emplace_back(round, at);
    return std::nullopt;
  }

  /// An own round has left; of the last one, that all have.
  [[nodiscard]] std::optional<LastHeard> leave(LastHeard const& sent) {
    auto const own = own_.find(sent.message.task);
    EXPECTS(own != own_.end(), sent.message.task);
    own->second.left.hear(sent);
    if (++own->second.have_left < own->second.rounds) return std::nullopt;
    auto const last = own->second.left;
    own_.erase(own);
    return last;
  }

  /// A round has come of a transfer of `rounds`; of the last one, that all have.
  [[nodiscard]] std::optional<LastHeard> come(LastHeard const& done, std::uint32_t rounds) {
    auto& coming = coming_[done.message.task];
    coming.last.hear(done);
    if (++coming.rounds < rounds) return std::nullopt;
    auto const last = coming.last;
    coming_.erase(done.message.task);
    return last;
  }

  /// A round that is to be sent when it is time.
  void keep(Round const& round) { kept_.emplace(round.at, round.issue); }
  [[nodiscard]] std::optional<Time> next_kept() const {
    return kept_.empty() ? std::nullopt : std::optional{kept_.begin()->first};
  }
  /// Those whose time has come, no longer kept.
  [[nodiscard]] std::vector<Message> due(Time now) {
    std::vector<Message> all;
    while (!kept_.empty() && kept_.begin()->first <= now) {
      all.push_back(kept_.extract(kept_.begin()).value().second);
    }
    return all;
  }

 private:
  struct Own {
    std::optional<Message> issue;
    Time issued{0};
    std::vector<std::pair<std::uint32_t, Time>> early;  ///< may go then, before it was issued
    std::uint32_t rounds = 0;
    std::uint32_t have_left = 0;
    LastHeard left;

    [[nodiscard]] Round round(std::uint32_t number, Time at) const {
      Round round{*issue, std::max(issued, at)};
      round.issue.round = number;
      return round;
    }
  };
  struct Coming {
    std::uint32_t rounds = 0;
    LastHeard last;
  };

  std::map<TaskId, Own> own_;  ///< that have not all left
  std::map<TaskId, Coming> coming_;
  std::set<std::pair<Time, Message>> kept_;
};

}  // namespace tessera::sim
