#include "sim/model/fabric/packet/fabric_packet.hpp"

namespace tessera::sim {

IdVector<arch::ChannelId, ChannelTiming> wire_timing(arch::Interconnect const& interconnect) {
  IdVector<arch::ChannelId, ChannelTiming> timing;
  for (auto const& channel : interconnect.channels()) {
    if (channel.is_internal) {
      timing.push_back({0, 1, 0});
      continue;
    }
    auto const& wire = channel.wire;
    timing.push_back(
        {8 * picoseconds_per_second, wire.bandwidth.value(), wire.latency.value(), wire.duplex});
  }
  return timing;
}

IdVector<arch::ChannelId, ChannelTiming> clocked_timing(arch::Interconnect const& interconnect,
                                                        Tick latency) {
  IdVector<arch::ChannelId, ChannelTiming> timing;
  for (auto const& channel : interconnect.channels()) {
    timing.push_back({1, 1, latency, channel.wire.duplex});
  }
  return timing;
}

}  // namespace tessera::sim
