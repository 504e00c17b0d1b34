// What a run of a network put on its channels, and the events that cost energy.
#pragma once

#include "arch/fabric/interconnect_spec.hpp"
#include "sim/model/fabric/packet/cut_through_network.hpp"

namespace tessera::sim {

/// By channel, from 0 to `end`.
struct FabricUse {
  IdVector<arch::ChannelId, ChannelCount> channels;
  Tick end = 0;
};

/// Of a network that has run.
[[nodiscard]] FabricUse use_of(PacketNetwork const& network, arch::Interconnect const& interconnect,
                               Tick end);

/// In which units a network counts: bytes or flits.
struct FabricUnits {
  std::int64_t bits = 8;  ///< of a unit
  std::int64_t flit = 1;  ///< units of a flit
};

/// A flit counts at every router that it leaves (bytes of a last flit that is not full count as
/// such), a bit on every wire; an idle bit is what a wire could have carried meanwhile: each way,
/// or both ways together if it is half duplex.
[[nodiscard]] arch::InterconnectCounts counts_of(
    arch::Interconnect const& interconnect,
    IdVector<arch::ChannelId, ChannelTiming> const& channels, FabricUse const& use,
    FabricUnits const& units);

}  // namespace tessera::sim
