// Which model runs packets of one size through routers with virtual cut-through: the quickest that takes them. The times are the same.
#pragma once

#include "sim/model/fabric/uniform_network.hpp"

namespace tessera::sim {

/// Builds the network, empty, and answers what `use` makes of it: a function of any network.
template <typename Use>
[[nodiscard]] auto with_quickest_network(arch::Interconnect const& interconnect,
                                         CutThroughSpec const& spec, std::uint32_t packet_size,
                                         Use const& use) {
  if (UniformNetwork::takes(interconnect, spec, packet_size)) {
    UniformNetwork network{interconnect, spec, packet_size};
    return use(network);
  }
  CutThroughNetwork network{interconnect, spec};
  return use(network);
}

}  // namespace tessera::sim
