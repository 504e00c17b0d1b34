// Recursive halving and doubling: halves first with the partner p/2 apart, then p/4, ..., and back (Thakur et al., IJHPCA 2005; in
// thirds, too, where p is no power of two).
#pragma once

#include "arch/collective/collective_algorithm.hpp"

namespace tessera::arch {

class HalvingDoublingCollective final : public CollectiveAlgorithm {
 public:
  void send(CollectiveBuilder& build) const override {
    build.halve(CollectiveBuilder::Halving::outermost_first);
  }
};

}  // namespace tessera::arch
