// Equal accelerators send equal messages over equal links of their own, so the busiest link of one is the busiest of all.
#include "partition/price/ring_sum_cost.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tessera::partition {

namespace {

using arch::NodeId;
using arch::Topology;
using Ends = std::pair<std::size_t, std::size_t>;

/// Does everything between neighbours go over a link from one to the other, all of them alike?
bool have_links_of_their_own(Topology const& topology, DeviceMesh const& mesh, RingSum const& sum) {
  std::optional<Bandwidth> bandwidth;
  auto const is_own = [&](Exchange const& exchange, arch::Turn turn) {
    NodeId const from{mesh.devices[exchange.from]};
    auto const route = topology.route(from, NodeId{mesh.devices[exchange.to]}, turn);
    if (route.size() != 1) return false;
    auto const& link = topology.links()[route.front()];
    if (!bandwidth) bandwidth = link.lane_bandwidth;
    return link.from == from && link.lanes == 1 && link.lane_bandwidth == *bandwidth;
  };
  for (auto const& step : sum.neighbours()) {
    for (auto const& exchange : step.exchanges) {
      if (!is_own(exchange, arch::Turn::positive) || !is_own(exchange, arch::Turn::negative))
        return false;
    }
  }
  return true;
}

/// What is sent from whom to whom, all rounds together.
std::map<Ends, Elements> sent_in(std::vector<ReshardStep> const& steps) {
  std::map<Ends, Elements> sent;
  for (auto const& step : steps) {
    for (auto const& exchange : step.exchanges) {
      sent.emplace(Ends{exchange.from, exchange.to}, Elements{0}).first->second +=
          exchange.elements;
    }
  }
  return sent;
}

}  // namespace

std::optional<ExchangeCost> ring_sum_cost(Topology const& topology, Hierarchy const& array,
                                          DeviceMesh const& mesh, Bytes element_size,
                                          RingSum const& sum) {
  if (!have_links_of_their_own(topology, mesh, sum)) return std::nullopt;
  auto const firsts = sum.firsts_of_equals();
  auto const steps = sum.rounds(firsts);
  ExchangeCost cost{seconds(exchange_time(topology, mesh, element_size, steps)),
                    std::vector<double>(array.levels())};
  std::map<std::size_t, std::vector<std::size_t>> equals;
  for (std::size_t i = 0; i < firsts.size(); ++i) equals[firsts[i]].push_back(i);
  for (auto const& [ends, elements] : sent_in(steps)) {
    for (auto const from : equals.at(ends.first)) {
      auto const to = sum.shifted(from, ends.first, ends.second);
      auto const level = array.outermost_difference(mesh.devices[from], mesh.devices[to]);
      cost.level_elements[level] += static_cast<double>(elements.value());
    }
  }
  return cost;
}

}  // namespace tessera::partition
