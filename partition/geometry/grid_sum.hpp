// The sum of a gradient over all accelerators in rings, along the dimensions of a grid (collective `torus`) or through all of them (`ring`,
// `bidirectional-ring`): what shifts make of its rounds, known without working out every message. A torus of 65,536 sends 133 million in a
// sum.
#pragma once

#include <optional>
#include <vector>

#include "arch/base/folding.hpp"
#include "partition/geometry/group_collective.hpp"
#include "partition/geometry/ranked_group.hpp"

namespace tessera::partition {

/// In rounds of rings every rank sends to the next one what that round brings it, so what moves all
/// ranks on along the rings maps rounds onto rounds: from and to, what is waited for, and which
/// pieces are sent. Only their sizes may tell ranks apart, where blocks are not equal.
class GridSum final {
 public:
  /// None of an algorithm without rings, and none if not all accelerators hold summands of one
  /// gradient, or are no grid where it goes along dimensions.
  [[nodiscard]] static std::optional<GridSum> of(Tiling const& tiling, workloads::TensorId gradient,
                                                 Layout const& layout, GroupCollective const& how,
                                                 arch::SumPieces pieces = arch::SumPieces::exact);

  [[nodiscard]] Elements elements() const { return Elements{group_.spec.size}; }
  [[nodiscard]] arch::CollectiveAlgorithm const* algorithm() const {
    return group_.spec.algorithm.get();
  }

  /// Does a map of the accelerators take who follows whom in a ring to such, and every piece to one
  /// of its size? Then it maps the rounds onto themselves (maps_onto_itself() of all of them).
  [[nodiscard]] bool is_kept_by(std::vector<std::size_t> const& map) const;

  /// For each accelerator the first of those that moves along rings take it to which keep the sum.
  [[nodiscard]] std::vector<std::size_t> firsts_of_equals() const;

  /// Whom `accelerator` reaches by the move that takes `from` to `to`.
  [[nodiscard]] std::size_t shifted(std::size_t accelerator, std::size_t from,
                                    std::size_t to) const;

  /// For each dimension of rings a step in which everybody sends to both neighbours, as in its
  /// rounds: who sends to whom, sizes left out.
  [[nodiscard]] std::vector<ReshardStep> neighbours() const;

  /// What the representatives of a folding send whose maps keep the sum
  /// (sent_by_representatives() of all rounds).
  [[nodiscard]] std::vector<ReshardStep> rounds(Folding const& folding) const;
  /// The same of those that stand for each accelerator.
  [[nodiscard]] std::vector<ReshardStep> rounds(
      std::vector<std::size_t> const& representatives) const;

 private:
  explicit GridSum(RankedGroup group);

  /// Of a dimension: how far apart ranks are that follow each other, and how many do.
  struct Ring {
    std::size_t stride = 1;
    std::size_t places = 1;

    [[nodiscard]] std::size_t place(std::size_t rank) const { return rank / stride % places; }
    [[nodiscard]] std::size_t at(std::size_t rank, std::size_t place) const {
      return rank - this->place(rank) * stride + place % places * stride;
    }
  };
  [[nodiscard]] std::vector<Ring> rings() const;
  [[nodiscard]] std::size_t period(Ring const& ring) const;
  [[nodiscard]] bool are_equal(std::size_t rank, std::size_t other) const;
  [[nodiscard]] bool moves_along_rings(std::vector<std::size_t> const& map) const;

  RankedGroup group_;
  std::vector<std::uint32_t> ranks_;  ///< by accelerator
  std::vector<std::int64_t> pieces_;  ///< their sizes
};

}  // namespace tessera::partition
