// The fabric of an array in packets: all its routers and links in one core.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arch/topology.hpp"
#include "sim/model/core.hpp"
#include "sim/model/fabric/cut_through_network.hpp"
#include "sim/model/link_meter.hpp"

namespace tessera::sim {

/// Carries messages from network interface to network interface in packets, over routers with
/// virtual channels and credits: CutThroughNetwork, which says what is exact about it, in
/// picoseconds and bytes. A message is cut into packets of the fabric's size, the last one as large
/// as what is left, and each with a header. Messages of one accelerator that wait at its door go on
/// packet by packet, by turns, the packets of each in order. A message has at least one byte.
///
/// The sender's interface is told when the last bit of its message has left on a link, the
/// receiver's when it is there; both at least one fabric clock after the last packet started. So
/// where accelerators are routers themselves (no `port`), the receiver hears a clock later.
///
/// In place of the Routers and Links of whole messages; over an idle fabric a message that fits
/// into one packet without a header takes as long as there, if a router's pipeline is a fabric
/// clock. Leaves out what CutThroughNetwork does.
class PacketFabric final : public Core {
 public:
  enum In : Port { from_interfaces };
  static constexpr Port inputs = 1;
  // Outputs are the network interfaces, by AcceleratorId.

  /// `fabric` is a network in packets; it and `topology`, which is its own, must outlive the core.
  /// `utilisation` has a histogram for each link, by its name.
  PacketFabric(arch::FabricSpec const& fabric, arch::Topology const& topology,
               std::map<std::string, BusyHistogram>& utilisation);
  PacketFabric(PacketFabric const&) = delete;
  PacketFabric& operator=(PacketFabric const&) = delete;
  PacketFabric(PacketFabric&&) = delete;
  PacketFabric& operator=(PacketFabric&&) = delete;
  ~PacketFabric() override = default;

  void push(Time now, Port port, Message const& message) override;
  [[nodiscard]] std::optional<Time> advance(Time now, Outbox& out) override;
  [[nodiscard]] bool works_ahead() const override { return true; }

  /// Never the same twice: not skippable.
  void serialize(Time now, StateWriter& out) const override { out.put(now.value()); }
  void shift(Time by) override { EXPECTS(by == Time{0} && "a fabric of packets is not skipped"); }
  [[nodiscard]] std::vector<Statistic> const& statistics() const override { return statistics_; }
  /// Of a link; its "messages" are packets, and its bytes include their headers.
  [[nodiscard]] std::vector<Statistic> const& statistics(arch::LinkId link) const {
    return meters_[link].statistics();
  }

 private:
  enum Counter : std::size_t { messages, packets };

  /// A message under way; its packets have its place as their tag.
  struct UnderWay {
    Message message;
    Bytes unsent{0};
    std::int64_t leaving = 0;   ///< packets that have not left
    std::int64_t arriving = 0;  ///< packets that have not arrived
  };

  /// What an accelerator has yet to send.
  struct Door {
    std::deque<std::uint32_t> waiting;  ///< messages, the next one first
    bool is_taken = false;              ///< a packet waits there for room in the network
  };

  /// What a packet on a channel means.
  struct Place {
    std::optional<arch::LinkId> link;
    std::optional<std::size_t> injects;  ///< it is the way into the network of this accelerator
    std::optional<std::size_t> leaves;   ///< it is a link that leaves this accelerator
  };

  void lay_out(arch::Topology const& topology, std::map<std::string, BusyHistogram>& utilisation);
  [[nodiscard]] std::uint32_t unused_place();
  void take_arrived(Time now);
  void take(Message const& message);
  void send_next(std::size_t accelerator, Time now);
  void follow(PacketPassage const& passage);
  void count_left(UnderWay& it, PacketPassage const& passage);
  void count_arrived(FabricDelivery const& delivery, Time now);
  void tell(AcceleratorId accelerator, Time at, Message const& message);

  arch::Interconnect const& graph_;
  Bytes packet_;  ///< data of the largest
  Bytes header_;
  Time period_;  ///< of the fabric's clock
  CutThroughNetwork network_;
  IdVector<arch::ChannelId, Place> places_;
  IdVector<arch::LinkId, LinkMeter> meters_;
  std::vector<Door> doors_;  ///< by AcceleratorId
  std::vector<UnderWay> under_way_;
  std::vector<std::uint32_t> unused_;  ///< places in it
  std::vector<Message> arrived_;
  std::vector<FabricDelivery> deliveries_;
  Outbox* out_ = nullptr;  ///< of the current advance
  Time until_{0};          ///< how far it may go: nothing arrives up to then
  std::vector<Statistic> statistics_{{"messages", "1"}, {"packets", "1"}};
};

}  // namespace tessera::sim
