// A grid with one accelerator for all that shifts along its rings and reflections map onto each other (base/folding.hpp says which).
#pragma once

#include <memory>
#include <vector>

#include "arch/array/topology.hpp"

namespace tessera::arch {

/// Has the representatives and the links that leave them, each of which stands for those that the
/// folding's maps take it to (grid_maps.hpp). A link leads to the representative of where it leads.
/// A message says to which accelerator of the whole array it goes, and takes what stands for the
/// links of its route there.
class FoldedGrid final {
 public:
  /// Requires a grid whose accelerators are its routers, and that the maps take links to links.
  FoldedGrid(ArraySpec const& array, Folding const& folding);

  /// Between representatives.
  [[nodiscard]] IdVector<LinkId, Link> const& links() const { return links_; }
  /// The link that stands for one of the whole grid.
  [[nodiscard]] LinkId stand_in(LinkId of_whole) const { return stands_for_it_[of_whole]; }

  /// From a representative to an accelerator of the whole array.
  [[nodiscard]] std::vector<LinkId> route(NodeId source, NodeId receiver, Turn turn) const;
  [[nodiscard]] bool has_two_ways(NodeId source, NodeId receiver) const;

 private:
  [[nodiscard]] NodeId original(NodeId representative) const {
    return NodeId{folding_.accelerator(representative.index())};
  }

  Folding folding_;
  std::unique_ptr<Topology const> whole_;
  IdVector<LinkId, Link> links_;
  IdVector<LinkId, LinkId> stands_for_it_;  ///< by link of the whole grid
};

}  // namespace tessera::arch
