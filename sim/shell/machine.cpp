// Building and wiring the array.
#include "sim/shell/machine.hpp"

#include <algorithm>
#include <string>

#include "sim/shell/build_order.hpp"
#include "sim/shell/memory_module.hpp"

namespace tessera::sim::shell {

namespace {

/// A name that SystemC takes: it reserves the dot for its hierarchy.
std::string module_name(std::string name) {
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

std::unique_ptr<CoreModule> make_module(WiredCore const& wired, host::HostedRun& run) {
  auto const name = module_name(wired.name);
  auto& supervisor = run.supervisor();
  if (wired.memory == nullptr) {
    return std::make_unique<CoreModule>(name.c_str(), wired, supervisor);
  }
  return std::make_unique<MemoryModule>(name.c_str(), wired, supervisor,
                                        run.options().module_order);
}

void build_modules(std::vector<CoreId> const& ids, host::HostedRun& run, CoreModules& into) {
  build(run.options().module_order, ids.size(), [&](std::size_t index) {
    auto const id = ids[index];
    into[id] = make_module(run.wiring().cores[id], run);
  });
}

}  // namespace

Accelerator::Accelerator(sc_core::sc_module_name const& name, host::HostedRun& run,
                         std::vector<CoreId> const& own, CoreModules& modules)
    : sc_core::sc_module{name} {
  build_modules(own, run, modules);
}

Machine::Machine(sc_core::sc_module_name const& name, host::HostedRun& run)
    : sc_core::sc_module{name}, run_{run}, accelerators_(run.wiring().accelerators.size()) {
  for (std::size_t core = 0; core < run.wiring().cores.size(); ++core) modules_.push_back({});
  std::vector<std::function<void()>> const steps{
      [this] { build_accelerators(); },
      [this] { build_modules(run_.wiring().fabric, run_, modules_); }};
  build(run_.options().module_order, steps.size(), [&](std::size_t index) { steps[index](); });
  connect();
}

void Machine::build_accelerators() {
  auto const& names = run_.blueprint().topology.node_names();
  build(run_.options().module_order, accelerators_.size(), [&](std::size_t index) {
    accelerators_[index] = std::make_unique<Accelerator>(
        names[index].c_str(), run_, run_.wiring().accelerators[AcceleratorId{index}], modules_);
  });
}

void Machine::connect() {
  for (auto const& wire : run_.wiring().wires) {
    modules_[wire.from]->out[wire.output].bind(modules_[wire.to]->in[wire.input]);
  }
}

/// In the order in which an array lists its resources.
std::vector<Machine::Hardware> Machine::hardware() const {
  arch::Topology const& simulated = run_.blueprint().topology;
  arch::Topology const whole{run_.blueprint().array};
  std::vector<Hardware> all;
  list_nodes(whole, all);
  if (run_.blueprint().array.fabric.packets) {
    all.push_back({"packets", "packets", nullptr, {}});
  } else {
    for (auto const id : whole.links().ids()) {
      auto const original = simulated.stand_in(whole, id);
      all.push_back(fabric_part(whole.links()[id].name, simulated.links()[original].name, "link"));
    }
  }
  all.push_back({"synchronizer", "synchronizer", nullptr, {}});
  return all;
}

/// Accelerators and switches.
void Machine::list_nodes(arch::Topology const& whole, std::vector<Hardware>& into) const {
  auto const& blueprint = run_.blueprint();
  auto const& names = blueprint.topology.node_names();
  auto const nodes =
      blueprint.array.fabric.packets ? whole.accelerators() : whole.node_names().size();
  for (std::size_t node = 0; node < nodes; ++node) {
    auto const original = blueprint.topology.stand_in(whole, arch::NodeId{node});
    auto const& [name, its_name] = std::pair{whole.node_names()[node], names[original.index()]};
    if (node >= whole.accelerators()) {
      into.push_back(fabric_part(name, its_name, "router"));
      continue;
    }
    into.push_back({name, its_name, nullptr, parts_of(original)});
  }
}

std::vector<Machine::Part> Machine::parts_of(arch::NodeId accelerator) const {
  if (!run_.wiring().messages) return {};
  std::vector<Part> parts{{"dispatcher", "dispatcher"}, {"network-interface", "network interface"}};
  if (run_.blueprint().has_message_router(accelerator)) parts.push_back({"router", "router"});
  return parts;
}

Machine::Hardware Machine::fabric_part(std::string const& name, std::string const& original,
                                       char const* kind) const {
  return {module_name(name), module_name(original), run_.wiring().messages ? kind : nullptr, {}};
}

}  // namespace tessera::sim::shell
