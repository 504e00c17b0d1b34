// Latency in an empty network: one packet at a time, from every endpoint to every endpoint.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/model/fabric/packet/fabric_packet.hpp"

namespace tessera::sim {

/// The sum over all pairs of endpoints, each with itself included, of the time from creation to the
/// arrival of the last flit. `network` is empty.
template <typename Network>
[[nodiscard]] std::int64_t zero_load_sum(Network& network, std::uint32_t endpoints,
                                         std::uint32_t packet_flits) {
  std::vector<FabricDelivery> out;
  std::int64_t sum = 0;
  Tick now = 0;
  for (std::uint32_t source = 0; source < endpoints; ++source) {
    for (std::uint32_t destination = 0; destination < endpoints; ++destination) {
      network.send(now, {source, destination, packet_flits, 0});
      while (out.empty()) network.advance(++now, out);
      sum += out.front().delivered - out.front().created;
      now += 1000;  // everything has come to rest
      network.advance(now, out);
      out.clear();
    }
  }
  return sum;
}

}  // namespace tessera::sim
