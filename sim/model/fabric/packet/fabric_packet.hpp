// What travels through the models of fabrics, and what they are told about time.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/fabric/interconnect_spec.hpp"
#include "sim/model/fabric/packet/wake_queue.hpp"

namespace tessera::sim {

/// A packet that its source wants to send. `size` is in flits or in bytes, as the channels' rates.
struct FabricPacket {
  std::uint32_t source = 0;       ///< an endpoint
  std::uint32_t destination = 0;  ///< an endpoint
  std::uint32_t size = 1;
  std::uint32_t tag = 0;    ///< the sender's; comes back with the delivery
  std::uint32_t bytes = 0;  ///< where flits are what is sent: how many bytes are in them
};

/// A packet whose last bit has arrived.
struct FabricDelivery {
  std::uint32_t tag = 0;
  std::uint32_t hops = 0;  ///< routers on its way
  Tick created = 0;        ///< when its source wanted to send it
  Tick injected = 0;       ///< when its first bit left the source
  Tick delivered = 0;      ///< when its last bit arrived
};

/// How fast a channel is: `size` takes ceil(size * ticks / units) ticks. No ticks: no wire at all.
struct ChannelTiming {
  Tick ticks = 1;
  Tick units = 1;
  Tick latency = 1;  ///< from the first bit sent to the first bit received
  arch::Duplex duplex = arch::Duplex::full;

  friend bool operator==(ChannelTiming const& a, ChannelTiming const& b) {
    return a.ticks == b.ticks && a.units == b.units && a.latency == b.latency &&
           a.duplex == b.duplex;
  }
};

/// Every channel in picoseconds and bytes, as its wire is.
[[nodiscard]] IdVector<arch::ChannelId, ChannelTiming> wire_timing(
    arch::Interconnect const& interconnect);

/// Every channel in clock cycles and flits: one flit per cycle.
[[nodiscard]] IdVector<arch::ChannelId, ChannelTiming> clocked_timing(
    arch::Interconnect const& interconnect, Tick latency);

/// What a channel carried.
struct ChannelCount {
  std::int64_t packets = 0;
  std::int64_t units = 0;  ///< flits or bytes
  Tick busy = 0;
};

using arch::Arbitration;
using arch::Switching;

}  // namespace tessera::sim
