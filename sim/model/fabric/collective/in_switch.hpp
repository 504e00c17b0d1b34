// All-reduce by switches that add: Graham et al., "Scalable Hierarchical Aggregation Protocol (SHArP): A Hardware Architecture for
// Efficient Data Reduction", COMHPC 2016 (section III: aggregation nodes in the switches of a tree, operands of a packet's size).
//
// Every endpoint sends its vector up once, in operands: packets of a size, or else the chunks of the pipeline. A switch that has an
// operand whole from each of its children adds them at the rate at which they come, and sends one up, the router's pipeline later. The
// root's sums come down the same tree: a switch copies each to all of its children as a packet is cut through. All links of the tree
// carry every byte of the vector once up and once down. The tree has the topology's first switch as its root and leads from there to each
// endpoint the shortest way; of a fat tree it uses one root and one way up of each switch.
//
// Timing is that of CutThroughNetwork: links busy for bytes over bandwidth, latencies, the pipeline of each switch, onto a faster link no
// sooner than bits cannot run out, room for as many packets as a port's virtual channels have buffers, given back when the sum (or the
// last copy) has left. Nothing else is on the links, so that every time follows from those of the operands before; no events are needed.
// Left out: other traffic, several trees at once, setting up a tree, a limit of operands under way other than the buffers, half-duplex
// links, and the energy of the adders (no figure is published; links and routers count as always).
#pragma once

#include "sim/model/fabric/collective/collective_run.hpp"

namespace tessera::sim {

/// Do all endpoints hang on one tree of switches: a star, a tree, a fat tree, or trees in trees?
[[nodiscard]] bool has_tree_of_switches(arch::TopologySpec const& topology);

/// Runs an all-reduce among all endpoints, from time 0 until the last one has noticed its last
/// bytes. `network` is in picoseconds and bytes; the vector goes in `chunks` of so many bytes, each
/// at most 4 GiB. Requires a topology that has_tree_of_switches() and no half-duplex links. The
/// messages are those that endpoints send.
[[nodiscard]] TransferResult run_in_switch(arch::Interconnect const& interconnect,
                                           CutThroughSpec const& network,
                                           EndpointSpec const& endpoints,
                                           std::vector<std::int64_t> const& chunks);

}  // namespace tessera::sim
