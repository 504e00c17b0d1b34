// Bidirectional ring: half of each block goes round each way.
#pragma once

#include "arch/collective/collective_algorithm.hpp"

namespace tessera::arch {

class BidirectionalRingCollective final : public CollectiveAlgorithm {
 public:
  [[nodiscard]] std::vector<std::int64_t> pieces(CollectiveSpec const& spec,
                                                 std::uint32_t ranks) const override {
    return halves_of_blocks(spec, ranks);
  }
  void send(CollectiveBuilder& build) const override {
    build.ring(0, false);
    build.ring(build.ranks(), true);
  }
  [[nodiscard]] RankOrder rank_order() const override { return RankOrder::neighbours; }
  [[nodiscard]] bool is_kept_by_shifts() const override { return true; }
};

}  // namespace tessera::arch
