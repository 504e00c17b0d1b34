// Hierarchical: halves first with the partner next to it, then 2, 4, ... apart, and back (Song et al., "HyPar", HPCA 2019: level by
// level, the innermost first).
#pragma once

#include "arch/collective/collective_algorithm.hpp"

namespace tessera::arch {

class HierarchicalCollective final : public CollectiveAlgorithm {
 public:
  void send(CollectiveBuilder& build) const override {
    build.halve(CollectiveBuilder::Halving::innermost_first);
  }
  /// A step goes level by level without it (partition/geometry/reshard.hpp), any layouts at each.
  [[nodiscard]] bool is_for_steps() const override { return false; }
};

}  // namespace tessera::arch
