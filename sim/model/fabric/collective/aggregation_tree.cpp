// Breadth first, then without what leads nowhere, then without siblings that are alike.
#include "sim/model/fabric/collective/aggregation_tree.hpp"

#include <algorithm>
#include <map>

namespace tessera::sim {

namespace {

using Place = AggregationTree::Place;

[[nodiscard]] std::vector<Place> breadth_first(arch::Interconnect const& interconnect) {
  auto const leaving = channels_from(interconnect);
  auto const& channels = interconnect.channels();
  arch::VertexId const root{interconnect.endpoints()};
  std::vector<Place> places = {{root, 0, {}, {}}};
  std::vector<bool> is_known(interconnect.vertices(), false);
  is_known[root.index()] = true;
  for (std::size_t at = 0; at < places.size(); ++at) {
    auto const vertex = places[at].vertex;
    for (auto const down : leaving[vertex]) {
      auto const child = channels[down].to;
      if (is_known[child.index()]) continue;
      is_known[child.index()] = true;
      auto const up = std::find_if(leaving[child].begin(), leaving[child].end(),
                                   [&](auto const id) { return channels[id].to == vertex; });
      places.push_back({child, at, *up, down});
    }
  }
  return places;
}

/// Without the switches below which there is no endpoint.
[[nodiscard]] std::vector<Place> pruned(std::vector<Place> const& places,
                                        arch::Interconnect const& interconnect) {
  std::vector<bool> is_needed(places.size(), false);
  for (auto at = places.size(); at-- > 0;) {
    if (interconnect.is_endpoint(places[at].vertex)) is_needed[at] = true;
    if (is_needed[at]) is_needed[places[at].parent] = true;
  }
  std::vector<Place> tree;
  std::vector<std::size_t> moved(places.size(), 0);
  for (std::size_t at = 0; at < places.size(); ++at) {
    if (!is_needed[at]) continue;
    moved[at] = tree.size();
    tree.push_back(places[at]);
    tree.back().parent = moved[places[at].parent];
  }
  return tree;
}

/// Equal numbers for places whose channels and whose children are alike.
[[nodiscard]] std::vector<std::size_t> kinds_of(
    std::vector<Place> const& tree, IdVector<arch::ChannelId, ChannelTiming> const& timing) {
  std::vector<std::size_t> kinds(tree.size(), 0);
  std::vector<std::vector<std::int64_t>> below(tree.size());
  std::map<std::vector<std::int64_t>, std::size_t> known;
  for (auto at = tree.size() - 1; at > 0; --at) {
    auto key = std::move(below[at]);
    std::sort(key.begin(), key.end());
    for (auto const id : {tree[at].up, tree[at].down}) {
      key.insert(key.end(), {timing[id].ticks, timing[id].units, timing[id].latency});
    }
    kinds[at] = known.try_emplace(std::move(key), known.size()).first->second;
    below[tree[at].parent].push_back(static_cast<std::int64_t>(kinds[at]));
  }
  return kinds;
}

}  // namespace

AggregationTree aggregation_tree(arch::Interconnect const& interconnect,
                                 IdVector<arch::ChannelId, ChannelTiming> const& timing) {
  auto const whole = pruned(breadth_first(interconnect), interconnect);
  auto const kinds = kinds_of(whole, timing);
  AggregationTree tree;
  tree.places.push_back(whole.front());
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> stand_ins;  ///< by parent's and kind
  std::vector<std::size_t> stand_in(whole.size(), 0);
  for (std::size_t at = 1; at < whole.size(); ++at) {
    auto place = whole[at];
    place.parent = stand_in[place.parent];
    auto const [found, is_new] =
        stand_ins.try_emplace({place.parent, kinds[at]}, tree.places.size());
    if (is_new) tree.places.push_back(place);
    stand_in[at] = found->second;
    tree.edges.push_back({place.up, place.down, stand_in[at]});
  }
  return tree;
}

}  // namespace tessera::sim
