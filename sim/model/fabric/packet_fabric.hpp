// The fabric of an array in packets: all its routers and links in one core.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arch/array/topology.hpp"
#include "sim/model/fabric/link_meter.hpp"
#include "sim/model/fabric/packet/make_network.hpp"
#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

/// Carries messages from network interface to network interface in packets, over routers with
/// virtual channels and credits: the network of the fabric's switching (make_wired_network), which
/// says what is exact about it. CutThroughNetwork counts picoseconds and bytes; WormholeNetwork
/// cycles of a flit, at whose edges packets begin, and whole flits. A message is cut into packets
/// of the fabric's size, the last one as large as what is left, and each with a header. Messages of
/// one accelerator that wait in its injection queue go on packet by packet, round robin, the
/// packets of each in order. A message has at least one byte.
///
/// The sender's interface is told when the last bit of its message has left on a link, the
/// receiver's when it is there; both at least one fabric clock after the last packet started. So
/// where accelerators are routers themselves (no `port`), the receiver hears a clock later.
///
/// In place of the Routers and Links of whole messages; over an idle fabric a message that fits
/// into one packet without a header takes as long as there, if a router's pipeline is a fabric
/// clock. Leaves out what the networks do.
class PacketFabric final : public Core {
 public:
  enum In : Port { from_interfaces };
  static constexpr Port inputs = 1;
  // Outputs are the network interfaces, by AcceleratorId.

  /// `fabric` is a network in packets; it and `topology`, which is its own, must outlive the core.
  /// `utilisation` has a histogram for each link, by its name.
  PacketFabric(arch::FabricSpec const& fabric, arch::Topology const& topology,
               std::map<std::string, BusyHistogram>& utilisation,
               NetworkModels const& models = builtin_network_models());
  PacketFabric(PacketFabric const&) = delete;
  PacketFabric& operator=(PacketFabric const&) = delete;
  PacketFabric(PacketFabric&&) = delete;
  PacketFabric& operator=(PacketFabric&&) = delete;
  ~PacketFabric() override = default;

  void push(Time now, Port port, Message const& message) override;
  [[nodiscard]] std::optional<Time> advance(Time now, Outbox& out) override;
  [[nodiscard]] bool works_ahead() const override { return true; }

  [[nodiscard]] char const* kind() const override { return "routers and links"; }
  [[nodiscard]] std::vector<Statistic> const& statistics() const override { return statistics_; }
  /// Of a link; its "messages" are packets, and its bytes include their headers.
  [[nodiscard]] std::vector<Statistic> const& statistics(arch::LinkId link) const {
    return meters_[link].statistics();
  }

 private:
  enum Counter : std::size_t { messages, packets };

  /// A message under way; its packets have its index as their tag.
  struct UnderWay {
    Message message;
    Bytes unsent{0};
    std::int64_t leaving = 0;   ///< packets that have not left
    std::int64_t arriving = 0;  ///< packets that have not arrived
  };

  /// What an accelerator has yet to send.
  struct InjectionQueue {
    std::deque<std::uint32_t> waiting;  ///< messages, the next one first
    bool is_taken = false;              ///< a packet at its head waits for a credit
  };

  /// What a packet on a channel means.
  struct ChannelRole {
    std::optional<arch::LinkId> link;
    std::optional<AcceleratorId> injects;  ///< it leads this accelerator's packets into the network
    std::optional<AcceleratorId> leaves;   ///< it is a link that leaves this accelerator
  };

  void lay_out(arch::Topology const& topology, std::map<std::string, BusyHistogram>& utilisation);
  [[nodiscard]] std::uint32_t unused_index();
  void take_arrived(Time now);
  void take(Message const& message);
  void send_next(AcceleratorId accelerator, Tick now);
  void follow(PacketPassage const& passage);
  void count_left(UnderWay& it, PacketPassage const& passage);
  void count_arrived(FabricDelivery const& delivery, Time now);
  void notify(AcceleratorId accelerator, Time at, Message const& message);

  arch::Interconnect const& graph_;
  Bytes packet_;  ///< data of the largest
  Bytes header_;
  Time period_;  ///< of the fabric's clock
  WiredNetwork wired_;
  IdVector<arch::ChannelId, ChannelRole> roles_;
  IdVector<arch::LinkId, LinkMeter> meters_;
  IdVector<AcceleratorId, InjectionQueue> queues_;
  std::vector<UnderWay> under_way_;
  std::vector<std::uint32_t> unused_;  ///< indices in it
  std::vector<Message> arrived_;
  std::vector<FabricDelivery> deliveries_;
  Outbox* out_ = nullptr;      ///< of the current advance
  Time until_{0};              ///< how far it may advance: nothing arrives up to then
  Tick first_open_cycle_ = 0;  ///< cycles before it are over
  std::vector<Statistic> statistics_{{"messages", "1"}, {"packets", "1"}};
};

}  // namespace tessera::sim
