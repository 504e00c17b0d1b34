#include "arch/array/folded_network.hpp"

#include <map>
#include <utility>

#include "arch/array/folding_maps.hpp"

namespace tessera::arch {

FoldedNetwork::FoldedNetwork(ArraySpec const& array, Folding const& folding)
    : folding_{folding}, whole_{std::make_unique<Topology const>(array)}, positions_{*whole_} {
  FoldingMaps const maps{Translations{*whole_}, folding_};
  auto const original_of = [this](std::size_t accelerator) {
    return folding_.accelerator(folding_.representative(accelerator));
  };
  auto const& names = whole_->node_names();
  for (auto index = whole_->accelerators(); index < names.size(); ++index) {
    auto const leaf = positions_.leaf(NodeId{index});
    if (original_of(leaf) != leaf) continue;
    switches_[NodeId{index}] = NodeId{folding_.representatives() + switch_names_.size()};
    switch_names_.push_back(names[index]);
  }
  std::map<std::pair<NodeId, NodeId>, LinkId> known;  // by ends in the whole network
  for (auto const& link : whole_->links()) {
    auto const leaf = positions_.leaf(link);
    if (original_of(leaf) != leaf) continue;
    auto own = link;
    own.from = stand_in(link.from);
    own.to = stand_in(link.to);
    known[{link.from, link.to}] = links_.push_back(std::move(own));
  }
  for (auto const& link : whole_->links()) {
    auto const leaf = positions_.leaf(link);
    auto const original = original_of(leaf);
    auto const moved = [&](NodeId node) {
      return positions_.moved(node, maps.mapped(positions_.leaf(node), leaf, original));
    };
    auto const image = known.find({moved(link.from), moved(link.to)});
    EXPECTS(image != known.end() && "maps take links to links", link.name);
    stands_for_it_.push_back(image->second);
  }
}

NodeId FoldedNetwork::stand_in(NodeId of_whole) const {
  auto const representative = folding_.representative(positions_.leaf(of_whole));
  if (of_whole.index() < whole_->accelerators()) return NodeId{representative};
  auto const known =
      switches_.find(positions_.moved(of_whole, folding_.accelerator(representative)));
  EXPECTS(known != switches_.end() && "nodes are accelerators, or in a tree", of_whole);
  return known->second;
}

std::vector<LinkId> FoldedNetwork::route(NodeId source, NodeId receiver, Turn turn) const {
  auto route = whole_->route(original(source), receiver, turn);
  for (auto& link : route) link = stand_in(link);
  return route;
}

bool FoldedNetwork::has_two_ways(NodeId source, NodeId receiver) const {
  return whole_->has_two_ways(original(source), receiver);
}

}  // namespace tessera::arch
