// The time that messages which wait for each other take at least, without simulating them.
#pragma once

#include "sim/model/fabric/collective/collective_run.hpp"

namespace tessera::sim {

/// No run_transfers() of the same takes less: messages in a chain follow each other, each as fast
/// as alone on its way, and a channel, or a half-duplex wire both ways, carries its bytes one after
/// another. Of several ways of equal cost it counts on none for its bytes.
[[nodiscard]] Tick least_time(arch::Interconnect const& interconnect, CutThroughSpec const& network,
                              EndpointSpec const& endpoints, TransferGraph const& graph);

}  // namespace tessera::sim
