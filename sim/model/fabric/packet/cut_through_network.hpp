// Routers with virtual cut-through (Kermani and Kleinrock, 1979) and a credit per packet, one event per packet and hop.
//
// Hardware. Every channel ends in an input port with virtual channels, each a queue of `buffer_packets` whole packets. A packet may
// leave a router `pipeline` after its first bit arrived, when its output channel and its input port are free and a virtual channel of
// its class has room for all of it downstream. It then occupies both for as long as its bits take, without a gap: onto a faster channel
// it waits until its bits cannot run out. In each instant the outputs of a router choose in the order of their channels, each among the
// input queues' heads round robin (or the oldest), starting after the one that it served last. Room comes back when the packet's last bit
// has left, and takes the channel's latency to be known upstream. Endpoints send in order, and take what arrives.
//
// Where an endpoint has no wire to its router but is part of it, it sends on several channels at once: its packets are in the router's
// queues in no time, as many as have room, and a queue's next packet need not wait for the one before. So in such an instant endpoints
// come first, then the routers' outputs choose among the packets that are heads by then, and both again until nothing more may start.
//
// The two channels of a half-duplex wire share it: a packet has it for as long as its bits take, this way or that. Such wires choose
// last in an instant, in the order of their channels: of the ends that may start, the one goes that did not send last. So two ends with
// much to send alternate without a gap, and one alone is never held up. No circle of waiting comes of it: a packet has room downstream
// before it has the wire, and gives it back after its own time, whatever else happens; nobody waits with a wire in hand.
//
// Because a packet that starts never stalls, its whole passage is known when it starts; a clocked twin that moves every flit by itself
// has the same times for every packet (test/support/fabric). What it leaves out: bit errors and retries, adaptive routing, the time
// that a half-duplex wire takes to turn round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "sim/model/fabric/packet/packet_network.hpp"
#include "sim/model/fabric/packet/packet_pool.hpp"

namespace tessera::sim {

struct CutThroughSpec {
  std::uint32_t virtual_channels = 2;
  std::uint32_t buffer_packets = 4;  ///< of each virtual channel
  Tick pipeline = 3;                 ///< of a router
  Arbitration arbitration = Arbitration::round_robin;
  Switching switching = Switching::cut_through;  ///< or store and forward
  IdVector<arch::ChannelId, ChannelTiming> channels;
};

class CutThroughNetwork final : public PacketNetwork {
 public:
  /// Keeps a reference to `interconnect`. Every class of a channel needs a virtual channel; latency
  /// and pipeline together must be at least a tick, except from an endpoint.
  CutThroughNetwork(arch::Interconnect const& interconnect, CutThroughSpec spec);

  void send(Tick now, FabricPacket const& packet) override;
  void on_passage(PassageListener listener) override { on_passage_ = std::move(listener); }
  [[nodiscard]] Tick next_event() override { return wakes_.next_time(); }
  void advance(Tick until, std::vector<FabricDelivery>& out) override;

  [[nodiscard]] ChannelCount count(arch::ChannelId channel) const override {
    return channels_[channel.index()].count;
  }
  [[nodiscard]] std::int64_t sent() const override { return sent_; }
  [[nodiscard]] std::int64_t delivered() const override { return delivered_; }

 private:
  static constexpr std::uint32_t no_one = 0xFFFFFFFF;

  /// Room for a packet in a queue; when a packet is there, where it goes on.
  struct Slot {
    Tick ready = 0;
    Tick credit_time = 0;  ///< when upstream may fill it; never: filled
    std::uint32_t packet = 0;
    std::uint32_t channel = 0;
    std::uint32_t way = 0;  ///< the first queue of its class at the end of the channel
  };

  /// One virtual channel of an input port: a ring of slots, which fill and empty in order. Of its
  /// `buffer_packets` slots those are there that were ever needed.
  struct Queue {
    Tick ready = 0;             ///< of its first packet, as the next two
    std::uint32_t channel = 0;  ///< that it goes on by
    std::uint32_t way = 0;
    Tick credit = 0;          ///< when upstream may fill the next slot; never: not known yet
    std::uint32_t first = 0;  ///< of its slots
    std::uint32_t slots = 0;
    std::uint32_t head = 0;
    std::uint32_t tail = 0;
    std::uint32_t count = 0;
    std::uint32_t port = 0;       ///< the channel that it ends
    std::uint32_t rank = 0;       ///< among the queues of its router
    std::uint32_t active = 0;     ///< its place among the router's queues that are not empty
    std::uint32_t class_end = 0;  ///< the queue after the last of its class
    std::uint8_t vc_class = 0;    ///< of the channel
  };

  struct ChannelState {
    Tick busy_until = 0;       ///< as an output
    Tick port_busy_until = 0;  ///< as an input
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t round_robin =
        0;                         ///< rank that is first in the next choice, or one after the last
    std::uint32_t next_queue = 0;  ///< of those at its end, first in the next choice
    std::uint8_t classes = 1;
    std::uint8_t lane = 0;
    bool ends_at_endpoint = false;
    bool is_wide = false;         ///< an input port that feeds several outputs at once
    bool is_way_out = false;      ///< to the endpoint that its router is
    bool upstream_waits = false;  ///< for room at its end
    bool is_half_duplex = false;
    bool sent_last = false;  ///< of the two channels of a half-duplex wire
    std::uint32_t kind = 0;  ///< of timing
    Tick latency = 0;
    ChannelCount count;
  };

  /// Timing that channels share, with the last duration asked for.
  struct Kind {
    ChannelTiming timing;
    std::uint32_t size = 0;
    Tick duration = 0;
  };

  /// The queues of a router that are not empty: first those to choose among, then those to which
  /// the first packet since is still on its way.
  struct Active {
    std::uint32_t first = 0;
    std::uint32_t awake = 0;    ///< queues to choose among
    std::uint32_t count = 0;    ///< all
    Tick next_arrival = never;  ///< the earliest `ready` of the others; or before it
    std::uint32_t queues = 0;   ///< of the router in all
    bool is_due = false;        ///< to choose in this instant
  };

  /// A queue that a channel may choose.
  struct Choice {
    std::uint64_t precedence = std::numeric_limits<std::uint64_t>::max();
    std::uint32_t queue = no_one;
  };

  void lay_out(arch::Interconnect const& interconnect);
  [[nodiscard]] Tick duration(ChannelState const& channel, std::uint32_t size) {
    auto& kind = kinds_[channel.kind];
    if (kind.size != size) set_size(kind, size);
    return kind.duration;
  }
  static void set_size(Kind& kind, std::uint32_t size);
  /// The channel that leads back over the same wire.
  [[nodiscard]] static std::uint32_t way_back(std::uint32_t channel) {
    return static_cast<std::uint32_t>(
        arch::Interconnect::way_back(arch::ChannelId{channel}).index());
  }
  [[nodiscard]] std::uint32_t injection(std::uint32_t endpoint) const {
    return static_cast<std::uint32_t>(interconnect_->injection(arch::VertexId{endpoint}).index());
  }

  void wake_endpoint(std::uint32_t endpoint, Tick now);
  void wake_due_routers(Tick now);
  void wake_router(std::uint32_t router, Tick now);
  void wake_arrived(std::uint32_t router, Tick now);
  void move_active(std::uint32_t from, std::uint32_t to);
  void choose_among_many(std::uint32_t router, Tick now);
  [[nodiscard]] Tick start_best(std::uint32_t router, Tick now);
  void start_all(std::uint32_t router, Tick now);
  void wake_at_earliest(std::uint32_t router, Tick now);
  /// The first tick at which the head of a queue may start, as far as is known now; never when it
  /// needs room that nobody has given back yet: then the channel wakes its router when it comes.
  [[nodiscard]] Tick earliest_start(Queue const& queue) {
    return std::max({queue.ready, channels_[queue.channel].busy_until,
                     channels_[queue.port].port_busy_until, credit_at(queue.way)});
  }
  /// When there is room for a packet in a class, which begins with queue `way`: now, if the time
  /// has come. Always, where an endpoint takes what arrives.
  [[nodiscard]] Tick credit_at(std::uint32_t way) {
    auto const credit = queues_[way].credit;
    return credit <= wakes_.now() ? credit : credit_among(way);
  }
  [[nodiscard]] Tick credit_among(std::uint32_t way);
  /// Smaller goes first.
  [[nodiscard]] std::uint64_t precedence(Queue const& queue) const {
    if (spec_.arbitration == Arbitration::oldest_first) {
      // Packets are numbered as they are sent, so the oldest has the smallest number.
      return packets_[slots_[queue.first + queue.head].packet].serial;
    }
    return queue.rank - channels_[queue.channel].round_robin;  // what is behind wraps round
  }
  [[nodiscard]] std::uint32_t choose_again(std::uint32_t router, std::uint32_t channel, Tick now);
  void start(std::uint32_t index, Tick now);
  void ask_for_wire(std::uint32_t channel, Tick now);
  void serve_wires(Tick now);
  void start_on(std::uint32_t channel, Tick now);
  void wake_sender(std::uint32_t channel, Tick now);
  void take_wire(std::uint32_t channel, Tick until);
  void add_slots(Queue& queue);
  void transmit(std::uint32_t packet, std::uint32_t channel, std::uint32_t way, Tick now);
  [[nodiscard]] Slot& fill_slot(Queue& queue, Tick now);
  void enqueue(std::uint32_t packet, std::uint32_t index, Tick now, Tick taken);
  static void show_head(Queue& queue, Slot const& slot);
  void leave(std::uint32_t index, Tick gone);
  void return_credit(Queue& queue, Tick known);
  void fall_asleep(Queue const& queue, Active& active);
  void deliver(std::uint32_t packet, Tick time);

  /// The first queue of a class of a channel.
  [[nodiscard]] std::uint32_t first_queue(std::uint32_t channel, std::uint8_t vc_class) const {
    auto const vcs = spec_.virtual_channels;
    auto const offset = vc_class == 0 ? 0 : vc_class * vcs / channels_[channel].classes;
    return channel * vcs + offset;
  }

  arch::Interconnect const* interconnect_;
  CutThroughSpec spec_;
  WakeQueue wakes_;
  PacketPool packets_;
  std::vector<Queue> queues_;
  std::vector<Slot> slots_;
  std::vector<ChannelState> channels_;
  std::vector<Kind> kinds_;
  std::vector<PacketList> sources_;
  std::vector<Active> active_;  ///< of each router
  std::vector<std::uint32_t> active_queues_;
  std::vector<Choice> best_;             ///< of each channel in this instant
  std::vector<std::uint32_t> wanted_;    ///< channels with a best one
  std::vector<std::uint32_t> due_;       ///< routers that choose when all endpoints have sent
  std::vector<std::uint32_t> returned_;  ///< queues with a credit as soon as all have chosen
  std::vector<std::uint32_t> moved_up_;  ///< queues with a new head since outputs began to choose
  std::vector<std::uint32_t> asking_;    ///< channels that wait for half-duplex wires
  std::vector<std::pair<std::uint64_t, std::uint32_t>> ready_;  ///< precedences and queues
  bool serves_wires_ = false;
  std::vector<FabricDelivery>* out_ = nullptr;
  PassageListener on_passage_;
  std::int64_t sent_ = 0;
  std::int64_t delivered_ = 0;
};

}  // namespace tessera::sim
