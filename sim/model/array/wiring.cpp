// Accelerator by accelerator, then the fabric between them.
#include "sim/model/array/wiring.hpp"

#include <optional>

namespace tessera::sim {

namespace {

/// One end of a wire.
struct Input {
  CoreId core;
  Port port = 0;
};
struct Output {
  CoreId core;
  Port port = 0;
};

/// A dispatcher, wherever it is.
struct Control {
  CoreId core;
  Port first_input = 0;
  Port first_output = 0;

  [[nodiscard]] Input input(Dispatcher::In port) const { return {core, first_input + port}; }
  [[nodiscard]] Output output(Dispatcher::Out port) const { return {core, first_output + port}; }
};

/// Where an accelerator meets what is around it.
struct Edge {
  Control dispatcher;
  CoreId network_interface;      ///< if it is a core of its own
  std::optional<CoreId> router;  ///< where messages of others pass through

  /// What arrives from links goes here.
  [[nodiscard]] Input entry() const {
    if (router) return {*router, Router::from_links};
    return {network_interface, NetworkInterface::from_fabric};
  }
  /// What leads to the accelerator's outgoing link of this place.
  [[nodiscard]] Output exit(Port place) const {
    if (router) return {*router, place};
    EXPECTS(place == 0 && "without a router there is one way out", place);
    return {network_interface, NetworkInterface::to_fabric};
  }
};

class WiringBuilder final {
 public:
  explicit WiringBuilder(ArrayCores& cores)
      : cores_{cores}, topology_{cores.blueprint.topology}, outgoing_{cores.blueprint.outgoing} {}

  [[nodiscard]] Wiring build() {
    if (cores_.messages) add_messages(*cores_.messages);
    for (auto& accelerator : cores_.accelerators) add_accelerator(accelerator);
    if (cores_.packets) {
      add_packets(*cores_.packets);
    } else if (!cores_.messages) {
      add_switches();
      add_links();
    }
    add_synchronizer();
    return std::move(wiring_);
  }

 private:
  CoreId add(std::string name, Core& core, Port inputs, Port outputs) {
    return wiring_.cores.push_back({std::move(name), &core, inputs, outputs});
  }
  CoreId add_to_fabric(std::string name, Core& core, Port inputs, Port outputs) {
    auto const id = add(std::move(name), core, inputs, outputs);
    wiring_.fabric.push_back(id);
    return id;
  }
  void connect(Output from, Input to) {
    wiring_.wires.push_back({from.core, from.port, to.core, to.port});
  }

  void add_messages(MessageCore& core) {
    auto const accelerators = static_cast<Port>(cores_.accelerators.size());
    wiring_.messages = add_to_fabric("messages", core, accelerators * Dispatcher::inputs,
                                     accelerators * Dispatcher::outputs);
  }

  void add_accelerator(AcceleratorCores& cores) {
    auto const first = wiring_.cores.size();
    Edge edge;
    if (wiring_.messages) {
      edge.dispatcher = {*wiring_.messages,
                         MessageCore::input(edges_.size(), Dispatcher::from_processing_unit),
                         MessageCore::output(edges_.size(), Dispatcher::to_processing_unit)};
    } else {
      add_control(cores, edge);
    }
    auto const unit = add("processing-unit", *cores.processing_unit, ProcessingUnit::inputs,
                          ProcessingUnit::outputs);
    auto const memory = add("memory", *cores.memory, Memory::inputs, Memory::outputs);
    wiring_.cores[memory].memory = cores.memory.get();
    auto& own = wiring_.accelerators;
    own.push_back({});
    auto const id = AcceleratorId{own.size() - 1};
    for (auto core = first; core < wiring_.cores.size(); ++core) own[id].push_back(CoreId{core});
    connect_units(edge.dispatcher, unit, memory);
    edges_.push_back(edge);
  }

  void add_control(AcceleratorCores& cores, Edge& edge) {
    edge.dispatcher = {
        add("dispatcher", cores.dispatcher, Dispatcher::inputs, Dispatcher::outputs)};
    edge.network_interface = add("network-interface", cores.network_interface,
                                 NetworkInterface::inputs, NetworkInterface::outputs);
    connect(edge.dispatcher.output(Dispatcher::to_network_interface),
            {edge.network_interface, NetworkInterface::from_dispatcher});
    connect({edge.network_interface, NetworkInterface::to_dispatcher},
            edge.dispatcher.input(Dispatcher::from_network_interface));
    if (cores.router) edge.router = add_router(*cores.router, edge);
  }

  /// What it routes to the accelerator itself leaves behind the outputs to links.
  CoreId add_router(Router& router, Edge const& edge) {
    auto const links = outgoing_of(arch::NodeId{edges_.size()});
    auto const id = add("router", router, Router::inputs, static_cast<Port>(links + 1));
    connect({edge.network_interface, NetworkInterface::to_fabric}, {id, Router::from_links});
    connect({id, links}, {edge.network_interface, NetworkInterface::from_fabric});
    return id;
  }

  void connect_units(Control const& dispatcher, CoreId unit, CoreId memory) {
    connect(dispatcher.output(Dispatcher::to_processing_unit),
            {unit, ProcessingUnit::from_dispatcher});
    connect({unit, ProcessingUnit::to_dispatcher},
            dispatcher.input(Dispatcher::from_processing_unit));
    connect(dispatcher.output(Dispatcher::to_memory), {memory, Memory::from_dispatcher});
    connect({memory, Memory::to_dispatcher}, dispatcher.input(Dispatcher::from_memory));
  }

  void add_switches() {
    for (std::size_t index = 0; index < cores_.switches.size(); ++index) {
      arch::NodeId const node{edges_.size() + index};
      switches_.push_back(add_to_fabric(topology_.node_names()[node.index()],
                                        cores_.switches[index], Router::inputs, outgoing_of(node)));
    }
  }

  void add_links() {
    for (std::size_t index = 0; index < cores_.links.size(); ++index) {
      auto const& link = topology_.links()[arch::LinkId{index}];
      links_.push_back(add_to_fabric(link.name, cores_.links[index], Link::inputs, Link::outputs));
      connect({links_.back(), Link::forward}, entry(link.to));
      if (is_accelerator(link.from)) {
        auto const interface = edges_[link.from.index()].network_interface;
        connect({links_.back(), Link::back}, {interface, NetworkInterface::from_fabric});
      }
    }
    for (std::size_t node = 0; node < topology_.node_names().size(); ++node) connect_exits(node);
  }

  void connect_exits(std::size_t node) {
    Port place = 0;
    for (auto const link : outgoing_[arch::NodeId{node}]) {
      connect(exit(arch::NodeId{node}, place++), {links_[link.index()], Link::head});
    }
  }

  /// One core that carries all messages. It tells what has arrived and what was sent: an interface
  /// takes both at one input.
  void add_packets(PacketFabric& core) {
    auto const id =
        add_to_fabric("packets", core, PacketFabric::inputs, static_cast<Port>(edges_.size()));
    Port accelerator = 0;
    for (auto const& edge : edges_) {
      connect(edge.exit(0), {id, 0});
      connect({id, accelerator++}, edge.entry());
    }
  }

  void add_synchronizer() {
    auto const id = add_to_fabric("synchronizer", cores_.synchronizer, Synchronizer::inputs,
                                  static_cast<Port>(edges_.size()));
    Port accelerator = 0;
    for (auto const& edge : edges_) {
      connect(edge.dispatcher.output(Dispatcher::to_synchronizer),
              {id, Synchronizer::from_dispatchers});
      connect({id, accelerator++}, edge.dispatcher.input(Dispatcher::from_synchronizer));
    }
  }

  [[nodiscard]] bool is_accelerator(arch::NodeId node) const {
    return node.index() < edges_.size();
  }
  [[nodiscard]] Port outgoing_of(arch::NodeId node) const {
    return static_cast<Port>(outgoing_[node].size());
  }
  [[nodiscard]] Input entry(arch::NodeId node) const {
    if (is_accelerator(node)) return edges_[node.index()].entry();
    return {switches_[node.index() - edges_.size()], Router::from_links};
  }
  [[nodiscard]] Output exit(arch::NodeId node, Port place) const {
    if (is_accelerator(node)) return edges_[node.index()].exit(place);
    return {switches_[node.index() - edges_.size()], place};
  }

  ArrayCores& cores_;
  arch::Topology const& topology_;
  IdVector<arch::NodeId, std::vector<arch::LinkId>> const& outgoing_;
  Wiring wiring_;
  std::vector<Edge> edges_;       ///< by AcceleratorId
  std::vector<CoreId> switches_;  ///< by NodeId, less the accelerators
  std::vector<CoreId> links_;     ///< by LinkId
};

}  // namespace

Wiring wiring_of(ArrayCores& cores) { return WiringBuilder{cores}.build(); }

}  // namespace tessera::sim
