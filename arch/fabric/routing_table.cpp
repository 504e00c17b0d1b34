// A member of a network hangs by its router 0 on the router of its place. Packets for the outside go to router 0 and up; packets from
// the outside come down there. In networks that are not trees, packets whose destination is inside have classes of virtual channels of
// their own: outbound packets wait for the outer network, inbound ones only for the inside, so the two never wait for each other in
// a circle.
#include "arch/fabric/routing_table.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "arch/base/contract.hpp"

namespace tessera::arch {

namespace {

constexpr std::size_t most_choices = 65535;

[[nodiscard]] std::uint64_t key_of(Hop const& hop) {
  return hop.channel.index() * std::uint64_t{256} + hop.vc_class;
}

/// Of an endpoint inside; `begin` as in a Network. Mostly there is one endpoint at every place.
[[nodiscard]] std::size_t place_of(std::size_t endpoint, std::vector<std::size_t> const& begin) {
  auto const number = endpoint - begin.front();
  if (number + 1 < begin.size() && begin[number] == endpoint && endpoint < begin[number + 1]) {
    return number;
  }
  auto const next = std::upper_bound(begin.begin(), begin.end(), endpoint);
  return static_cast<std::size_t>(next - begin.begin()) - 1;
}

}  // namespace

/// The next hops from one router; the same ones are kept once.
class RoutingTable::RowChoices final {
 public:
  explicit RowChoices(Row& row) : row_{&row} {}

  void add(std::vector<Hop> const& hops) { row_->choice_of.push_back(number(hops)); }

 private:
  [[nodiscard]] std::uint16_t number(std::vector<Hop> const& hops) {
    auto const next = static_cast<std::uint16_t>(row_->choices.size());
    std::uint16_t found = next;
    if (hops.size() == 1) {
      found = single_.try_emplace(key_of(hops.front()), next).first->second;
    } else {
      std::vector<std::uint64_t> keys;
      keys.reserve(hops.size());
      for (auto const& hop : hops) keys.push_back(key_of(hop));
      found = several_.try_emplace(std::move(keys), next).first->second;
    }
    if (found == next) keep(hops);
    return found;
  }

  void keep(std::vector<Hop> const& hops) {
    EXPECTS(row_->choices.size() < most_choices);
    row_->choices.push_back(
        {static_cast<std::uint32_t>(row_->hops.size()), static_cast<std::uint32_t>(hops.size())});
    row_->hops.insert(row_->hops.end(), hops.begin(), hops.end());
  }

  Row* row_;
  std::unordered_map<std::uint64_t, std::uint16_t> single_;
  std::map<std::vector<std::uint64_t>, std::uint16_t> several_;
};

RoutingTable::RoutingTable(std::size_t endpoints, std::vector<Network> networks,
                           std::vector<std::size_t> network_of)
    : endpoints_{endpoints},
      networks_{std::move(networks)},
      network_of_{std::move(network_of)},
      rows_(network_of_.size()) {}

RoutingTable::Row const& RoutingTable::fill(std::size_t router) const {
  auto& row = rows_[router];
  row.choice_of.reserve(endpoints_);
  RowChoices choices{row};
  std::vector<Hop> hops;
  for (std::size_t destination = 0; destination < endpoints_; ++destination) {
    find(router, destination, hops);
    choices.add(hops);
  }
  return row;
}

void RoutingTable::find(std::size_t router, std::size_t destination, std::vector<Hop>& hops) const {
  auto const& network = networks_[network_of_[router]];
  auto const here = router + endpoints_ - network.first_router;
  auto const& begin = network.place_begin;
  auto const inside = destination >= begin.front() && destination < begin.back();
  auto const place = inside ? place_of(destination, begin) : 0;
  auto const target = inside ? network.rule->router_of(place) : 0;
  if (here == target) {
    hops.assign(1, {inside ? network.into[place] : network.out.value(), 0});
    return;
  }
  hops.clear();
  network.rule->next({here, target, place}, steps_);
  for (auto const& step : steps_) {
    auto const& links = network.links[here];
    VertexId const to{network.first_router + step.router};
    auto const link = std::lower_bound(
        links.begin(), links.end(), to,
        [](Leaving const& leaving, VertexId vertex) { return leaving.to < vertex; });
    EXPECTS(link != links.end() && link->to == to, here, step.router);
    auto const phases = network.out.has_value() && network.rule->has_phases() && inside;
    auto const shift = phases ? link->classes / 2 : 0;
    hops.push_back({link->channel, static_cast<std::uint8_t>(step.vc_class + shift)});
  }
}

}  // namespace tessera::arch
