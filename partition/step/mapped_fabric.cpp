// Link by link, route by route.
#include "partition/step/mapped_fabric.hpp"

#include <algorithm>

namespace tessera::partition {

namespace {

using arch::LinkId;
using arch::NodeId;
using arch::Turn;

bool are_alike(arch::Link const& a, arch::Link const& b) {
  return a.lanes == 1 && b.lanes == 1 && a.lane_bandwidth == b.lane_bandwidth &&
         a.latency == b.latency;
}

}  // namespace

OutgoingLinks::OutgoingLinks(arch::Topology const& topology)
    : topology_{topology}, leaving_(topology.node_names().size()) {
  for (auto const id : topology.links().ids()) {
    leaving_[topology.links()[id].from.index()].push_back(id);
  }
}

std::optional<LinkId> OutgoingLinks::between(std::size_t from, std::size_t to) const {
  for (auto const id : leaving_[from]) {
    if (topology_.links()[id].to.index() == to) return id;
  }
  return std::nullopt;
}

MappedFabric::MappedFabric(arch::Topology const& topology, arch::NodePositions const& positions,
                           OutgoingLinks const& outgoing, std::vector<std::size_t> map)
    : topology_{topology}, map_{std::move(map)} {
  auto const& links = topology_.links();
  auto const moved = [&](NodeId node) {
    return positions.moved(node, map_[positions.leaf(node)]).index();
  };
  for (auto const& link : links) {
    auto const image = outgoing.between(moved(link.from), moved(link.to));
    maps_links_ = image && are_alike(link, links[*image]);
    if (!maps_links_) return;
    images_.push_back(*image);
  }
}

bool MappedFabric::maps_routes(std::vector<Exchange> const& exchanges, Bytes element_size) {
  return std::all_of(exchanges.begin(), exchanges.end(), [&](Exchange const& exchange) {
    auto const size = element_size * exchange.elements.value();
    switch (paths(exchange.from, exchange.to)) {
      case Paths::kept:
        return true;
      case Paths::swapped:
        return size.value() % 2 == 0;  // else one half has a byte more (Topology::cut)
      case Paths::lost:
        return false;
    }
    return false;
  });
}

/// Each pair of ends is looked at once.
MappedFabric::Paths MappedFabric::paths(std::size_t from, std::size_t to) {
  auto const ends = std::uint64_t{from} * map_.size() + to;
  auto const [known, is_new] = known_.try_emplace(ends, Paths::kept);
  if (is_new) known->second = compare(NodeId{from}, NodeId{to});
  return known->second;
}

MappedFabric::Paths MappedFabric::compare(NodeId source, NodeId destination) const {
  NodeId const its_source{map_[source.index()]}, its_destination{map_[destination.index()]};
  auto const has_two_ways = topology_.has_two_ways(source, destination);
  if (has_two_ways != topology_.has_two_ways(its_source, its_destination)) return Paths::lost;
  auto const mapped = [&](Turn turn) {
    auto route = topology_.route(source, destination, turn);
    for (auto& link : route) link = images_[link];
    return route;
  };
  auto const its_own = [&](Turn turn) {
    return topology_.route(its_source, its_destination, turn);
  };
  auto const first = mapped(Turn::positive);
  if (!has_two_ways) return first == its_own(Turn::positive) ? Paths::kept : Paths::lost;
  auto const second = mapped(Turn::negative);
  auto const paths = std::pair{its_own(Turn::positive), its_own(Turn::negative)};
  if (paths == std::pair{first, second}) return Paths::kept;
  return paths == std::pair{second, first} ? Paths::swapped : Paths::lost;
}

}  // namespace tessera::partition
