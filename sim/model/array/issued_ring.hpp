// A ring of which all transfers have been issued, and one of its rounds on the way.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/model/fabric/message_fabric.hpp"
#include "sim/model/fabric/round_relay.hpp"

namespace tessera::sim {

/// Knows of each transfer the links that its rounds take and the interface that passes them on, so
/// that they can be carried without the fabric.
class IssuedRing final {
 public:
  /// A transfer.
  struct Member {
    RoundRelay relay;
    Message packet;  ///< of its first round
    Time entrance{0};
    std::size_t hops = 0;
    std::uint32_t arrived = 0;            ///< of the rounds that it passes on
    MessageFabric::Hop* first = nullptr;  ///< of its links
    MessageFabric::Hop* end = nullptr;    ///< behind the last one
    Member* next = nullptr;               ///< passes it on
    Time to_next{0};                      ///< from its first link to the next one's, at least
  };
  using Pointer = std::unique_ptr<IssuedRing>;

  /// `last` comes last; requires that the rounds of others come back to it. None where one of them
  /// has not been issued, or sends along two paths, over no link or through its memory.
  /// `interfaces` by AcceleratorId; they and the fabric must outlive it.
  [[nodiscard]] static Pointer find(TaskGraph const& graph,
                                    std::vector<NetworkInterface*> const& interfaces,
                                    MessageFabric& fabric, TaskId last);

  [[nodiscard]] std::vector<Member>& members() { return members_; }
  /// The links of all members.
  [[nodiscard]] std::vector<MessageFabric::Hop> const& hops() const { return hops_; }
  [[nodiscard]] std::uint32_t last_round() const { return last_round_; }

  /// Counts what has been carried where it would have been counted.
  void settle(MessageFabric& fabric);

 private:
  void connect();

  std::vector<Member> members_;
  std::vector<MessageFabric::Hop> hops_;
  std::uint32_t last_round_ = 0;
};

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

}  // namespace tessera::sim
