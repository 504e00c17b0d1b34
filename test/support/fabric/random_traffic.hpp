// Interconnects and packets at random, from idle to saturated, and how a twin runs them.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "sim/model/fabric/packet/fabric_packet.hpp"

namespace tessera::test {

using Random = std::mt19937_64;

[[nodiscard]] std::int64_t draw(Random& random, std::int64_t from, std::int64_t to);

struct TimedPacket {
  sim::Tick when;
  sim::FabricPacket packet;
};

/// By its short name, with links of 1 B per ns and 1 ns.
[[nodiscard]] arch::Interconnect interconnect_named(std::string const& name,
                                                    arch::Paths paths = arch::Paths::one);
/// Any of many topologies, with one way or all of equal cost.
[[nodiscard]] arch::Interconnect random_interconnect(Random& random);

/// The same of topologies in which endpoints are routers: no wire leads to them.
[[nodiscard]] arch::Interconnect random_interconnect_of_routers(Random& random);

/// In the order of their times; tags count from 0.
[[nodiscard]] std::vector<TimedPacket> random_packets(Random& random,
                                                      arch::Interconnect const& interconnect,
                                                      std::uint32_t count);

[[nodiscard]] inline std::vector<sim::FabricDelivery> by_tag(
    std::vector<sim::FabricDelivery> deliveries) {
  std::sort(deliveries.begin(), deliveries.end(),
            [](auto const& a, auto const& b) { return a.tag < b.tag; });
  return deliveries;
}

/// Until all have arrived, or a million ticks are over.
template <typename Twin>
[[nodiscard]] std::vector<sim::FabricDelivery> run_twin(Twin& twin,
                                                        std::vector<TimedPacket> const& packets) {
  std::vector<sim::FabricDelivery> out;
  auto next = packets.begin();
  while (out.size() < packets.size() && twin.now() < 1'000'000) {
    for (; next != packets.end() && next->when == twin.now(); ++next) {
      twin.send(next->when, next->packet);
    }
    twin.step(out);
  }
  return by_tag(out);
}

}  // namespace tessera::test
