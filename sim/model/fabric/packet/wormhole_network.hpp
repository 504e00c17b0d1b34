// Routers that send flit by flit, with virtual channels whose buffers may be smaller than a packet (Dally, "Virtual-channel flow
// control", 1992).
//
// Hardware, per clock cycle: flits and credits arrive; the head of a packet asks for a free virtual channel of its class downstream;
// packets that have one, with a flit here and a credit there, ask for the switch; what won crosses the switch in the next cycle. Both
// allocators are one iteration of iSLIP (McKeown 1999): every output grants round robin, every input accepts round robin, and their
// pointers move only where a grant was accepted. Of the virtual channels of an input that want the same output one asks, round robin. Or,
// at each of these choices of an input, the one goes whose packet is oldest (round robin remains among outputs: they are all its own). A router takes
// 3 cycles for a head (virtual channel, switch, crossing) and 2 for the flits behind it, or where its `pipeline` is longer than 3 so
// much more for each; a channel adds its latency. A virtual channel is free again as soon as its tail was sent. Credits take the channel back and `credit_delay` more. This is the router that BookSim 2
// calls "iq" without speculation, routing ahead (Jiang et al., ISPASS 2013).
//
// A router that nothing reaches and in which nothing moved sleeps: its next cycle would be the same again; so does a source without a
// credit, and the whole network until the next flit or credit arrives. What it leaves out: routers with more than 64 virtual channels,
// channels slower than a flit per cycle (an endpoint that is its router sends a flit per cycle, too), half-duplex links.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/model/fabric/packet/packet_network.hpp"
#include "sim/model/fabric/packet/packet_pool.hpp"

namespace tessera::sim {

/// Cycles of a router's pipeline, for a head: virtual channel, switch, crossing.
inline constexpr Tick least_wormhole_pipeline = 3;

struct WormholeSpec {
  std::uint32_t virtual_channels = 4;
  std::uint32_t buffer_flits = 8;  ///< of each virtual channel
  Tick credit_delay = 1;
  Tick pipeline = least_wormhole_pipeline;  ///< of a router, for a head; or more
  Arbitration arbitration = Arbitration::round_robin;
  IdVector<arch::ChannelId, Tick> latency;  ///< of each channel; at least 0
};

class WormholeNetwork final : public PacketNetwork {
 public:
  /// The most virtual channels of all inputs, or outputs, of a router.
  static constexpr std::size_t most_virtual_channels = arch::most_wormhole_channels;
  /// Is no router of `interconnect` too large, and no link half duplex?
  [[nodiscard]] static bool takes(arch::Interconnect const& interconnect,
                                  std::uint32_t virtual_channels);

  /// Keeps a reference to `interconnect`. Requires takes().
  WormholeNetwork(arch::Interconnect const& interconnect, WormholeSpec const& spec);

  /// Sizes are in flits, ticks are cycles.
  void send(Tick now, FabricPacket const& packet) override;
  /// The next cycle in which anything can move or arrive.
  [[nodiscard]] Tick next_event() override;
  /// Appends the packets whose last flit arrived before `until`.
  void advance(Tick until, std::vector<FabricDelivery>& out) override;
  /// Of every flit.
  void on_passage(PassageListener listener) override { on_passage_ = std::move(listener); }

  [[nodiscard]] ChannelCount count(arch::ChannelId channel) const override {
    return counts_[channel];
  }
  [[nodiscard]] std::int64_t sent() const override { return sent_; }
  [[nodiscard]] std::int64_t delivered() const override { return delivered_; }

 private:
  /// A flit: its packet, and whether it is the first or the last one.
  struct Flit {
    std::uint32_t packet = 0;
    bool head = false;
    bool tail = false;
  };

  /// A virtual channel at the input of a router.
  struct Input {
    enum class State : std::uint8_t { idle, waiting, active };
    std::uint32_t head = 0;     ///< of its ring of flits
    std::uint32_t count = 0;    ///< flits in it
    std::uint32_t port = 0;     ///< channel that it ends
    std::uint32_t channel = 0;  ///< where its packet goes on
    std::uint32_t output = 0;   ///< virtual channel there, once active (channel x vc)
    std::uint32_t pointer = 0;  ///< output that is first when it accepts
    std::uint8_t bit = 0;       ///< its number in its router
    std::uint8_t own_class = 0;
    std::uint8_t vc_class = 0;  ///< of the packet in `channel`
    State state = State::idle;
  };

  /// A virtual channel at the output of a router or an endpoint.
  struct Output {
    std::uint32_t credits = 0;
    std::uint32_t holder = 0;   ///< the input whose packet has it
    std::uint32_t pointer = 0;  ///< input that is first when it grants
  };

  struct ChannelState {
    std::uint64_t requests = 0;  ///< inputs that may send a flit through it
    std::uint32_t free = 0;      ///< its virtual channels that no packet has
    std::uint32_t waiting = 0;   ///< inputs that want one of them
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t input_number = 0;  ///< at its end
    std::uint32_t output_number = 0;
    std::uint32_t grant_pointer = 0;   ///< as an output: input port that is first
    std::uint32_t accept_pointer = 0;  ///< as an input: output that is first
    std::uint32_t vc_pointer = 0;      ///< as an input: virtual channel that is first
    std::uint32_t latency = 0;
    std::uint32_t stages = 0;  ///< cycles of the pipeline at its end, beyond the first three
    std::uint8_t classes = 1;
    bool from_endpoint = false;
    bool to_endpoint = false;
  };

  struct Router {
    std::uint64_t requested = 0;         ///< outputs with requests
    std::uint64_t wanted = 0;            ///< outputs that heads wait for
    std::vector<std::uint32_t> inputs;   ///< channels
    std::vector<std::uint32_t> outputs;  ///< channels
  };

  struct Source {
    PacketList packets;
    std::uint32_t left = 0;  ///< flits of the first one, when it is being sent; 0: it is not
    std::uint32_t last_vc = 0;
    std::uint32_t channel = 0;
  };

  struct ArrivingFlit {
    std::uint32_t input = 0;  ///< channel x vc
    Flit flit;
  };

  /// What arrives in a cycle.
  struct Arrivals {
    std::vector<ArrivingFlit> flits;
    std::vector<std::uint32_t> credits;  ///< channel x vc
  };

  void lay_out();
  [[nodiscard]] Arrivals& at(Tick cycle) {
    return arrivals_[static_cast<std::size_t>(cycle) & (arrivals_.size() - 1)];
  }
  [[nodiscard]] Arrivals& after(Tick delay) { return at(now_ + delay); }
  void mark(std::vector<std::uint64_t>& set, std::size_t index) const;

  void cycle();
  [[nodiscard]] bool is_empty() const { return sent_ == delivered_; }
  [[nodiscard]] bool is_awake() const;
  void take_arrivals();
  void take_flit(ArrivingFlit const& arriving);
  void take_credit(std::uint32_t output);
  void eject(ArrivingFlit const& arriving);
  void inject(std::uint32_t endpoint);
  void wake_source(std::uint32_t endpoint) { mark(awake_sources_, endpoint); }
  void let_source_sleep(std::uint32_t endpoint);
  [[nodiscard]] bool choose_injection(Source& source);
  void send_flit(std::uint32_t output, Flit flit, Tick delay);

  void ask_for_channel(std::uint32_t input);
  void request_switch(std::uint32_t input);
  void withdraw(std::uint32_t input);
  bool run_router(Router& router);
  void allocate_channels(Router& router);
  void grant_channels(Router& router, std::uint32_t channel);
  bool allocate_switch(Router& router);
  void traverse(std::uint32_t port, std::uint32_t channel);
  [[nodiscard]] bool goes_by_age() const { return spec_.arbitration == Arbitration::oldest_first; }
  [[nodiscard]] std::uint64_t age_rank(std::uint32_t input) const {
    auto const& flit = buffers_[input * spec_.buffer_flits + inputs_[input].head];
    return packets_[flit.packet].serial;  // packets are numbered as they are created
  }
  [[nodiscard]] std::uint32_t oldest(Router const& router, std::uint64_t inputs) const;
  [[nodiscard]] std::uint32_t oldest_output(Router const& router, std::uint32_t port_number,
                                            std::uint64_t outputs) const;

  arch::Interconnect const* interconnect_;
  WormholeSpec spec_;
  Tick now_ = 0;
  std::uint32_t vcs_;
  PacketPool packets_;
  std::vector<ChannelState> channels_;
  std::vector<Input> inputs_;        ///< channel x vc
  std::vector<Output> outputs_;      ///< channel x vc
  std::vector<Flit> buffers_;        ///< channel x vc x flit
  std::vector<std::uint64_t> want_;  ///< channel x class: inputs that wait for it
  std::vector<Router> routers_;
  std::vector<Source> sources_;
  std::vector<Arrivals> arrivals_;  ///< of the next cycles, a ring
  std::size_t in_flight_ = 0;       ///< entries in it
  std::vector<std::uint64_t> awake_routers_;
  std::vector<std::uint64_t> next_routers_;
  std::vector<std::uint64_t> awake_sources_;  ///< with a flit to send, and perhaps a credit for it
  std::vector<std::uint32_t> granted_;        ///< inputs that were granted virtual channels
  std::vector<std::uint32_t> grants_;         ///< of each input: which virtual channels
  std::vector<std::uint32_t> activated_;      ///< inputs that have one from the next cycle on
  std::array<std::uint64_t, most_virtual_channels> granted_outputs_{};  ///< to each input port
  IdVector<arch::ChannelId, ChannelCount> counts_;
  std::vector<FabricDelivery>* out_ = nullptr;
  PassageListener on_passage_;
  std::int64_t sent_ = 0;
  std::int64_t delivered_ = 0;
};

}  // namespace tessera::sim
