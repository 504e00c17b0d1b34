// A grid or a tree with one accelerator for all that shifts along its dimensions and reflections map onto each other (base/folding.hpp says
// which).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "arch/array/node_positions.hpp"

namespace tessera::arch {

/// Has the representatives, of a tree the switches above them, and the links that leave them (of a
/// tree: that join them), each of which stands for those that the folding's maps take it to
/// (folding_maps.hpp). A link leads to what stands for where it leads.
/// A message says to which accelerator of the whole array it goes, and takes what stands for the
/// links of its route there.
class FoldedNetwork final {
 public:
  /// Requires a grid with a router for each accelerator, or a tree (node_positions.hpp), and that
  /// the maps take links to links.
  FoldedNetwork(ArraySpec const& array, Folding const& folding);

  /// Between representatives and switches, which are numbered behind them.
  [[nodiscard]] IdVector<LinkId, Link> const& links() const { return links_; }
  [[nodiscard]] std::vector<std::string> const& switch_names() const { return switch_names_; }
  /// What stands for a link or a node of the whole network.
  [[nodiscard]] LinkId stand_in(LinkId of_whole) const { return stands_for_it_[of_whole]; }
  [[nodiscard]] NodeId stand_in(NodeId of_whole) const;

  /// From a representative to an accelerator of the whole array.
  [[nodiscard]] std::vector<LinkId> route(NodeId source, NodeId receiver, Turn turn) const;
  [[nodiscard]] bool has_two_ways(NodeId source, NodeId receiver) const;

 private:
  [[nodiscard]] NodeId original(NodeId representative) const {
    return NodeId{folding_.accelerator(representative.index())};
  }

  Folding folding_;
  std::unique_ptr<Topology const> whole_;
  NodePositions positions_;
  std::map<NodeId, NodeId> switches_;  ///< that are left, by their numbers in the whole network
  std::vector<std::string> switch_names_;
  IdVector<LinkId, Link> links_;
  IdVector<LinkId, LinkId> stands_for_it_;  ///< by link of the whole network
};

}  // namespace tessera::arch
