// From routes: on its way to another part of the tree, a message passes all switches above its sender.
#include "arch/array/tree_positions.hpp"

namespace tessera::arch {

TreePositions::TreePositions(Topology const& whole) : positions_{whole.node_names().size()} {
  EXPECTS(!whole.is_folded());
  auto const accelerators = whole.accelerators();
  for (std::size_t index = 0; index < accelerators; ++index) positions_[NodeId{index}].leaf = index;
  if (whole.tree().empty()) return;
  heights_ = whole.tree().size();
  auto const part = accelerators / static_cast<std::size_t>(whole.tree().front());
  std::vector<bool> is_known(positions_.size(), false);
  for (std::size_t index = 0; index < accelerators; ++index) {
    auto const route =
        whole.route(NodeId{index}, NodeId{(index + part) % accelerators}, Turn::positive);
    EXPECTS(route.size() == 2 * heights_, route.size(), heights_);
    for (std::size_t height = 1; height <= heights_; ++height) {
      auto const node = whole.links()[route[height - 1]].to;
      above_.push_back(node);
      if (!is_known[node.index()]) positions_[node] = {index, height};
      is_known[node.index()] = true;
    }
  }
}

}  // namespace tessera::arch
