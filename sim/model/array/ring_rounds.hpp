// Rounds of rings under way, in the order in which the fabric would carry them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "sim/model/array/issued_ring.hpp"

namespace tessera::sim {

/// A round of a ring, in front of a link.
struct RingRound {
  IssuedRing* ring = nullptr;
  IssuedRing::Member* sender = nullptr;
  MessageFabric::Hop* hop = nullptr;  ///< over the link
  std::uint32_t number = 0;
  Time head{0};  ///< arrives there then
  Time tail{0};

  /// One that waits in front of a link in the fabric.
  RingRound(IssuedRing& of, IssuedRing::Member& from, Message const& message, Time at)
      : ring{&of},
        sender{&from},
        hop{from.first + message.hops},
        number{message.round},
        head{at},
        tail{message.tail} {}

  [[nodiscard]] std::uint32_t rounds_left() const { return ring->last_round() - number; }
  [[nodiscard]] Message message() const;
  [[nodiscard]] bool comes_later(RingRound const& other) const {
    return is_carried_before(other.head, other.hop->link, head, hop->link,
                             [&] { return other.message() < message(); });
  }
  /// When it can be in front of a link as the last round, if it waits for nobody.
  [[nodiscard]] Time least_to_last() const;

  /// Over its link and, if that was the last one, through the interface that passes it on. Not as
  /// the last round, of which interfaces are notified.
  void go_on() {
    EXPECTS(rounds_left() > 0, sender->packet.task, number);
    auto const passage = hop->pass(head, tail);
    head = passage.head;
    tail = passage.tail;
    if (++hop == sender->end) pass_on();
  }

 private:
  /// As the next round of the member that comes next.
  void pass_on() {
    sender = sender->next;
    ++sender->arrived;
    head = sender->relay.departure(head + tail) + sender->entrance;
    ++number;
    hop = sender->first;
    tail = Time{0};
  }
};

/// Those of rings that have links in common.
class RingRounds final {
 public:
  void add(std::vector<RingRound> const& rounds) {
    rounds_.insert(rounds_.end(), rounds.begin(), rounds.end());
    are_in_order_ = false;
  }
  [[nodiscard]] std::vector<RingRound> const& all() const { return rounds_; }
  [[nodiscard]] std::vector<RingRound> of(IssuedRing const& ring) const;
  void remove(IssuedRing const& ring);

  /// Carries them in order, for as long as the next one `goes`.
  template <typename Goes>
  void carry(Goes goes) {
    put_in_order();
    auto const last = rounds_.end() - 1;
    while (goes(*last)) {
      auto next = *last;
      next.go_on();
      auto position = last;
      if (rounds_.size() > few) {
        position = std::upper_bound(rounds_.begin(), last, next, comes_later);
        std::move_backward(position, last, rounds_.end());
      } else {
        for (; position != rounds_.begin() && next.comes_later(*(position - 1)); --position) {
          *position = *(position - 1);
        }
      }
      *position = next;
    }
  }

  /// Those that come to a link before `until`.
  void carry_until(Time until) {
    carry([until](RingRound const& round) { return round.head < until; });
  }

  /// The next one last.
  [[nodiscard]] std::vector<RingRound> const& in_order() {
    put_in_order();
    return rounds_;
  }
  /// Changes each, `change(round, index)`.
  template <typename Change>
  void change(Change change) {
    for (std::size_t index = 0; index < rounds_.size(); ++index) change(rounds_[index], index);
    are_in_order_ = false;
  }

 private:
  /// So many are searched one after another, more by bisection.
  static constexpr std::size_t few = 8;

  [[nodiscard]] static bool comes_later(RingRound const& a, RingRound const& b) {
    return a.comes_later(b);
  }
  void put_in_order() {
    if (!std::exchange(are_in_order_, true)) std::sort(rounds_.begin(), rounds_.end(), comes_later);
  }

  std::vector<RingRound> rounds_;  ///< the next one last, once they are in order
  bool are_in_order_ = true;
};

}  // namespace tessera::sim
