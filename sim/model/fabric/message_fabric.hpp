// The fabric of an array in whole messages: all its routers and links together.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arch/array/topology.hpp"
#include "sim/model/fabric/link_lanes.hpp"
#include "sim/model/fabric/message_routes.hpp"
#include "sim/model/fabric/packet/wake_queue.hpp"
#include "sim/model/fabric/router_meter.hpp"
#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

/// Is a message whose head is in front of a link at `head` carried before another one? Which link
/// is first at an instant does not matter; on one link content decides, which is asked for only
/// then.
template <typename ContentIsLess>
[[nodiscard]] bool is_carried_before(Time head, arch::LinkId link, Time other_head,
                                     arch::LinkId other_link, ContentIsLess content_is_less) {
  if (head != other_head) return head < other_head;
  if (link != other_link) return link < other_link;
  return content_is_less();
}

/// Does, with a queue of events of its own, what the Routers and Links of an array do as a core
/// each: the same times, counters and histograms, to the picosecond. A message that comes to a node
/// with a router goes on a hop's latency later; links carry those that wait for them in order of
/// (arrival of the head, content of the message), on the same LinkLanes.
///
/// Equal because a hop takes time: what a link or router sends arrives later than now, so all
/// messages that reach a link at an instant wait there before one of them is carried. (Where hops
/// take no time, cores tell the steps of an instant apart, and run themselves.)
///
/// Leaves out what Router and Link do.
class MessageFabric final {
 public:
  /// What a network interface hears: the head of a message to it is there, or the last byte of one
  /// of its own has left.
  struct Notice {
    Time at{0};
    AcceleratorId accelerator;
    Message message;
  };
  using Notices = std::vector<Notice>;

  /// `topology` must outlive it; `utilisation` has a histogram for each link, by its name. Requires
  /// a latency of a hop.
  MessageFabric(arch::Topology const& topology, Time hop_latency,
                std::map<std::string, BusyHistogram>& utilisation);

  /// The head of a packet leaves the interface of its source at `head`, not before what was carried
  /// last.
  void enter(Message const& packet, Time head, Notices& heard);
  /// When the next head reaches its next link; never if none is under way.
  [[nodiscard]] Tick next_time() const {
    return waiting_.empty() ? never : waiting_.front().head.value();
  }
  /// Carries that message over that link. Requires that there is one.
  void carry_next(Notices& heard);

  // For whoever carries messages without notifying interfaces of each (RingsUnderWay).

  /// A message in front of a link.
  struct Waiting {
    Time head{0};  ///< arrives then
    arch::LinkId link;
    std::uint32_t index = 0;  ///< of the message
  };
  /// The next one first; else in no order.
  [[nodiscard]] std::vector<Waiting> const& waiting() const { return waiting_; }
  [[nodiscard]] Message const& message(Waiting const& waiting) const {
    return under_way_[waiting.index].message;
  }
  /// All links that a packet takes.
  [[nodiscard]] MessageRoutes::Range route_of(Message const& packet) { return routes_.of(packet); }
  [[nodiscard]] arch::LinkId link(std::uint32_t of_route) const { return routes_.link(of_route); }
  /// A link on the route of packets that are alike, which pass it one behind the other.
  struct Hop {
    arch::LinkId link;
    Bytes bytes{0};
    LinkLanes::Lane lane;
    Time router{0};  ///< behind the link
    LinkLanes* lanes = nullptr;
    std::int64_t passed = 0;  ///< that have not been counted

    /// Head in to head at the next link.
    [[nodiscard]] Time latency() const { return lanes->latency() + router; }
    /// A packet that no other one comes before. Its head is then at the next link or at its
    /// destination.
    [[nodiscard]] LinkLanes::Passage pass(Time head, Time tail) {
      ++passed;
      auto passage = lanes->pass(lane, head, tail);
      passage.head += router;
      return passage;
    }
  };
  [[nodiscard]] Hop hop(arch::LinkId link, Message const& packet);
  void count(Hop const& hop);
  /// What a packet takes from its interface to its first link.
  [[nodiscard]] Time entrance(Message const& packet) const;
  void count_entered(Message const& packet, std::int64_t packets);
  /// Takes out those in front of a link that `takes(head, message)`, which is asked of each once.
  template <typename Takes>
  void take_out(Takes takes) {
    auto const left = std::remove_if(waiting_.begin(), waiting_.end(), [&](Waiting const& waiting) {
      if (!takes(waiting.head, message(waiting))) return false;
      unused_.push_back(waiting.index);
      return true;
    });
    if (left == waiting_.end()) return;
    waiting_.erase(left, waiting_.end());
    std::make_heap(waiting_.begin(), waiting_.end(),
                   [this](auto const& a, auto const& b) { return comes_later(a, b); });
  }
  /// One on its way, whose head is at its next link at `head`.
  void put_back(Message const& message, Time head);

  /// Of all routers and links together.
  [[nodiscard]] std::vector<Statistic> const& statistics() const { return statistics_; }
  [[nodiscard]] std::vector<Statistic> const& statistics(arch::LinkId link) const {
    return lanes_[link].statistics();
  }
  /// Of the router at a node. Requires that there is one.
  [[nodiscard]] std::vector<Statistic> const& statistics(arch::NodeId node) const {
    return routers_[node]->statistics();
  }

 private:
  enum Counter : std::size_t { messages, hops };

  /// A message on its way, and the rest of its route.
  struct UnderWay {
    Message message;
    MessageRoutes::Range ahead;
  };

  [[nodiscard]] std::uint32_t under_way(Message const& message);
  [[nodiscard]] Time router_latency(arch::NodeId node) const;
  void count_passed(arch::NodeId node, Bytes bytes, std::int64_t messages);
  void go_on(std::uint32_t index, Time head, Notices& heard);
  void wait_for(arch::LinkId link, std::uint32_t index, Time head);
  void carry(arch::LinkId link, std::uint32_t index, Time head, Notices& heard);
  void deliver(std::uint32_t index, Time head, Notices& heard);
  [[nodiscard]] bool comes_later(Waiting const& a, Waiting const& b) const;

  arch::Topology const& topology_;
  Time hop_latency_;
  MessageRoutes routes_;
  IdVector<arch::LinkId, LinkLanes> lanes_;
  IdVector<arch::NodeId, std::optional<RouterMeter>> routers_;  ///< none where nothing passes
  std::vector<Waiting> waiting_;                                ///< a heap, the next one in front
  std::vector<UnderWay> under_way_;
  std::vector<std::uint32_t> unused_;  ///< indices in it
  std::vector<Statistic> statistics_{{"messages", "1"}, {"hops", "1"}};
};

}  // namespace tessera::sim
