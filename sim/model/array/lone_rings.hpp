// Rounds of rings, carried one after another while nothing else happens.
//
// For example eight accelerators, each of which sends a transfer of 31 rounds to the next one: 248
// messages. Once all eight have been issued, what happens next follows from them alone, for as long
// as no other message is under way and no dispatcher has anything to do: only interfaces are
// notified of a round before the last one. So rounds up to then are carried in one loop, and
// interfaces are notified of all of them together. Rings that have no link in common do not depend
// on each other: each has a loop of its own, up to when one of them may come to its last round.
//
// Leaves to the fabric: last rounds; rings of which a member has not been issued, or sends along
// two paths, over no link or through its memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/model/fabric/message_fabric.hpp"
#include "sim/model/fabric/round_relay.hpp"

namespace tessera::sim {

class LoneRings final {
 public:
  /// `interfaces` by AcceleratorId. All must outlive it.
  LoneRings(TaskGraph const& graph, std::vector<NetworkInterface*> interfaces,
            MessageFabric& fabric)
      : graph_{graph}, interfaces_{std::move(interfaces)}, fabric_{fabric} {}

  /// Carries the next messages, of those in `fabric`, which must not be empty, as long as they are
  /// rounds of rings, up to `until`; requires that nobody sends anything before. False if there
  /// are none.
  [[nodiscard]] bool carry(Time until);

 private:
  /// A transfer of a ring.
  struct Member {
    RoundRelay relay;
    Message packet;  ///< of its first round
    Time entrance{0};
    std::uint32_t first_hop = 0;
    std::uint32_t hops = 0;
    std::uint32_t last_round = 0;
    std::uint32_t ring = 0;     ///< its first member; the others come behind it
    std::uint32_t next = 0;     ///< the member that passes it on
    std::uint32_t arrived = 0;  ///< of the rounds that it passes on
    Time to_next{0};            ///< from its first link to the next member's, at least
  };
  /// A round in front of a link.
  struct Front {
    Time head{0};  ///< arrives then
    Time tail{0};
    std::uint32_t position = 0;  ///< among those that wait in the fabric
    std::uint32_t member = 0;
    std::uint32_t round = 0;
    std::uint32_t hops = 0;  ///< links that it has passed
  };
  using Fronts = std::vector<Front>;

  [[nodiscard]] bool goes_on(Message const& message) const;
  [[nodiscard]] bool gather(Time& until);
  [[nodiscard]] std::optional<std::uint32_t> member_for(Message const& message);
  [[nodiscard]] bool add_ring(TaskId last);
  [[nodiscard]] std::size_t carry_up_to(Time until);
  [[nodiscard]] bool are_apart();
  [[nodiscard]] Time least_to_next(Member const& member) const;
  [[nodiscard]] Time before_last_round(Front const& front) const;
  [[nodiscard]] std::size_t carry(Fronts::iterator first, Fronts::iterator end, Time until);
  void carry(Front& front);
  void pass_on(Front& front);
  void settle();
  [[nodiscard]] arch::LinkId link(Front const& front) const;
  [[nodiscard]] Message message(Front const& front) const;
  [[nodiscard]] bool comes_later(Front const& a, Front const& b) const;

  TaskGraph const& graph_;
  std::vector<NetworkInterface*> interfaces_;
  MessageFabric& fabric_;
  std::vector<Member> members_;           ///< of all rings, one ring behind the other
  std::vector<MessageFabric::Hop> hops_;  ///< of all members
  std::unordered_map<std::uint64_t, std::optional<std::uint32_t>>
      member_of_;  ///< by transfer; none where it is no such ring's
  Fronts fronts_;  ///< of those that are carried in one loop, the next one last
  std::vector<std::pair<arch::LinkId, std::uint32_t>> links_;  ///< and a ring that has them
  std::size_t patience_ = 0;  ///< for each member so many messages are let by when it did not pay
  std::size_t let_by_ = 0;    ///< still
};

}  // namespace tessera::sim
