// Messages that wait for each other, on a network with virtual cut-through: a collective, alone or with contention.
//
// A message travels as one packet, so that a message that meets no other takes exactly its bytes over the bandwidth; or it is cut in
// packets of a size, each with a header. When its last byte has arrived the receiver takes `endpoint_delay` to notice, and if it
// reduces, `reduce` more. Left out: what the endpoints' own computation does to their memory.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "sim/model/fabric/collective/transfer_graph.hpp"
#include "sim/model/fabric/packet/fabric_use.hpp"

namespace tessera::sim {

struct EndpointSpec {
  Tick endpoint_delay = 0;                    ///< from arrival to whatever follows
  std::optional<Bandwidth> reduce_bandwidth;  ///< of the receiver's memory: two reads and a write
  std::optional<std::uint32_t> packet_bytes;  ///< of data; none: a message is one packet
  std::uint32_t packet_header = 0;            ///< bytes that each packet carries besides
};

/// From the arrival of the last byte until whatever follows may start.
[[nodiscard]] Tick taking_in(EndpointSpec const& endpoints, Transfer const& transfer);

struct TransferResult {
  Tick time = 0;           ///< when the last message was taken in
  std::int64_t bytes = 0;  ///< of data, sent by all endpoints
  std::int64_t messages = 0;
  std::int64_t busiest_bytes = 0;  ///< of the channel that carried most, headers included
  FabricUse use;                   ///< of all channels, in bytes, headers included
};

/// A network of wires with buffers for a message to every channel that leaves a router (64 at
/// most), or for as many packets as are under way until the first one's credit is back (4096 at
/// most).
[[nodiscard]] CutThroughSpec roomy_network(arch::Interconnect const& interconnect, Tick pipeline,
                                           std::optional<std::uint32_t> packet_bytes = {});

/// Runs all transfers, from time 0, and waits for the last. `network` is in picoseconds and bytes,
/// and empty. `on_progress` hears now and then how many are done.
[[nodiscard]] TransferResult run_transfers(
    arch::Interconnect const& interconnect, CutThroughSpec const& network,
    EndpointSpec const& endpoints, TransferGraph const& graph,
    std::function<void(std::size_t)> const& on_progress = {});

}  // namespace tessera::sim
