// The network interface: an accelerator's door to the fabric.
#pragma once

#include <map>
#include <vector>

#include "arch/array/topology.hpp"
#include "sim/model/protocol/core.hpp"
#include "sim/model/protocol/message_clock.hpp"

namespace tessera::sim {

/// Turns a transfer task into one packet, or into two halves where two ways are equally short
/// (arch::Topology::cut), and hands them to the fabric a message's latency later; the first link
/// paces them.
/// A transfer has been sent when the first links say that the last bytes of its packets have left,
/// and has arrived when the last bytes of its packets are here; the dispatcher hears of either a
/// message's latency later.
///
/// A summand has arrived when it has been added to what is there, at the rate of AcceleratorSpec::
/// reduce_bandwidth, if it has one (two operands are read and the sum is written; additions of
/// several do not slow each other down).
///
/// Leaves out: reading from and writing to memory for other transfers (energy counts it). A message
/// is handed over as a whole; links pass it on like that, and a PacketFabric cuts it into packets.
class NetworkInterface final : public Core {
 public:
  enum In : Port { from_dispatcher, from_fabric };
  enum Out : Port { to_dispatcher, to_fabric };
  static constexpr Port inputs = 2;
  static constexpr Port outputs = 2;

  /// `graph` and `topology` must outlive the interface.
  NetworkInterface(AcceleratorId accelerator, MessageClock clock, TaskGraph const& graph,
                   arch::Topology const& topology, std::optional<Bandwidth> reduce_bandwidth = {});

  void push(Time now, Port port, Message const& message) override;
  [[nodiscard]] std::optional<Time> advance(Time now, Outbox& out) override;

  void serialize(Time now, StateWriter& out) const override;
  void shift(Time by) override;
  [[nodiscard]] std::vector<Statistic> const& statistics() const override { return statistics_; }

 private:
  enum Counter : std::size_t {
    transfers_sent,
    transfers_received,
    bytes_sent,
    bytes_received,
    words_received,
    words_reduced,
  };

  /// An incoming transfer of which not all packets are here.
  struct Arrival {
    int missing = 0;
    Time last_tail{0};  ///< when the last byte of the packets so far is here
  };

  void take(Message const& message, Time now, Outbox& out);
  void send(Message const& issue, Time now, Outbox& out);
  void count_sent(Message const& packet, Time now, Outbox& out);
  void receive(Message const& packet, Time now, Outbox& out);
  void count_received(TaskId task);
  [[nodiscard]] Time adding(TaskId task) const;

  AcceleratorId accelerator_;
  MessageClock clock_;
  TaskGraph const& graph_;
  arch::Topology const& topology_;
  std::optional<Bandwidth> reduce_bandwidth_;

  std::map<TaskId, int> leaving_;  ///< packets of an own transfer that have not left
  std::map<TaskId, Arrival> arriving_;
  std::vector<Message> arrived_;
  std::vector<Statistic> statistics_{{"transfers_sent", "1"}, {"transfers_received", "1"},
                                     {"bytes_sent", "B"},     {"bytes_received", "B"},
                                     {"words_received", "1"}, {"words_reduced", "1"}};
};

}  // namespace tessera::sim
