// Binary tree: sums go up to rank 0, and come down again, in chunks, one after another.
#pragma once

#include "arch/collective/collective_algorithm.hpp"

namespace tessera::arch {

class TreeCollective final : public CollectiveAlgorithm {
 public:
  [[nodiscard]] bool makes(CollectiveKind kind) const override {
    return kind == CollectiveKind::all_reduce || kind == CollectiveKind::broadcast;
  }
  [[nodiscard]] std::vector<std::int64_t> pieces(CollectiveSpec const& spec,
                                                 std::uint32_t /*ranks*/) const override {
    return equal_pieces(spec.size, spec.chunks);
  }
  void send(CollectiveBuilder& build) const override { build.tree(0, false); }
  /// A step has the double tree, whose leaves are not idle.
  [[nodiscard]] bool is_for_steps() const override { return false; }
};

}  // namespace tessera::arch
