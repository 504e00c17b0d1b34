// Ring: blocks go round one way, p - 1 rounds a pass (Thakur et al., IJHPCA 2005).
#pragma once

#include "arch/collective/collective_algorithm.hpp"

namespace tessera::arch {

class RingCollective final : public CollectiveAlgorithm {
 public:
  [[nodiscard]] bool makes(CollectiveKind kind) const override {
    return kind != CollectiveKind::broadcast && kind != CollectiveKind::reshard;
  }
  void send(CollectiveBuilder& build) const override {
    if (build.spec().kind == CollectiveKind::all_to_all) {
      hand_on(build);
    } else {
      build.ring(0, false);
    }
  }
  [[nodiscard]] RankOrder rank_order() const override { return RankOrder::neighbours; }
  [[nodiscard]] bool is_kept_by_shifts() const override { return true; }

 private:
  /// All-to-all: blocks for the rank d places on are handed from rank to rank, d hops, one distance
  /// after another.
  static void hand_on(CollectiveBuilder& build) {
    auto const ranks = build.ranks();
    auto const block = block_of(build.spec().size, 0, ranks);
    auto last = build.nothing();
    std::uint32_t round = 0;
    for (std::uint32_t distance = 1; distance < ranks; ++distance) {
      for (std::uint32_t hop = 0; hop < distance; ++hop, ++round) {
        auto next = build.nothing();
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
          auto const to = (rank + 1) % ranks;
          next[to] = {build.send({rank, to, block, {}, false, round}, last[rank])};
        }
        last = std::move(next);
      }
    }
  }
};

}  // namespace tessera::arch
