// The routers of CutThroughNetwork where all is alike: channels of one speed and latency, packets of one size, one clock.
//
// What follows from the start of a packet then follows a fixed number of ticks later: its wires are free, its room is known upstream,
// it has arrived. So no queue of events is needed. Queues that a packet reaches in the same tick are a list; outputs that choose in it
// are bits of a set. Of the queues of a router, those whose first packets want an output are bits of a word, so are those without room
// where they go and those whose ports send: a choice is a few operations on words. Ticks in which nothing happens are skipped.
//
// Every packet has the times that CutThroughNetwork gives it, whose rules and omissions these are, and the clocked twin. Small packets
// are where that pays: there, what an event costs counts most (test/bench/MEASURED.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/model/fabric/packet/cut_through_network.hpp"
#include "sim/model/fabric/packet/packet_pool.hpp"

namespace tessera::sim {

class UniformNetwork final : public PacketNetwork {
 public:
  /// Are all channels alike and full duplex, no router has more than 64 queues, 64 outputs or 254
  /// ways on, no queue more than 65535 packets, and nothing follows a packet's start after more
  /// than 63 ticks?
  [[nodiscard]] static bool takes(arch::Interconnect const& interconnect,
                                  CutThroughSpec const& spec, std::uint32_t packet_size);

  /// Keeps a reference to `interconnect`. Requires takes(), and what CutThroughNetwork requires.
  UniformNetwork(arch::Interconnect const& interconnect, CutThroughSpec const& spec,
                 std::uint32_t packet_size);

  /// Queues a packet of that size at its source at `now`, up to which all has been advanced.
  void send(Tick now, FabricPacket const& packet) override;
  [[nodiscard]] Tick next_event() override;
  void advance(Tick until, std::vector<FabricDelivery>& out) override;
  void on_passage(PassageListener listener) override { on_passage_ = std::move(listener); }

  [[nodiscard]] ChannelCount count(arch::ChannelId channel) const override;
  [[nodiscard]] std::int64_t sent() const override { return sent_; }
  [[nodiscard]] std::int64_t delivered() const override { return delivered_; }

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  static constexpr std::uint8_t several = 255;  ///< ways on to a destination
  static constexpr std::uint8_t no_lane = 255;  ///< in which a packet could stay

  /// Ticks from the start of a packet on a channel.
  struct Lags {
    Tick arrival = 0;  ///< until it may be chosen at the channel's end
    Tick free = 0;     ///< until its channel and its input port are free
    Tick room = 0;     ///< until upstream knows of its room
  };

  /// One virtual channel of an input port: a list of packets, of which some are still under way.
  struct Queue {
    std::uint32_t first = none;  ///< packet
    std::uint32_t last = 0;
    std::uint16_t arrived = 0;  ///< packets to choose from
    std::uint16_t credits = 0;  ///< packets that upstream may still send, as far as it knows
    std::uint32_t router = 0;
    std::uint32_t way = 0;        ///< that its first packet takes
    std::uint8_t port_rank = 0;   ///< in the router, of the first queue of its port
    std::uint8_t lane = 0;        ///< of its port
    std::uint8_t lane_class = 0;  ///< of a packet that stays in the lane
  };

  /// A class of virtual channels of a channel, where it begins.
  struct Way {
    std::uint32_t first = 0;  ///< queue at the channel's end
    std::uint32_t last = 0;
    std::uint32_t output = 0;
    std::uint8_t vc_class = 0;
    std::uint8_t lane = 0;
    bool is_full = false;
  };

  /// A channel, where it begins.
  struct Output {
    std::uint64_t wanted = 0;  ///< by the first packets of these queues of its router
    std::int64_t packets = 0;  ///< that it carried
    std::uint32_t router = 0;
    std::uint32_t next_queue = 0;  ///< of those at its end, first in the next choice
    arch::ChannelId channel;
    std::uint8_t turn = 0;  ///< rank of the queue that is first when it chooses
    bool ends_at_endpoint = false;
  };

  struct Router {
    std::uint64_t blocked = 0;  ///< queues whose first packets have no room where they go
    Tick looked = -1;           ///< at its ports
    Tick free_again = 0;        ///< the first of those that were busy
    std::uint32_t first_queue = 0;
    std::uint32_t queues = 0;
    std::uint32_t first_way = 0;
  };

  /// What routers need to know of a packet, close together.
  struct Passenger {
    std::uint32_t destination = 0;
    std::uint32_t hops = 0;
    std::uint32_t next = 0;  ///< in its queue
  };

  using ChannelLists = IdVector<arch::VertexId, std::vector<arch::ChannelId>>;

  [[nodiscard]] static Lags lags_of(CutThroughSpec const& spec, std::uint32_t packet_size);
  [[nodiscard]] bool lasts_a_tick() const { return lags_.free == 1; }

  void lay_out_queues();
  void number_outputs(ChannelLists const& from);
  void lay_out_outputs(ChannelLists const& from);
  void add_way(arch::ChannelId channel, std::uint32_t vc_class);
  void lay_out_routes();
  void lay_out_rings();

  void move_to(Tick time);
  void run_tick();
  void take_arrivals(std::uint64_t* due);
  void take_credits();
  void wait_for_credit();
  void open(std::uint32_t way);
  void close_if_full(Way& way);
  [[nodiscard]] std::uint64_t queues_for(Way const& way) const;
  [[nodiscard]] std::uint32_t look_at_first(std::uint32_t queue);
  [[nodiscard]] std::uint8_t one_of_several(Queue const& queue) const;
  void look_at_ports(std::uint32_t router);
  void choose(std::uint32_t output);
  [[nodiscard]] std::uint32_t best_of(std::uint64_t queues, Output const& output,
                                      Router const& router) const;
  void start(std::uint32_t queue, Output& output);
  void append(Queue& queue, std::uint32_t packet);
  [[nodiscard]] std::uint32_t take_first(Queue& queue);
  [[nodiscard]] bool may_inject(std::uint32_t endpoint) const {
    return busy_until_[endpoint] <= now_ && !ways_[endpoint].is_full;
  }
  void inject(std::uint32_t endpoint, std::uint32_t packet);
  void inject_next(std::uint32_t endpoint);
  void transmit(std::uint32_t packet, Output& output, Way& way);
  void tell_passage(Output const& output, std::uint32_t tag);
  void deliver(std::uint32_t packet);

  void wake_after(Tick ticks);
  void mark_due(std::uint32_t output, Tick time);
  [[nodiscard]] std::size_t ring_place(Tick time) const {
    return static_cast<std::size_t>(time) & ring_mask_;
  }

  arch::Interconnect const* interconnect_;
  CutThroughSpec spec_;
  std::uint32_t packet_size_;
  Lags lags_;
  std::uint64_t port_mask_ = 0;  ///< the queues of a router's first port
  Tick now_ = 0;
  std::uint64_t pending_ = 0;  ///< bit k: something happens k ticks from now

  PacketPool packets_;
  std::vector<Passenger> passengers_;  ///< of each packet
  std::vector<PacketList> sources_;
  std::vector<Queue> queues_;           ///< of a router side by side
  std::vector<std::uint32_t> own_way_;  ///< of each queue: that it is part of
  std::vector<Way> ways_;         ///< of an output, and of a router, side by side; endpoints' first
  std::vector<Output> outputs_;   ///< endpoints' first
  std::vector<Tick> busy_until_;  ///< of each output; a router's only if packets last longer
  std::vector<Tick> port_busy_until_;  ///< of the port that begins with a queue, likewise
  std::vector<Router> routers_;
  std::vector<std::uint64_t> busy_;  ///< of each router: queues whose ports send in this tick

  IdVector<arch::ChannelId, std::uint32_t> first_queue_;  ///< at its end
  IdVector<arch::ChannelId, std::uint32_t> output_of_;
  IdVector<arch::ChannelId, std::uint32_t> first_way_;
  std::vector<std::uint8_t> next_way_;  ///< router x destination: which of its ways, or several

  std::size_t ring_mask_ = 0;  ///< of rings with a place for each tick
  std::size_t due_words_ = 0;
  std::vector<std::uint64_t> due_;                    ///< tick x output: those that choose then
  std::vector<std::vector<std::uint32_t>> arriving_;  ///< of each tick: queues
  std::vector<std::uint64_t> credits_by_;  ///< of each tick: how many were sent by its end
  std::vector<std::uint32_t> credits_;     ///< a ring, in the order of sending: queues
  std::uint64_t credit_mask_ = 0;
  std::uint64_t most_credits_ = 0;  ///< not taken at the begin of a tick
  std::uint64_t credits_sent_ = 0;
  std::uint64_t credits_taken_ = 0;
  std::uint32_t full_ways_ = 0;

  std::vector<FabricDelivery>* out_ = nullptr;
  PassageListener on_passage_;
  std::int64_t sent_ = 0;
  std::int64_t delivered_ = 0;
};

}  // namespace tessera::sim
