// Where the nodes of a network lie to its accelerators: a switch of a tree by the first accelerator below it and how far above, so that a
// map of the accelerators says what becomes of it, too.
#pragma once

#include <vector>

#include "arch/array/topology.hpp"

namespace tessera::arch {

/// For example in a tree of two servers with three accelerators each: switch-1 is one above
/// accelerator 0, switch-2 one above accelerator 3, switch-0 two above accelerator 0. A map that
/// takes 0 to 3 takes switch-1 to switch-2. In a grid each node is an accelerator.
class TreePositions final {
 public:
  /// Of a whole network: a grid whose accelerators are its routers, or a tree in which all switches
  /// of a level have equally many children, that at the top two at least.
  explicit TreePositions(Topology const& whole);

  /// The first accelerator below a node; an accelerator itself.
  [[nodiscard]] std::size_t leaf(NodeId node) const { return positions_[node].leaf; }

  /// The lower end of a link of a tree, by its leaf; where a link of a grid begins.
  [[nodiscard]] std::size_t leaf(Link const& link) const {
    bool const leads_down = positions_[link.to].height < positions_[link.from].height;
    return leaf(leads_down ? link.to : link.from);
  }

  /// Where a map gets a node that takes its leaf to `accelerator`.
  [[nodiscard]] NodeId moved(NodeId node, std::size_t accelerator) const {
    auto const height = positions_[node].height;
    return height == 0 ? NodeId{accelerator} : above_[accelerator * heights_ + height - 1];
  }

 private:
  struct Position {
    std::size_t leaf = 0;
    std::size_t height = 0;
  };

  std::size_t heights_ = 0;  ///< of switches
  IdVector<NodeId, Position> positions_;
  std::vector<NodeId> above_;  ///< by accelerator and height
};

}  // namespace tessera::arch
