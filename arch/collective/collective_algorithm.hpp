// An algorithm of collectives: which it makes, into which pieces it cuts the vector, and who sends what to whom in which round.
#pragma once

#include <vector>

#include "arch/collective/collective.hpp"
#include "arch/collective/collective_builder.hpp"

namespace tessera::arch {

/// How members of a group that is a grid become ranks.
enum class RankOrder {
  by_number,
  neighbours,  ///< row by row, there and back: a rank is next to the one before
  dimensions,  ///< row by row, with the grid's extents as CollectiveSpec::shape
};

/// Stateless and deterministic.
class CollectiveAlgorithm {
 public:
  virtual ~CollectiveAlgorithm() = default;

  /// Is there an order of messages by which it does that? Most sum and gather blocks only.
  [[nodiscard]] virtual bool makes(CollectiveKind kind) const { return is_block_wise(kind); }

  /// The sizes of the pieces that its messages name. Where blocks matter those of rank i are piece
  /// i, as they are unless an algorithm says otherwise, and, if halves of blocks go two ways, p +
  /// i.
  [[nodiscard]] virtual std::vector<std::int64_t> pieces(CollectiveSpec const& spec,
                                                         std::uint32_t ranks) const {
    return blocks_of(spec, ranks);
  }

  /// Sends every message, each after those that it waits for.
  virtual void send(CollectiveBuilder& build) const = 0;

  [[nodiscard]] virtual RankOrder rank_order() const { return RankOrder::by_number; }

  /// Does it sum in rings, of all ranks or along each dimension of a grid? What moves all ranks on
  /// along a ring then maps rounds onto rounds (partition/geometry/ring_sum.hpp).
  [[nodiscard]] virtual bool is_kept_by_shifts() const { return false; }

  /// May an array's file name it (execution.collectives), and `auto` choose it?
  [[nodiscard]] virtual bool is_for_steps() const { return true; }

  /// Are there no messages between ranks, since switches add (sim/model/fabric/collective)?
  [[nodiscard]] virtual bool adds_in_switches() const { return false; }
};

}  // namespace tessera::arch
