// A member of a network hangs by its router 0 on the router of its place. Packets for the outside go to router 0 and up; packets from
// the outside come down there. In networks that are not trees, packets whose destination is inside have classes of virtual channels of
// their own: outbound packets wait for the outer network, inbound ones only for the inside, so the two never wait for each other in
// a circle.
#include "arch/fabric/interconnect_builder.hpp"

#include <algorithm>

#include "arch/base/config_error.hpp"
#include "arch/fabric/graph_checks.hpp"

namespace tessera::arch {

namespace {

constexpr std::size_t most_table_entries = std::size_t{1} << 28;
constexpr std::size_t most_choices = 65535;

[[nodiscard]] std::uint64_t key_of(Hop const& hop) {
  return hop.channel.index() * std::uint64_t{256} + hop.vc_class;
}

}  // namespace

class InterconnectBuilder::RouterChoices {
 public:
  explicit RouterChoices(Interconnect& result) : result_{&result} {
    result_->first_choice_.push_back(static_cast<std::uint32_t>(result_->choices_.size()));
  }

  [[nodiscard]] std::uint16_t number(std::vector<Hop> const& hops) {
    auto const next = static_cast<std::uint16_t>(single_.size() + several_.size());
    std::uint16_t found = next;
    if (hops.size() == 1) {
      found = single_.try_emplace(key_of(hops.front()), next).first->second;
    } else {
      std::vector<std::uint64_t> keys;
      keys.reserve(hops.size());
      for (auto const& hop : hops) keys.push_back(key_of(hop));
      found = several_.try_emplace(std::move(keys), next).first->second;
    }
    if (found == next) add(hops);
    return found;
  }

 private:
  void add(std::vector<Hop> const& hops) {
    EXPECTS(single_.size() + several_.size() <= most_choices);
    result_->choices_.push_back({static_cast<std::uint32_t>(result_->hops_.size()),
                                 static_cast<std::uint32_t>(hops.size())});
    result_->hops_.insert(result_->hops_.end(), hops.begin(), hops.end());
  }

  Interconnect* result_;
  std::unordered_map<std::uint64_t, std::uint16_t> single_;
  std::map<std::vector<std::uint64_t>, std::uint16_t> several_;
};

InterconnectBuilder::InterconnectBuilder(TopologySpec const& topology, Paths paths,
                                         Interconnect& result)
    : topology_{&topology}, paths_{paths}, result_{&result} {}

void InterconnectBuilder::build() {
  auto& result = *result_;
  result.endpoints_ = topology_->endpoints();
  auto const routers = count_routers(*topology_);
  if (result.endpoints_ > most_table_entries / routers) {
    throw ConfigError({}, {},
                      "the interconnect has too many endpoints and routers (" +
                          std::to_string(result.endpoints_) + " and " + std::to_string(routers) +
                          ")");
  }
  result.injection_ = IdVector<VertexId, ChannelId>{result.endpoints_};
  result.vertices_ = result.endpoints_;
  add_group(*topology_, false);
  check_connected();
  fill_table();
}

std::size_t InterconnectBuilder::count_routers(TopologySpec const& topology) const {
  auto routers = make_rule(topology, paths_)->routers();
  for (auto const& member : topology.members) routers += count_routers(member);
  return routers;
}

std::size_t InterconnectBuilder::add_group(TopologySpec const& topology, bool is_member) {
  auto const index = groups_.size();
  groups_.emplace_back();
  auto& group = groups_.back();
  group.spec = &topology;
  group.rule = make_rule(topology, paths_);
  group.first_router = result_->vertices_;
  result_->vertices_ += group.rule->routers();
  group_of_.resize(result_->vertices_ - result_->endpoints_, index);
  add_links(group, is_member);
  add_members(index);
  return index;
}

ChannelId InterconnectBuilder::join(std::size_t a, std::size_t b, Channel channel) {
  channel.from = VertexId{a};
  channel.to = VertexId{b};
  result_->classes_ = std::max(result_->classes_, channel.classes);
  return result_->channels_.push_back(channel);
}

void InterconnectBuilder::add_links(Group& group, bool is_member) {
  group.links.resize(group.rule->routers());
  for (auto const& link : group.rule->links()) {
    auto const phases = is_member && group.rule->has_phases() ? 2 : 1;
    Channel channel;
    channel.wire = group.spec->links[std::min(link.wire, group.spec->links.size() - 1)];
    channel.classes = static_cast<std::uint8_t>(link.classes * phases);
    auto const a = group.first_router + link.a;
    auto const b = group.first_router + link.b;
    channel.lane = link.lane_forward;
    group.links[link.a].push_back(join(a, b, channel));
    channel.lane = link.lane_backward;
    group.links[link.b].push_back(join(b, a, channel));
  }
  auto const& channels = result_->channels_;
  for (auto& list : group.links) {
    std::sort(list.begin(), list.end(),
              [&](auto x, auto y) { return channels[x].to < channels[y].to; });
  }
}

void InterconnectBuilder::add_members(std::size_t index) {
  auto const& spec = *groups_[index].spec;
  Channel port;
  auto const has_wire =
      groups_[index].rule->port_is_lowest_link() || spec.port || !spec.members.empty();
  port.is_internal = !has_wire;
  if (has_wire) port.wire = spec.port.value_or(spec.links.back());
  for (std::size_t place = 0; place < spec.places(); ++place) {
    auto const router = groups_[index].first_router + groups_[index].rule->router_of(place);
    groups_[index].place_begin.push_back(next_endpoint_);
    if (spec.members.empty()) {
      VertexId const endpoint{next_endpoint_++};
      result_->injection_[endpoint] = join(endpoint.index(), router, port);
      groups_[index].into.push_back(join(router, endpoint.index(), port));
    } else {
      auto const member = add_group(spec.members[place], true);
      auto const gate = groups_[member].first_router;
      groups_[member].out = join(gate, router, port);
      groups_[index].into.push_back(join(router, gate, port));
    }
  }
  groups_[index].place_begin.push_back(next_endpoint_);
}

void InterconnectBuilder::check_connected() const {
  detail::Adjacency adjacency(result_->vertices_);
  for (auto const& channel : result_->channels_) {
    adjacency[channel.from.index()].push_back(channel.to.index());
  }
  if (detail::is_strongly_connected(adjacency)) return;
  // Links lead both ways: a part that the first endpoint does not reach is apart.
  auto const hops = detail::distances_from_first(adjacency);
  auto const apart = std::find(hops.begin(), hops.end(), hops.size()) - hops.begin();
  auto const name = [&](std::size_t vertex) { return result_->name(VertexId{vertex}); };
  throw ConfigError({}, {},
                    "the interconnect is not connected (no links lead from " + name(0) + " to " +
                        name(static_cast<std::size_t>(apart)) + "); join them");
}

void InterconnectBuilder::fill_table() {
  auto const routers = result_->vertices_ - result_->endpoints_;
  result_->table_.reserve(routers * result_->endpoints_);
  std::vector<Hop> hops;
  for (std::size_t router = 0; router < routers; ++router) {
    auto const& group = groups_[group_of_[router]];
    RouterChoices choices{*result_};
    for (std::size_t destination = 0; destination < result_->endpoints_; ++destination) {
      find_hops(group, router + result_->endpoints_ - group.first_router, destination, hops);
      result_->table_.push_back(choices.number(hops));
    }
  }
}

void InterconnectBuilder::find_hops(Group const& group, std::size_t router, std::size_t destination,
                                    std::vector<Hop>& hops) {
  auto const& begin = group.place_begin;
  auto const inside = destination >= begin.front() && destination < begin.back();
  auto const place =
      inside ? static_cast<std::size_t>(std::upper_bound(begin.begin(), begin.end(), destination) -
                                        begin.begin()) -
                   1
             : 0;
  auto const target = inside ? group.rule->router_of(place) : 0;
  if (router == target) {
    hops.assign(1, {inside ? group.into[place] : group.out.value(), 0});
    return;
  }
  hops.clear();
  group.rule->next({router, target, place}, steps_);
  auto const& channels = result_->channels_;
  for (auto const& step : steps_) {
    auto const& links = group.links[router];
    VertexId const to{group.first_router + step.router};
    auto const link = std::lower_bound(links.begin(), links.end(), to, [&](auto id, auto vertex) {
      return channels[id].to < vertex;
    });
    EXPECTS(link != links.end() && channels[*link].to == to, router, step.router);
    auto const phases = group.out.has_value() && group.rule->has_phases() && inside;
    auto const shift = phases ? channels[*link].classes / 2 : 0;
    hops.push_back({*link, static_cast<std::uint8_t>(step.vc_class + shift)});
  }
}

}  // namespace tessera::arch
