// A ring of which all transfers have been issued.
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
  [[nodiscard]] std::vector<Member> const& members() const { return members_; }
  /// The links of all members.
  [[nodiscard]] std::vector<MessageFabric::Hop>& hops() { return hops_; }
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

}  // namespace tessera::sim
