// Link by link, route by route.
#include "partition/step/shifted_fabric.hpp"

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

ShiftedFabric::ShiftedFabric(arch::Topology const& topology, OutgoingLinks const& outgoing,
                             std::vector<std::size_t> shift)
    : topology_{topology}, shift_{std::move(shift)} {
  auto const& links = topology_.links();
  for (auto const& link : links) {
    auto const image = outgoing.between(shift_[link.from.index()], shift_[link.to.index()]);
    maps_links_ = image && are_alike(link, links[*image]);
    if (!maps_links_) return;
    images_.push_back(*image);
  }
}

bool ShiftedFabric::maps_routes(std::vector<Exchange> const& exchanges) {
  return std::all_of(exchanges.begin(), exchanges.end(), [this](Exchange const& exchange) {
    return maps_route(exchange.from, exchange.to);
  });
}

/// Each pair of ends is looked at once.
bool ShiftedFabric::maps_route(std::size_t from, std::size_t to) {
  if (!known_.insert({from, to}).second) return true;
  NodeId const source{from}, destination{to};
  NodeId const its_source{shift_[from]}, its_destination{shift_[to]};
  auto const has_two_ways = topology_.has_two_ways(source, destination);
  if (has_two_ways != topology_.has_two_ways(its_source, its_destination)) return false;
  for (auto const turn : {Turn::positive, Turn::negative}) {
    auto route = topology_.route(source, destination, turn);
    for (auto& link : route) link = images_[link];
    if (route != topology_.route(its_source, its_destination, turn)) return false;
    if (!has_two_ways) break;
  }
  return true;
}

}  // namespace tessera::partition
