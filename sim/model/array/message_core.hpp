// Whoever only passes messages on, in one core: dispatchers, network interfaces, routers and links.
#pragma once

#include <optional>
#include <vector>

#include "sim/model/array/rings_under_way.hpp"
#include "sim/model/control/dispatcher.hpp"
#include "sim/model/fabric/message_fabric.hpp"
#include "sim/model/fabric/network_interface.hpp"
#include "sim/model/fabric/packet/wake_queue.hpp"
#include "sim/model/protocol/hosted_core.hpp"

namespace tessera::sim {

/// Hosts the dispatcher and the network interface of every accelerator (HostedCore) and the
/// MessageFabric between them, as other hosts do each by itself: a round of a sum (issued, sent,
/// carried, heard) wakes nobody else. An interface that may be told ahead is told at once.
///
/// Equal because all that they send arrives later than now, so that the order in which they are
/// advanced within an instant cannot matter. (Where messages take no time, hosts tell the steps of
/// an instant apart, and each is a core of its own.) It goes on for as long as nobody else can hand
/// over a message: until what is sent out of it is heard.
class MessageCore final : public Core {
 public:
  /// An accelerator's two; they must outlive the core.
  struct Ends {
    Dispatcher* dispatcher = nullptr;
    NetworkInterface* interface = nullptr;
  };

  /// `ends` by AcceleratorId; the rest as of a MessageFabric.
  MessageCore(std::vector<Ends> ends, TaskGraph const& graph, arch::Topology const& topology,
              Time hop_latency, std::map<std::string, BusyHistogram>& utilisation);

  // The inputs and outputs of dispatchers, one accelerator after another. Those from and to network
  // interfaces stay unconnected.
  [[nodiscard]] static Port input(std::size_t accelerator, Dispatcher::In of_dispatcher) {
    return static_cast<Port>(accelerator) * Dispatcher::inputs + of_dispatcher;
  }
  [[nodiscard]] static Port output(std::size_t accelerator, Dispatcher::Out of_dispatcher) {
    return static_cast<Port>(accelerator) * Dispatcher::outputs + of_dispatcher;
  }

  void push(Time now, Port port, Message const& message) override;
  [[nodiscard]] std::optional<Time> advance(Time now, Outbox& out) override;
  [[nodiscard]] bool works_ahead() const override { return true; }

  [[nodiscard]] char const* kind() const override {
    return "dispatchers, network interfaces, routers and links";
  }
  [[nodiscard]] std::vector<Statistic> const& statistics() const override {
    return fabric_.statistics();
  }
  [[nodiscard]] MessageFabric const& fabric() const { return fabric_; }

 private:
  /// Of a dispatcher or an interface: by accelerator, dispatchers first.
  using Sleeper = std::uint32_t;

  [[nodiscard]] Tick next_time();
  void wake(Sleeper sleeper, Outbox& out);
  void take_from_dispatcher(std::size_t accelerator, Outbox::Entry const& entry, Outbox& out);
  void take_from_interface(std::size_t accelerator, Outbox::Entry const& entry);
  void tell_interface(std::size_t accelerator, NetworkInterface::In port, Time at,
                      Message const& message);
  void carry_next();
  void pass_on();
  void tell(Sleeper sleeper, Time at, Port port, Message const& message);

  [[nodiscard]] Sleeper dispatcher(std::size_t accelerator) const {
    return static_cast<Sleeper>(accelerator);
  }
  [[nodiscard]] Sleeper interface(std::size_t accelerator) const {
    return static_cast<Sleeper>(ends_.size() + accelerator);
  }

  std::vector<Ends> ends_;
  MessageFabric fabric_;
  RingsUnderWay rings_;
  std::vector<HostedCore<Time>> hosted_;  ///< by sleeper
  WakeQueue wakes_;                       ///< of sleepers
  Outbox told_ahead_{Time{0}};            ///< what an interface answers
  MessageFabric::Notices heard_;          ///< that interfaces have not been told
  Time until_{0};                         ///< how far it may go on: nothing else arrives up to then
  Time last_{0};                          ///< when it did something last
};

}  // namespace tessera::sim
