// Routers with virtual cut-through, moved flit by flit and tick by tick: slow and obvious.
//
// Nothing is known in advance. Each tick, flits and credits arrive, outputs send the next flit of the packet that they hold, and
// routers choose among the packets whose first flit has been there for the pipeline. Over a channel without ticks, between an endpoint
// and the router that it is, a packet is there at once.
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "sim/model/fabric/packet/cut_through_network.hpp"

namespace tessera::test {

class CutThroughTwin final {
 public:
  /// Channels must carry a flit in a whole number of ticks (`units` 1); without ticks, no latency.
  CutThroughTwin(arch::Interconnect const& interconnect, sim::CutThroughSpec const& spec);

  void send(sim::Tick now, sim::FabricPacket const& packet);
  /// One tick.
  void step(std::vector<sim::FabricDelivery>& out);

  [[nodiscard]] sim::Tick now() const { return now_; }

 private:
  struct Packet {
    sim::FabricPacket it;
    sim::FabricDelivery times;
    std::uint64_t serial = 0;
  };

  /// A packet in a buffer, and how many of its flits have come.
  struct Buffered {
    std::size_t packet = 0;
    sim::Tick first_arrived = 0;
    std::uint32_t arrived = 0;
    std::size_t channel = 0;  ///< where it goes on
    std::uint8_t vc_class = 0;
  };

  struct Transmission {
    bool active = false;
    std::size_t packet = 0;
    std::size_t from_queue = 0;  ///< or none: from an endpoint
    std::size_t to_queue = 0;
    sim::Tick started = 0;
    std::uint32_t sent = 0;
  };

  struct Flit {
    std::size_t packet = 0;
    std::size_t queue = 0;
    std::size_t channel = 0;
    bool tail = false;
  };

  [[nodiscard]] sim::Tick flit_time(std::size_t channel) const;
  [[nodiscard]] bool is_wire(std::size_t channel) const { return flit_time(channel) > 0; }
  [[nodiscard]] bool is_free(std::size_t channel) const { return !outputs_[channel].active; }
  [[nodiscard]] bool is_half_duplex(std::size_t channel) const {
    return spec_.channels[arch::ChannelId{channel}].duplex == arch::Duplex::half;
  }
  void arrive();
  void take_credits();
  void finish_transmissions();
  [[nodiscard]] bool choose();
  [[nodiscard]] bool choose_on_wires();
  [[nodiscard]] bool inject(std::size_t channel);
  [[nodiscard]] bool choose_for(std::size_t channel);
  [[nodiscard]] bool choose_for_router(std::size_t channel);
  void look_at_heads();
  [[nodiscard]] bool may_start(std::size_t queue, std::size_t channel) const;
  [[nodiscard]] bool has_room(std::size_t channel, std::uint8_t vc_class) const;
  void begin(std::size_t packet, std::size_t channel, std::uint8_t vc_class, std::size_t queue);
  [[nodiscard]] std::size_t reserve(std::size_t channel, std::uint8_t vc_class);
  void pass_at_once(std::size_t packet, std::size_t channel, std::uint8_t vc_class,
                    std::size_t queue);
  void send_flits();
  void expect_there(Transmission const& output) const;
  void enter(std::size_t packet, std::size_t queue, sim::Tick first_arrived);
  void route(Buffered& buffered, std::size_t queue) const;

  arch::Interconnect const* interconnect_;
  sim::CutThroughSpec spec_;
  sim::Tick now_ = 0;
  std::vector<Packet> packets_;
  std::vector<std::deque<std::size_t>> sources_;
  std::vector<std::deque<Buffered>> queues_;  ///< channel x virtual channel
  std::vector<std::uint32_t> credits_;        ///< channel x virtual channel: free packet slots
  std::vector<Transmission> outputs_;         ///< of each channel
  std::vector<bool> port_busy_;               ///< of each channel, as an input
  std::vector<std::size_t> turn_;             ///< of each channel: queue served last, + 1
  std::vector<std::size_t> next_vc_;          ///< of each channel
  std::vector<std::size_t> wire_turn_;        ///< of each wire (two channels): who goes first
  std::vector<std::size_t> heads_;            ///< of each queue, when the outputs looked
  std::vector<sim::FabricDelivery>* out_ = nullptr;
  std::multimap<sim::Tick, Flit> flits_;        ///< on the wires
  std::multimap<sim::Tick, std::size_t> back_;  ///< credits on the wires
};

}  // namespace tessera::test
