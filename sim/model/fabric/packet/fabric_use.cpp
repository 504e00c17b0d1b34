#include "sim/model/fabric/packet/fabric_use.hpp"

#include <algorithm>

namespace tessera::sim {

FabricUse use_of(PacketNetwork const& network, arch::Interconnect const& interconnect, Tick end) {
  FabricUse use{IdVector<arch::ChannelId, ChannelCount>{interconnect.channels().size()}, end};
  for (auto const id : use.channels.ids()) use.channels[id] = network.count(id);
  return use;
}

arch::InterconnectCounts counts_of(arch::Interconnect const& interconnect,
                                   IdVector<arch::ChannelId, ChannelTiming> const& channels,
                                   FabricUse const& use, FabricUnits const& units) {
  arch::InterconnectCounts counts;
  for (auto const id : interconnect.channels().ids()) {
    auto const& channel = interconnect.channels()[id];
    auto const carried = use.channels[id].units;
    if (!interconnect.is_endpoint(channel.from)) {
      counts.flits_through_routers += tessera::detail::multiply_divide_ceil(carried, 1, units.flit);
    }
    if (channel.is_internal) continue;
    auto const& timing = channels[id];
    auto const room = tessera::detail::multiply_divide_ceil(use.end, timing.units, timing.ticks);
    counts.bits_over_links += carried * units.bits;
    auto on_wire = carried;
    if (timing.duplex == arch::Duplex::half) {
      auto const back = arch::Interconnect::way_back(id);
      if (back < id) continue;  // the room of their wire counts once
      on_wire += use.channels[back].units;
    }
    counts.idle_bits += std::max<std::int64_t>(0, room - on_wire) * units.bits;
  }
  return counts;
}

}  // namespace tessera::sim
