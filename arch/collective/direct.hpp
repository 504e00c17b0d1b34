// Direct: every rank to every other at once.
#pragma once

#include <algorithm>

#include "arch/collective/collective_algorithm.hpp"

namespace tessera::arch {

class DirectCollective final : public CollectiveAlgorithm {
 public:
  [[nodiscard]] bool makes(CollectiveKind kind) const override {
    return kind != CollectiveKind::broadcast;
  }
  void send(CollectiveBuilder& build) const override {
    auto const kind = build.spec().kind;
    if (kind == CollectiveKind::reshard) {
      reshard(build);
      return;
    }
    bool const sums = kind == CollectiveKind::all_reduce;
    bool const reduces = sums || kind == CollectiveKind::reduce_scatter;
    auto received = to_each_other(build, {reduces, 0}, build.nothing());
    if (!sums) return;
    auto joined = build.nothing();
    for (std::uint32_t rank = 0; rank < build.ranks(); ++rank) {
      joined[rank] = {build.send({rank, rank, 0, {}, false, 1}, std::move(received[rank]))};
    }
    to_each_other(build, {false, 1}, joined);
  }

 private:
  /// Every rank sends block `other`, or when it gathers its own, to each other rank, the next one
  /// first. What each has received.
  static CollectiveBuilder::Received to_each_other(CollectiveBuilder& build,
                                                   CollectiveBuilder::Pass const& pass,
                                                   CollectiveBuilder::Received const& after) {
    auto received = build.nothing();
    for (std::uint32_t step = 1; step < build.ranks(); ++step) {
      for (std::uint32_t rank = 0; rank < build.ranks(); ++rank) {
        auto const other = (rank + step) % build.ranks();
        Pieces const piece{pass.reduces ? other : rank, 1, 1};
        received[other].push_back(
            build.send({rank, other, 0, piece, pass.reduces, pass.first_round}, after[rank]));
      }
    }
    return received;
  }

  /// Between two ways to cut the same vector: every overlap of two blocks is a message.
  static void reshard(CollectiveBuilder& build) {
    auto const& spec = build.spec();
    auto const end_of = [&](std::int64_t block, std::int64_t blocks) {
      return spec.size / blocks * (block + 1) + spec.size % blocks * (block + 1) / blocks;
    };
    auto const first_wanting = static_cast<std::int64_t>(build.ranks()) - spec.to;
    std::int64_t holder = 0;
    std::int64_t wanting = 0;
    for (std::int64_t at = 0; at < spec.size;) {
      auto const held_until = end_of(holder, spec.from);
      auto const wanted_until = end_of(wanting, spec.to);
      auto const until = std::min(held_until, wanted_until);
      auto const rank = first_wanting + wanting;
      if (rank != holder && until > at) {
        build.send(
            {static_cast<std::uint32_t>(holder), static_cast<std::uint32_t>(rank), until - at});
      }
      at = until;
      if (held_until == at) ++holder;
      if (wanted_until == at) ++wanting;
    }
  }
};

}  // namespace tessera::arch
