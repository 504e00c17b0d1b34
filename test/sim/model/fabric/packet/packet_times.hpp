// Running a network, and holding the times of its packets against its twin's.
#pragma once

#include <gtest/gtest.h>

#include "test/support/fabric/random_traffic.hpp"

namespace tessera::test {

/// Until nothing is under way.
template <typename Network>
[[nodiscard]] std::vector<sim::FabricDelivery> run_on(Network& model,
                                                      std::vector<TimedPacket> const& packets) {
  std::vector<sim::FabricDelivery> out;
  for (auto const& [when, packet] : packets) {
    model.advance(when, out);
    model.send(when, packet);
  }
  model.advance(sim::never, out);
  EXPECT_EQ(model.delivered(), model.sent());
  return by_tag(out);
}

/// The same on an empty CutThroughNetwork or WormholeNetwork.
template <typename Network, typename Spec>
[[nodiscard]] std::vector<sim::FabricDelivery> run(arch::Interconnect const& net, Spec const& spec,
                                                   std::vector<TimedPacket> const& packets) {
  Network model{net, spec};
  return run_on(model, packets);
}

inline void expect_equal_times(std::vector<sim::FabricDelivery> const& fast,
                               std::vector<sim::FabricDelivery> const& slow) {
  ASSERT_EQ(fast.size(), slow.size());
  for (std::size_t packet = 0; packet < fast.size(); ++packet) {
    ASSERT_EQ(fast[packet].injected, slow[packet].injected) << packet;
    ASSERT_EQ(fast[packet].delivered, slow[packet].delivered) << packet;
    ASSERT_EQ(fast[packet].hops, slow[packet].hops) << packet;
  }
}

}  // namespace tessera::test
