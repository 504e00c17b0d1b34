// Equal accelerators send equal messages. Over links that only one of them uses, the busiest link of
// a representative is as busy as any; over shared links, all messages of a round are counted.
#include "partition/price/ring_sum_cost.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

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

/// By representative, those it represents.
using Equals = std::map<std::size_t, std::vector<std::size_t>>;

Equals equals_of(RingSum::Representatives const& representatives) {
  Equals equals;
  for (std::size_t i = 0; i < representatives.size(); ++i) equals[representatives[i]].push_back(i);
  return equals;
}

/// A round of all accelerators, of which `step` has what representatives send.
ReshardStep whole_round(RingSum const& sum, Equals const& equals, ReshardStep const& step) {
  ReshardStep all;
  for (auto const& [first, to, elements, after] : step.exchanges) {
    for (auto const from : equals.at(first)) {
      all.exchanges.push_back({from, sum.shifted(from, first, to), elements});
    }
  }
  return all;
}

/// Rounds in which the same is sent take equally long.
class RoundTimes final {
 public:
  RoundTimes(Topology const& topology, DeviceMesh const& mesh, Bytes element_size,
             RingSum const& sum, Equals const& equals)
      : topology_{topology},
        mesh_{mesh},
        element_size_{element_size},
        sum_{sum},
        equals_{equals},
        has_links_{have_links_of_their_own(topology, mesh, sum)} {}

  [[nodiscard]] Time of(ReshardStep const& step) {
    Key key;
    for (auto const& exchange : step.exchanges) {
      key.emplace_back(exchange.from, exchange.to, exchange.elements);
    }
    auto const [known, is_new] = known_.try_emplace(std::move(key), Time{0});
    if (is_new) {
      // Links that only one accelerator uses are as busy as those of its equals.
      auto const round = has_links_ ? step : whole_round(sum_, equals_, step);
      known->second = exchange_time(topology_, mesh_, element_size_, {round});
    }
    return known->second;
  }

 private:
  using Key = std::vector<std::tuple<std::size_t, std::size_t, Elements>>;

  Topology const& topology_;
  DeviceMesh const& mesh_;
  Bytes element_size_;
  RingSum const& sum_;
  Equals const& equals_;
  bool has_links_;
  std::map<Key, Time> known_;
};

}  // namespace

ExchangeCost ring_sum_cost(Topology const& topology, Hierarchy const& array, DeviceMesh const& mesh,
                           Bytes element_size, RingSum const& sum) {
  auto const firsts = sum.firsts_of_equals();
  auto const equals = equals_of(firsts);
  RoundTimes times{topology, mesh, element_size, sum, equals};
  Time time{0};
  std::map<Ends, Elements> sent;  // all rounds together
  for (auto const& step : sum.rounds(firsts)) {
    time += times.of(step);
    for (auto const& exchange : step.exchanges) {
      sent.emplace(Ends{exchange.from, exchange.to}, Elements{0}).first->second +=
          exchange.elements;
    }
  }
  ExchangeCost cost{seconds(time), std::vector<double>(array.levels())};
  for (auto const& [ends, elements] : sent) {
    for (auto const from : equals.at(ends.first)) {
      auto const to = sum.shifted(from, ends.first, ends.second);
      auto const level = array.outermost_difference(mesh.devices[from], mesh.devices[to]);
      cost.level_elements[level] += static_cast<double>(elements.value());
    }
  }
  return cost;
}

}  // namespace tessera::partition
