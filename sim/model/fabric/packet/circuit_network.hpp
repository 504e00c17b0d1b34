// Circuit switching: a packet has all links of its way at once, as over crossbars or mirrors that are set for it.
//
// Hardware. A packet waits at its source until every link of its way is free, and takes them all together. `setup` later its bits follow, at
// the rate of the slowest of these links, as nothing holds them on the way; when the last one has arrived all links are free again. Packets
// are looked at in the order in which their sources wanted to send them: one goes also before an earlier one, if it needs no link for
// which an earlier one waits. So nobody waits forever, and as no packet holds a link while it waits, there is no deadlock.
//
// A link counts as busy for as long as it would take the bits by itself; it is kept from others for longer.
//
// What it leaves out: how a source learns that its links are free, and that setting some switches may disturb what goes through others.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "sim/model/fabric/packet/make_network.hpp"

namespace tessera::sim {

/// Key: setup. In an array's file, in `fabric`:
///
///   switching: {kind: model, model: circuit, keys: {setup: 20 ns}}
///   packet: 64 KiB
class CircuitNetwork final : public PacketNetwork {
 public:
  CircuitNetwork(ConfigMap& keys, NetworkParts const& parts)
      : setup_{keys.required<Time>("setup").value()},
        interconnect_{parts.interconnect},
        timing_{wire_timing(parts.interconnect)},
        channels_{parts.interconnect.channels().size()} {}

  void send(Tick now, FabricPacket const& packet) override;
  [[nodiscard]] Tick next_event() override;
  void advance(Tick until, std::vector<FabricDelivery>& out) override;
  void on_passage(PassageListener listener) override { on_passage_ = std::move(listener); }

  [[nodiscard]] ChannelCount count(arch::ChannelId channel) const override {
    return channels_[channel].count;
  }
  [[nodiscard]] std::int64_t sent() const override { return sent_; }
  [[nodiscard]] std::int64_t delivered() const override { return delivered_; }

 private:
  struct Waiting {
    Tick created = 0;
    FabricPacket packet;
    std::vector<arch::Hop> way;
  };

  struct Channel {
    Tick free_at = 0;
    std::int64_t wanted_in = 0;  ///< the round in which an earlier packet waited for it
    ChannelCount count;
  };

  [[nodiscard]] bool is_shared(arch::Hop const& hop) const {
    return !interconnect_.channels()[hop.channel].is_internal;
  }
  [[nodiscard]] Tick duration(arch::Hop const& hop, std::uint32_t size) const;
  [[nodiscard]] std::vector<Waiting>::iterator behind(Tick time);
  void arbitrate(Tick now, std::vector<FabricDelivery>& out);
  [[nodiscard]] bool can_be_set_up(Waiting const& waiting, Tick now) const;
  void set_up(Waiting const& waiting, Tick now, std::vector<FabricDelivery>& out);

  Tick setup_;
  arch::Interconnect const& interconnect_;
  IdVector<arch::ChannelId, ChannelTiming> timing_;
  IdVector<arch::ChannelId, Channel> channels_;
  std::vector<Waiting> waiting_;  ///< by `created`, then in the order of sending
  Tick wanted_ = never;           ///< when the next of them wants to be sent that was not looked at
  std::priority_queue<Tick, std::vector<Tick>, std::greater<>> ends_;  ///< of circuits
  std::int64_t rounds_ = 0;
  bool is_arbitrating_ = false;
  std::int64_t sent_ = 0;
  std::int64_t delivered_ = 0;
  PassageListener on_passage_;
};

}  // namespace tessera::sim
