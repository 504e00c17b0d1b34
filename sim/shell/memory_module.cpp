// Building the vaults, and calling through ports.
#include "sim/shell/memory_module.hpp"

#include <string>

#include "sim/shell/build_order.hpp"

namespace tessera::sim::shell {

ChannelModule::ChannelModule(sc_core::sc_module_name const& name, char const* kind,
                             MemoryChannel& channel)
    : sc_core::sc_module{name}, kind_{kind}, channel_{channel} {
  in.bind(*this);
}

MemoryModule::MemoryModule(sc_core::sc_module_name const& name, WiredCore const& wired,
                           host::Supervisor& supervisor, RunOptions::ModuleOrder order)
    : CoreModule{name, wired, supervisor},
      memory_{*wired.memory},
      channels_(memory_.inside().simulated.size()) {
  auto const inside = memory_.inside();
  to_channels.init(channels_.size());
  build(order, channels_.size(), [&](std::size_t index) {
    channels_[index] = std::make_unique<ChannelModule>(channel_name(inside, index).c_str(),
                                                       inside.kind, *inside.simulated[index]);
  });
  for (std::size_t index = 0; index < channels_.size(); ++index) {
    to_channels[index].bind(channels_[index]->in);
  }
}

void MemoryModule::end_of_elaboration() {
  for (std::size_t index = 0; index < to_channels.size(); ++index) {
    memory_.call_through(index, *to_channels[index].operator->());
  }
}

std::string channel_name(MemoryInside const& inside, std::size_t channel) {
  return std::string{inside.kind} + '-' + std::to_string(channel);
}

}  // namespace tessera::sim::shell
