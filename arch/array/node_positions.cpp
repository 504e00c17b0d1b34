// From routes: on its way from another part of the tree, a message passes all switches above its receiver.
#include "arch/array/node_positions.hpp"

namespace tessera::arch {

NodePositions::NodePositions(Topology const& whole) : positions_{whole.node_names().size()} {
  EXPECTS(!whole.is_folded());
  auto const accelerators = whole.accelerators();
  for (std::size_t index = 0; index < accelerators; ++index) positions_[NodeId{index}].leaf = index;
  if (whole.passes_through(NodeId{0})) return;
  auto const is_tree = !whole.tree().empty();
  heights_ = is_tree ? whole.tree().size() : 1;
  auto const parts = is_tree ? static_cast<std::size_t>(whole.tree().front()) : accelerators;
  for (std::size_t index = 0; index < accelerators; ++index) {
    NodeId const sender{(index + accelerators / parts) % accelerators};
    auto const route = whole.route(sender, NodeId{index}, Turn::positive);
    EXPECTS(route.size() >= 2 * heights_, route.size(), heights_);
    for (std::size_t height = 1; height <= heights_; ++height) {
      add_above(index, whole.links()[route[route.size() - height]].from);
    }
  }
}

void NodePositions::add_above(std::size_t accelerator, NodeId node) {
  auto const height = above_.size() % heights_ + 1;
  below_.try_emplace({node, above(accelerator, height - 1)}, accelerator);
  above_.push_back(node);
  if (positions_[node].height == 0) positions_[node] = {accelerator, height};
}

std::size_t NodePositions::leaf(Link const& link) const {
  auto const from = positions_[link.from].height;
  auto const to = positions_[link.to].height;
  if (from == to) return leaf(link.from);
  return below_.at(from > to ? std::pair{link.from, link.to} : std::pair{link.to, link.from});
}

}  // namespace tessera::arch
