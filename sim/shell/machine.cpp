// Building and wiring the array.
#include "sim/shell/machine.hpp"

#include <algorithm>
#include <string>

#include "sim/shell/build_order.hpp"

namespace tessera::sim::shell {

namespace {

/// A name that SystemC takes: it reserves the dot for its hierarchy.
std::string module_name(std::string name) {
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

}  // namespace

Machine::Machine(sc_core::sc_module_name const& name, ArrayCores& cores, Supervisor& supervisor)
    : sc_core::sc_module{name},
      cores_{cores},
      supervisor_{supervisor},
      accelerators_(cores.accelerators.size()),
      switches_(cores.switches.size()),
      links_(cores.links.size()) {
  build(supervisor.module_order(),
        {[this] { build_accelerators(); }, [this] { build_switches(); }, [this] { build_links(); },
         [this] { build_packets(); }, [this] { build_synchronizer(); }});
  if (cores.packets) {
    connect_packets();
  } else {
    for (arch::LinkId const id : cores.blueprint.topology.links().ids()) connect_link(id);
  }
  connect_synchronizer();
}

/// In the order in which an array lists its resources.
std::vector<Machine::Hardware> Machine::hardware() const {
  arch::Topology const& simulated = cores_.blueprint.topology;
  arch::Topology const whole{cores_.blueprint.array};
  auto const& names = simulated.node_names();
  std::vector<Hardware> all;
  auto const nodes = packets_ ? whole.accelerators() : whole.node_names().size();
  for (std::size_t node = 0; node < nodes; ++node) {
    auto const original = simulated.stand_in(whole, arch::NodeId{node}).index();
    all.push_back({module_name(whole.node_names()[node]), module_name(names[original])});
  }
  if (packets_) {
    all.push_back({packets_->basename(), packets_->basename()});
  } else {
    for (auto const id : whole.links().ids()) {
      auto const original = simulated.stand_in(whole, id);
      all.push_back(
          {module_name(whole.links()[id].name), module_name(simulated.links()[original].name)});
    }
  }
  all.push_back({synchronizer_->basename(), synchronizer_->basename()});
  return all;
}

void Machine::build_accelerators() {
  build_all(supervisor_.module_order(), accelerators_, [this](std::size_t index) {
    Blueprint const& blueprint = cores_.blueprint;
    auto const outgoing = blueprint.outgoing[arch::NodeId{index}].size();
    auto const links = static_cast<Port>(cores_.packets ? 1 : outgoing);
    return std::make_unique<Accelerator>(blueprint.topology.node_names()[index].c_str(),
                                         cores_.accelerators[index], links, supervisor_);
  });
}

void Machine::build_switches() {
  build_all(supervisor_.module_order(), switches_, [this](std::size_t index) {
    arch::NodeId const node{accelerators_.size() + index};
    auto const links = static_cast<Port>(cores_.blueprint.outgoing[node].size());
    auto const name = module_name(cores_.blueprint.topology.node_names()[node.index()]);
    return std::make_unique<CoreModule>(name.c_str(), cores_.switches[index],
                                        CoreModule::Shape{Router::inputs, links}, supervisor_);
  });
}

void Machine::build_links() {
  build_all(supervisor_.module_order(), links_, [this](std::size_t index) {
    auto const name = module_name(cores_.blueprint.topology.links()[arch::LinkId{index}].name);
    return std::make_unique<CoreModule>(name.c_str(), cores_.links[index],
                                        CoreModule::Shape{Link::inputs, Link::outputs},
                                        supervisor_);
  });
}

void Machine::build_packets() {
  if (!cores_.packets) return;
  auto const outputs = static_cast<Port>(accelerators_.size());
  packets_ = std::make_unique<CoreModule>(
      "packets", *cores_.packets, CoreModule::Shape{PacketFabric::inputs, outputs}, supervisor_);
}

void Machine::build_synchronizer() {
  auto const outputs = static_cast<Port>(accelerators_.size());
  synchronizer_ =
      std::make_unique<CoreModule>("synchronizer", cores_.synchronizer,
                                   CoreModule::Shape{Synchronizer::inputs, outputs}, supervisor_);
}

void Machine::connect_link(arch::LinkId id) {
  arch::Link const& spec = cores_.blueprint.topology.links()[id];
  auto const& siblings = cores_.blueprint.outgoing[spec.from];
  auto const place = std::find(siblings.begin(), siblings.end(), id) - siblings.begin();
  CoreModule& link = *links_[id.index()];
  exit(spec.from, static_cast<std::size_t>(place)).bind(link.in[Link::head]);
  link.out[Link::forward].bind(entry(spec.to));
  std::size_t const from = spec.from.index();
  if (from < accelerators_.size()) link.out[Link::back].bind(accelerators_[from]->sent);
}

/// What has arrived and what was sent: the interface takes both at one input.
void Machine::connect_packets() {
  for (std::size_t index = 0; index < accelerators_.size(); ++index) {
    accelerators_[index]->to_links[0].bind(packets_->in[PacketFabric::from_interfaces]);
    packets_->out[index].bind(accelerators_[index]->from_links);
  }
}

void Machine::connect_synchronizer() {
  for (std::size_t index = 0; index < accelerators_.size(); ++index) {
    Accelerator& accelerator = *accelerators_[index];
    accelerator.to_synchronizer.bind(synchronizer_->in[Synchronizer::from_dispatchers]);
    synchronizer_->out[index].bind(accelerator.from_synchronizer);
  }
}

InputPort& Machine::entry(arch::NodeId node) {
  std::size_t const index = node.index();
  if (index < accelerators_.size()) return accelerators_[index]->from_links;
  return switches_[index - accelerators_.size()]->in[Router::from_links];
}

OutputPort& Machine::exit(arch::NodeId node, std::size_t place) {
  std::size_t const index = node.index();
  if (index < accelerators_.size()) return accelerators_[index]->to_links[place];
  return switches_[index - accelerators_.size()]->out[place];
}

}  // namespace tessera::sim::shell
