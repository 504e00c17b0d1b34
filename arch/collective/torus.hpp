// Torus: bidirectional rings along one dimension after another, and back.
#pragma once

#include <algorithm>

#include "arch/collective/collective_algorithm.hpp"

namespace tessera::arch {

class TorusCollective final : public CollectiveAlgorithm {
 public:
  [[nodiscard]] std::vector<std::int64_t> pieces(CollectiveSpec const& spec,
                                                 std::uint32_t ranks) const override {
    return halves_of_blocks(spec, ranks);
  }
  void send(CollectiveBuilder& build) const override {
    go_round(build, 0, false);
    go_round(build, build.ranks(), true);
  }
  [[nodiscard]] RankOrder rank_order() const override { return RankOrder::dimensions; }
  [[nodiscard]] bool is_kept_by_shifts() const override { return true; }

 private:
  /// The pieces from `offset` on.
  static void go_round(CollectiveBuilder& build, std::size_t offset, bool backwards) {
    auto const& shape = build.spec().shape;
    std::vector<std::size_t> units;
    units.reserve(shape.size());
    for (auto const extent : shape) {
      units.push_back((units.empty() ? 1 : units.back()) * static_cast<std::size_t>(extent));
    }
    auto received = build.nothing();
    std::uint32_t round = 0;
    auto const along = [&](std::size_t dimension, bool reduces) {
      auto const pieces = build.owned(offset, units[dimension]);
      for (auto const& members : rings(build, dimension, backwards)) {
        build.pass(members, pieces, {reduces, round}, received);
      }
      round += static_cast<std::uint32_t>(shape[dimension]) - 1;
    };
    for (std::size_t i = 0; build.scatters() && i < units.size(); ++i) along(i, true);
    for (auto i = units.size(); build.gathers() && i-- > 0;) along(i, false);
  }

  /// Those of all ranks that differ in one dimension only.
  static std::vector<CollectiveBuilder::Ring> rings(CollectiveBuilder const& build,
                                                    std::size_t dimension, bool backwards) {
    auto const& shape = build.spec().shape;
    std::uint32_t stride = 1;
    for (std::size_t lower = 0; lower < dimension; ++lower) {
      stride *= static_cast<std::uint32_t>(shape[lower]);
    }
    auto const extent = static_cast<std::uint32_t>(shape[dimension]);
    std::vector<CollectiveBuilder::Ring> all;
    for (std::uint32_t rank = 0; rank < build.ranks(); ++rank) {
      if (rank / stride % extent != 0) continue;
      auto& ring = all.emplace_back();
      for (std::uint32_t place = 0; place < extent; ++place) ring.push_back(rank + place * stride);
      if (backwards) std::reverse(ring.begin(), ring.end());
    }
    return all;
  }
};

}  // namespace tessera::arch
