// Double binary tree: two trees, each for half of the vector, so that a leaf of one passes on in the other (Sanders, Speck and Traeff,
// "Two-tree algorithms", Parallel Computing 2009).
#pragma once

#include "arch/collective/collective_algorithm.hpp"

namespace tessera::arch {

class DoubleTreeCollective final : public CollectiveAlgorithm {
 public:
  [[nodiscard]] bool makes(CollectiveKind kind) const override {
    return kind == CollectiveKind::all_reduce || kind == CollectiveKind::broadcast;
  }
  [[nodiscard]] std::vector<std::int64_t> pieces(CollectiveSpec const& spec,
                                                 std::uint32_t /*ranks*/) const override {
    auto pieces = equal_pieces(spec.size - spec.size / 2, spec.chunks);
    auto const second = equal_pieces(spec.size / 2, spec.chunks);
    pieces.insert(pieces.end(), second.begin(), second.end());
    return pieces;
  }
  void send(CollectiveBuilder& build) const override {
    build.tree(0, false);
    build.tree(static_cast<std::size_t>(build.spec().chunks), true);
  }
};

}  // namespace tessera::arch
