// The network interface: an accelerator's door to the fabric.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "arch/array/topology.hpp"
#include "sim/model/fabric/passed_rounds.hpp"
#include "sim/model/fabric/transfer_meter.hpp"
#include "sim/model/memory/memory.hpp"
#include "sim/model/protocol/core.hpp"
#include "sim/model/protocol/message_clock.hpp"

namespace tessera::sim {

/// What transfers cost at their ends.
struct TransferEnds {
  std::optional<Bandwidth> reduce_bandwidth = {};
  Memory* memory = nullptr;  ///< that transfers go through; none: beside it
  Bytes block{0};            ///< of transfers through memory
};

/// Turns a transfer task, or a round of one, into one packet, or into two halves where two ways are
/// equally short (arch::Topology::cut), and hands them to the fabric a message's latency later; the
/// first link paces them. A transfer has been sent when the first links say that the last bytes of
/// its packets have left, and has arrived when the last bytes of its packets are here; the
/// dispatcher hears of either a message's latency later.
///
/// The rounds of a transfer but the first are passed on when they have come, as late as if the
/// dispatcher heard of each and issued the next; it hears when all have left, and when all have
/// arrived.
///
/// A summand has arrived when it has been added to what is there, at the rate of
/// TransferEnds::reduce_bandwidth, if it has one (two operands are read and the sum is written;
/// additions of several do not slow each other down).
///
/// Transfers through memory go in blocks, each a message of its own. Two of a packet are under way
/// at a time: one is read from memory while the one before leaves. A block that has arrived is
/// written when its last byte is here; of a summand what is there is read first. All that is asked
/// of the memory contends with the tiles of computations.
///
/// Leaves out, where transfers go beside the memory: reading and writing it (energy counts it).
/// Else: where in the memory the tensors lie, and any limit on arrived blocks that wait for the
/// memory. A message is handed over as a whole; links pass it on like that, and a PacketFabric cuts
/// it into packets.
class NetworkInterface final : public Core {
 public:
  enum In : Port { from_dispatcher, from_fabric };
  enum Out : Port { to_dispatcher, to_fabric };
  static constexpr Port inputs = 2;
  static constexpr Port outputs = 2;

  /// `graph`, `topology` and the memory must outlive the interface.
  NetworkInterface(AcceleratorId accelerator, MessageClock clock, TaskGraph const& graph,
                   arch::Topology const& topology, TransferEnds const& ends = {});

  void push(Time now, Port port, Message const& message) override;
  [[nodiscard]] std::optional<Time> advance(Time now, Outbox& out) override;

  /// Without memory it is enough to tell it when messages come: earlier than that, and in any
  /// order.
  [[nodiscard]] bool may_be_told_ahead() const { return ends_.memory == nullptr; }
  /// push() and advance() in one, of a message at `now`. Requires that it may be told ahead.
  void tell(Time now, Message const& message, Outbox& out) {
    EXPECTS(may_be_told_ahead(), accelerator_);
    take(message, now, out);
  }

  [[nodiscard]] char const* kind() const override { return "network interface"; }
  [[nodiscard]] std::vector<Statistic> const& statistics() const override {
    return meter_.statistics();
  }

 private:
  friend class RoundRelay;

  /// A transfer, and which of its messages.
  using Round = std::pair<TaskId, std::uint32_t>;

  /// Of a transfer, what has not been read yet. A message may have no bytes.
  struct Unread {
    std::uint32_t messages = 0;
    Bytes bytes{0};
  };
  /// An own transfer of several messages that has not left.
  struct Leaving {
    std::uint32_t messages = 0;         ///< that have not left
    std::array<Unread, 2> unread = {};  ///< by the way that they go
    LatestMessage sent;                 ///< of those that have
  };

  /// An incoming transfer of which not all messages are here, or not in memory.
  struct Arrival {
    std::uint32_t missing = 0;
    Time last{0};        ///< when the last byte of the messages so far is here, or in memory
    LatestMessage head;  ///< of those that are here
  };

  /// What the memory is asked for when a block has arrived.
  enum class Ask : std::uint8_t { read_of_summand, write };
  /// Ordered by time, then by content.
  using Due = std::tuple<Time, Round, Ask, Bytes>;

  void take(Message const& message, Time now, Outbox& out);
  void issue(Message const& issue, Time now, Outbox& out);
  void send_later(PassedRounds::Round const& round, Outbox& out);
  void pass_on(Message const& done, Time told, Outbox& out);
  void take_passed_on(Time now);
  void send(Message const& issue, Time now, Outbox& out);
  [[nodiscard]] Message packet_of(Message const& issue) const;
  [[nodiscard]] arch::MessageParts parts_of(Message const& issue);
  void send_whole(Message& packet, Time now, Outbox& out);
  void send_block(Message packet, Leaving& leaving, Time now, Outbox& out);
  void count_sent(Message const& packet, Time now, Outbox& out);
  void finish_sending(Message const& last, Time now, Outbox& out);
  void receive(Message const& packet, Time now, Outbox& out);
  void finish_receiving(Message const& packet, Time last, Outbox& out);
  void ask_memory(Time now, Outbox& out);
  void arrive(Round const& round, Time last, Outbox& out);
  [[nodiscard]] Time adding(TaskId task) const;

  AcceleratorId accelerator_;
  MessageClock clock_;
  TaskGraph const& graph_;
  arch::Topology const& topology_;
  TransferEnds ends_;

  std::unordered_map<arch::NodeId, bool> two_ways_;  ///< to who was sent to
  std::int64_t whole_ = 0;  ///< own transfers of one message that have not left
  std::map<Round, Leaving> leaving_;
  std::map<Round, Arrival> arriving_;
  std::multiset<Due> due_;
  PassedRounds rounds_;
  std::vector<Message> arrived_;
  TransferMeter meter_;
};

}  // namespace tessera::sim
