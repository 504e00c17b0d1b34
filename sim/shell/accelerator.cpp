// Building and wiring one accelerator.
#include "sim/shell/accelerator.hpp"

#include "sim/shell/build_order.hpp"

namespace tessera::sim::shell {

Accelerator::Accelerator(sc_core::sc_module_name const& name, AcceleratorCores& cores, Port links,
                         Supervisor& supervisor)
    : sc_core::sc_module{name} {
  to_links.init(links);
  build(cores, supervisor);
  connect_units();
  connect_fabric();
}

void Accelerator::build(AcceleratorCores& cores, Supervisor& supervisor) {
  auto const make = [&](char const* name, Core& core, CoreModule::Shape shape) {
    return std::make_unique<CoreModule>(name, core, shape, supervisor);
  };
  shell::build(
      supervisor.module_order(),
      {[&] {
         dispatcher_ =
             make("dispatcher", cores.dispatcher, {Dispatcher::inputs, Dispatcher::outputs});
       },
       [&] {
         processing_unit_ = make("processing-unit", *cores.processing_unit,
                                 {ProcessingUnit::inputs, ProcessingUnit::outputs});
       },
       [&] { memory_ = std::make_unique<MemoryModule>("memory", *cores.memory, supervisor); },
       [&] {
         network_interface_ = make("network-interface", cores.network_interface,
                                   {NetworkInterface::inputs, NetworkInterface::outputs});
       },
       [&] {
         if (!cores.router) return;
         auto const outputs = static_cast<Port>(to_links.size() + 1);
         router_ = make("router", *cores.router, {Router::inputs, outputs});
       }});
}

void Accelerator::connect_units() {
  auto& inputs = dispatcher_->in;
  auto& outputs = dispatcher_->out;
  outputs[Dispatcher::to_processing_unit].bind(
      processing_unit_->in[ProcessingUnit::from_dispatcher]);
  processing_unit_->out[ProcessingUnit::to_dispatcher].bind(
      inputs[Dispatcher::from_processing_unit]);
  outputs[Dispatcher::to_memory].bind(memory_->in[Memory::from_dispatcher]);
  memory_->out[Memory::to_dispatcher].bind(inputs[Dispatcher::from_memory]);
  outputs[Dispatcher::to_network_interface].bind(
      network_interface_->in[NetworkInterface::from_dispatcher]);
  network_interface_->out[NetworkInterface::to_dispatcher].bind(
      inputs[Dispatcher::from_network_interface]);
  outputs[Dispatcher::to_synchronizer].bind(to_synchronizer);
  from_synchronizer.bind(inputs[Dispatcher::from_synchronizer]);
}

void Accelerator::connect_fabric() {
  auto& interface_in = network_interface_->in[NetworkInterface::from_fabric];
  auto& interface_out = network_interface_->out[NetworkInterface::to_fabric];
  sent.bind(interface_in);
  if (!router_) {
    from_links.bind(interface_in);
    if (to_links.size() > 0) interface_out.bind(to_links[0]);
    return;
  }
  auto& router_in = router_->in[Router::from_links];
  from_links.bind(router_in);
  interface_out.bind(router_in);
  for (std::size_t link = 0; link < to_links.size(); ++link) {
    router_->out[link].bind(to_links[link]);
  }
  router_->out[to_links.size()].bind(interface_in);
}

}  // namespace tessera::sim::shell
