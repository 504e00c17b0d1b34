#include "sim/model/fabric/fabric_packet.hpp"

namespace tessera::sim {

IdVector<arch::ChannelId, ChannelTiming> wire_timing(arch::Interconnect const& interconnect) {
  IdVector<arch::ChannelId, ChannelTiming> timing;
  for (auto const& channel : interconnect.channels()) {
    if (channel.is_internal) {
      timing.push_back({0, 1, 0});
      continue;
    }
    timing.push_back(
        {8 * picoseconds_per_second, channel.wire.bandwidth.value(), channel.wire.latency.value()});
  }
  return timing;
}

IdVector<arch::ChannelId, ChannelTiming> clocked_timing(arch::Interconnect const& interconnect,
                                                        Tick latency) {
  return IdVector<arch::ChannelId, ChannelTiming>{interconnect.channels().size(), {1, 1, latency}};
}

}  // namespace tessera::sim
