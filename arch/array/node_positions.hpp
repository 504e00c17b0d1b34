// Where the nodes of a network lie to its accelerators: a switch of a tree by the first accelerator below it and how far above, so that a
// map of the accelerators says what becomes of it, too.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "arch/array/topology.hpp"

namespace tessera::arch {

/// For example in a tree of two servers with three accelerators each: switch-1 is one above
/// accelerator 0, switch-2 one above accelerator 3, switch-0 two above accelerator 0. A map that
/// takes 0 to 3 takes switch-1 to switch-2.
///
/// In a fat tree several switches are as far above an accelerator. What comes to it, from wherever,
/// passes one of them (D-mod-k): that one is above it. In a grid each node is an accelerator, or is
/// one above its own, whose port leads to it.
class NodePositions final {
 public:
  /// Of a whole network: a grid with a router for each accelerator, or a tree or fat tree in which
  /// all switches of a level have equally many children, that at the top two at least.
  explicit NodePositions(Topology const& whole);

  /// The first accelerator that a node is above; an accelerator itself.
  [[nodiscard]] std::size_t leaf(NodeId node) const { return positions_[node].leaf; }

  /// The first accelerator that both ends of a link lie above, or are; where they are equally high,
  /// that of its beginning.
  [[nodiscard]] std::size_t leaf(Link const& link) const;

  /// Where a map gets a node that takes its leaf to `accelerator`.
  [[nodiscard]] NodeId moved(NodeId node, std::size_t accelerator) const {
    return above(accelerator, positions_[node].height);
  }

 private:
  struct Position {
    std::size_t leaf = 0;
    std::size_t height = 0;
  };

  void add_above(std::size_t accelerator, NodeId node);
  [[nodiscard]] NodeId above(std::size_t accelerator, std::size_t height) const {
    return height == 0 ? NodeId{accelerator} : above_[accelerator * heights_ + height - 1];
  }

  std::size_t heights_ = 0;  ///< of switches
  IdVector<NodeId, Position> positions_;
  std::vector<NodeId> above_;                               ///< by accelerator and height
  std::map<std::pair<NodeId, NodeId>, std::size_t> below_;  ///< by upper and lower end of a link
};

}  // namespace tessera::arch
