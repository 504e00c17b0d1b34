// The router of sim/model/fabric/packet/wormhole_network.hpp written as it is described: every router, port and virtual channel looks at
// everything in every cycle, and requests, grants and accepts are lists.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "sim/model/fabric/packet/wormhole_network.hpp"

namespace tessera::test {

class WormholeTwin final {
 public:
  WormholeTwin(arch::Interconnect const& interconnect, sim::WormholeSpec const& spec);

  void send(sim::Tick now, sim::FabricPacket const& packet);
  /// One cycle.
  void step(std::vector<sim::FabricDelivery>& out);

  [[nodiscard]] sim::Tick now() const { return now_; }

 private:
  using Index = std::size_t;

  struct Packet {
    sim::FabricPacket it;
    sim::FabricDelivery times;
  };
  struct Flit {
    Index packet = 0;
    bool head = false;
    bool tail = false;
  };
  /// A virtual channel of an input.
  struct Input {
    enum class State { idle, waiting, active };
    std::deque<Flit> flits;
    State state = State::idle;
    Index out = 0;  ///< channel
    unsigned vc_class = 0;
    Index out_vc = 0;
  };
  /// A virtual channel of an output.
  struct Output {
    std::uint32_t credits = 0;
    bool in_use = false;
  };
  struct Router {
    std::vector<Index> inputs;   ///< channels
    std::vector<Index> outputs;  ///< channels
    std::vector<Index> vc_grant_turn;
    std::vector<Index> vc_accept_turn;
    std::vector<Index> grant_turn;
    std::vector<Index> accept_turn;
    std::vector<Index> vc_turn;  ///< of each input port
  };
  struct Source {
    std::deque<Index> packets;
    std::uint32_t left = 0;
    Index vc = 0;
  };
  /// Requests, as pairs (input, output), that were matched.
  using Pairs = std::vector<std::pair<Index, Index>>;

  [[nodiscard]] Index vcs() const { return spec_.virtual_channels; }
  [[nodiscard]] arch::Channel const& channel(Index index) const {
    return interconnect_->channels()[arch::ChannelId{index}];
  }
  [[nodiscard]] Input& input(Router const& router, Index number) {
    return inputs_[router.inputs[number / vcs()]][number % vcs()];
  }
  /// The rank of a request: smaller goes first, and equals by turns.
  using Rank = std::function<Index(Index from, Index to)>;

  [[nodiscard]] static Pairs islip(Pairs const& requests, Rank const& rank,
                                   std::vector<Index>& grant_turn, std::vector<Index>& accept_turn);
  [[nodiscard]] static Index by_turns(std::vector<Index> const& candidates, Index turn);
  [[nodiscard]] static Index choose(std::vector<Index> const& candidates, Index turn,
                                    std::function<Index(Index)> const& rank);
  /// By age, or all alike.
  [[nodiscard]] Index rank_of(Input const& queue) const;

  void arrive(std::vector<sim::FabricDelivery>& out);
  void inject(Index endpoint);
  void look_up(Index port, Index vc);
  void run(Router& router);
  [[nodiscard]] Pairs match_channels(Router& router);
  [[nodiscard]] Pairs match_switch(Router& router);
  void traverse(Router& router, Index port_number, Index out_number);
  void put_on_wire(Index channel, Index vc, Flit flit, sim::Tick delay);

  arch::Interconnect const* interconnect_;
  sim::WormholeSpec spec_;
  sim::Tick now_ = 0;
  std::vector<Packet> packets_;
  std::vector<Router> routers_;
  std::vector<Source> sources_;
  std::vector<std::vector<Input>> inputs_;    ///< channel, vc
  std::vector<std::vector<Output>> outputs_;  ///< channel, vc
  struct OnWire {
    Index channel;
    Index vc;
    Flit flit;
  };
  std::multimap<sim::Tick, OnWire> flits_;
  std::multimap<sim::Tick, std::pair<Index, Index>> credits_;
};

}  // namespace tessera::test
