#include "sim/outcome/idle_transfers.hpp"

#include <algorithm>

#include "sim/model/fabric/route_finder.hpp"

namespace tessera::sim::outcome {

namespace {

arch::NodeId node(AcceleratorId accelerator) { return arch::NodeId{accelerator.index()}; }

/// As far as routes depend on it.
Message message_of(Task const& transfer, arch::Turn turn = arch::Turn::positive) {
  Message message;
  message.source = transfer.accelerator;
  message.destination = transfer.destination;
  message.receiver = end_of(transfer);
  message.level = transfer.level;
  message.turn = turn;
  return message;
}

}  // namespace

IdleTransfers::IdleTransfers(Blueprint const& blueprint) : blueprint_{blueprint} {
  for (std::size_t index = 0; index < blueprint.topology.accelerators(); ++index) {
    routers_.push_back(through(arch::NodeId{index}));
  }
}

std::vector<Way> const& IdleTransfers::ways(Task const& transfer) {
  auto const [known, is_new] = known_.try_emplace(key_of(transfer));
  if (!is_new) return known->second;
  for (auto const& part : parts_of(transfer)) known->second.push_back(way_of(transfer, part.turn));
  return known->second;
}

/// 28 bits for each end, 8 for the level.
IdleTransfers::Key IdleTransfers::key_of(Task const& transfer) {
  constexpr unsigned bits = 28;
  auto const source = std::uint64_t{transfer.accelerator.index()};
  auto const destination = std::uint64_t{transfer.destination.index()};
  EXPECTS(source >> bits == 0 && destination >> bits == 0, source, destination);
  return {(source << bits | destination) << 8U | transfer.level, end_of(transfer).index()};
}

arch::MessageParts IdleTransfers::parts_of(Task const& transfer) const {
  auto const& topology = blueprint_.topology;
  return topology.cut(node(transfer.accelerator), end_of(topology, message_of(transfer)),
                      bytes_of_round(transfer));
}

Way IdleTransfers::way_of(Task const& transfer, arch::Turn turn) const {
  auto const& topology = blueprint_.topology;
  auto const to = node(transfer.destination);
  Way way;
  way.links = route_of(topology, message_of(transfer, turn));
  auto const hop = hop_latency();
  bool const has_packets = blueprint_.array.fabric.packets.has_value();
  auto const least = has_packets ? Time{0} : hop;
  for (auto const id : way.links) {
    auto const& link = topology.links()[id];
    way.latency += std::max(link.latency, least);
    auto const known = std::find_if(way.stretches.begin(), way.stretches.end(),
                                    [&](Stretch const& it) { return it.level == link.level; });
    if (known == way.stretches.end()) {
      way.stretches.push_back({link.level, link.lane_bandwidth});
    } else {
      known->narrowest = std::min(known->narrowest, link.lane_bandwidth);
    }
  }
  auto const between = static_cast<std::int64_t>(way.links.size()) - 1;
  way.latency += hop * std::max(between, std::int64_t{0}) + through(to);
  return way;
}

std::vector<std::vector<Serialisation>> IdleTransfers::serialisations(Task const& transfer) {
  auto const& all = ways(transfer);
  auto const parts = parts_of(transfer);
  std::vector<std::vector<Serialisation>> of_ways(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (auto const& [level, narrowest] : all[i].stretches) {
      of_ways[i].push_back({level, parts[i].size / narrowest});
    }
  }
  return of_ways;
}

Time IdleTransfers::length(Task const& transfer) {
  auto const& all = ways(transfer);
  auto const wires = serialisations(transfer);
  Time longest{0};
  for (std::size_t i = 0; i < all.size(); ++i) {
    Time wire{0};
    for (auto const& it : wires[i]) wire = std::max(wire, it.time);
    longest = std::max(longest, wire + all[i].latency);
  }
  return longest + adding(transfer);
}

/// As sim/model/fabric/network_interface.hpp has it.
Time IdleTransfers::adding(Task const& transfer) const {
  auto const& rate = blueprint_.spec(transfer.destination).reduce_bandwidth;
  if (!transfer.reduces || !rate) return Time{0};
  return 3 * bytes_of_round(transfer) / *rate;
}

/// Of a router.
Time IdleTransfers::hop_latency() const {
  auto const& packets = blueprint_.array.fabric.packets;
  return packets ? packets->router.pipeline : blueprint_.hop_latency();
}

/// The router of an accelerator, if it has one.
Time IdleTransfers::through(arch::NodeId accelerator) const {
  return blueprint_.topology.passes_through(accelerator) ? hop_latency() : Time{0};
}

Time IdleTransfers::arrival_at_link(Task const& transfer, Time issued) const {
  auto const& clock = blueprint_.clock(transfer.accelerator);
  auto const edge = clock.clock().edge_at_or_after(issued);
  return outcome::arrival_at_link(clock, routers_[transfer.accelerator], edge);
}

bool IdleTransfers::is_exact(Task const& transfer) const {
  return !blueprint_.array.fabric.packets &&
         !blueprint_.spec(transfer.accelerator).transfer_block &&
         !blueprint_.spec(transfer.destination).transfer_block;
}

}  // namespace tessera::sim::outcome
