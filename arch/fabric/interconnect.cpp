// Routes.
#include "arch/fabric/interconnect.hpp"

#include <algorithm>

#include "arch/fabric/interconnect_builder.hpp"

namespace tessera::arch {

namespace {

constexpr std::size_t reserved_hops = 16;  ///< in a route; a longer one grows

}  // namespace

Interconnect::Interconnect(TopologySpec const& topology, Paths paths, Asked asked) {
  InterconnectBuilder{topology, paths, asked, *this}.build();
}

Interconnect interconnect_at(ConfigNode const& node, TopologySpec const& topology, Paths paths) {
  try {
    return Interconnect{topology, paths};
  } catch (ConfigError const& error) {
    throw node.error(error.problem());
  }
}

std::string Interconnect::name(VertexId vertex) const {
  return is_endpoint(vertex) ? "endpoint-" + std::to_string(vertex.index())
                             : "router-" + std::to_string(vertex.index() - endpoints_);
}

bool Interconnect::has_half_duplex() const {
  return std::any_of(channels_.begin(), channels_.end(),
                     [](Channel const& channel) { return channel.wire.duplex == Duplex::half; });
}

std::vector<Hop> Interconnect::route(VertexId source, VertexId destination, Choice choice) const {
  std::vector<Hop> route;
  route.reserve(reserved_hops);
  route.push_back({injection_[source], 0});
  std::vector<Hop> hops;
  while (true) {
    auto const& last = route.back();
    auto const at = channels_[last.channel].to;
    if (is_endpoint(at)) return route;
    ENSURES(route.size() <= 2 * vertices_, source, destination);
    routing_->find(at.index() - endpoints_, destination.index(), hops);
    auto hop = choice == Choice::first ? hops.front() : hops.back();
    hop.vc_class = class_after(last.channel, last.vc_class, hop);
    route.push_back(hop);
  }
}

bool Interconnect::has_choice(VertexId source, VertexId destination) const {
  auto const ends = source.index() * endpoints_ + destination.index();
  auto const [known, is_new] = has_choice_.try_emplace(ends, false);
  if (is_new) known->second = finds_choice(source, destination);
  return known->second;
}

bool Interconnect::finds_choice(VertexId source, VertexId destination) const {
  std::vector<Hop> hops;
  for (auto at = channels_[injection_[source]].to; !is_endpoint(at);) {
    routing_->find(at.index() - endpoints_, destination.index(), hops);
    if (hops.size() > 1) return true;
    at = channels_[hops.front().channel].to;
  }
  return false;
}

IdVector<VertexId, std::vector<ChannelId>> channels_from(Interconnect const& interconnect) {
  IdVector<VertexId, std::vector<ChannelId>> leaving{interconnect.vertices()};
  auto const& channels = interconnect.channels();
  for (auto const id : channels.ids()) leaving[channels[id].from].push_back(id);
  return leaving;
}

}  // namespace tessera::arch
