// The sum of a gradient in rings, of all accelerators or of groups of them, along the dimensions of
// a grid (collective `torus`) or through all of a group (`ring`, `bidirectional-ring`): what shifts
// make of its rounds, known without working out every message. A torus of 65,536 sends 133 million
// in a sum.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "arch/base/folding.hpp"
#include "partition/geometry/group_collective.hpp"
#include "partition/geometry/ranked_group.hpp"

namespace tessera::partition {

/// In rounds of rings every rank sends to the next one what that round brings it, so what moves all
/// ranks on along the rings, and groups onto groups, maps rounds onto rounds: from and to, what is
/// waited for, and which pieces are sent. Only their sizes may tell ranks apart, where blocks are
/// not equal.
class RingSum final {
 public:
  /// None of an algorithm without rings, and none if nobody sums anything, or groups are no grids
  /// where it goes along dimensions, or not all of one shape.
  [[nodiscard]] static std::optional<RingSum> of(Tiling const& tiling, workloads::TensorId gradient,
                                                 Layout const& layout, GroupCollective const& how,
                                                 arch::SumPieces pieces = arch::SumPieces::exact);

  /// Who sends to whom in rings: sums with the same have the same neighbours().
  using Rings = std::pair<arch::CollectiveAlgorithm const*, std::vector<std::size_t>>;
  [[nodiscard]] Rings const& in_rings() const { return in_rings_; }
  /// And how much: sums with the same have the same rounds. Elements of each group, or of all if
  /// they have equally many.
  using Kind = std::pair<Rings, std::vector<std::int64_t>>;
  [[nodiscard]] Kind kind() const;

  /// Does a map of the accelerators take who follows whom in a ring to such, and every piece to one
  /// of its size? Then it maps the rounds onto themselves (maps_onto_itself() of all of them).
  [[nodiscard]] bool is_kept_by(std::vector<std::size_t> const& map) const;

  /// By accelerator, the one that represents it.
  using Representatives = std::vector<std::size_t>;

  /// For each accelerator the first of those that moves along rings take it to which keep the sum.
  [[nodiscard]] Representatives firsts_of_equals() const;

  /// Whom `accelerator` reaches by the move that takes `from` to `to`, two of one group.
  [[nodiscard]] std::size_t shifted(std::size_t accelerator, std::size_t from,
                                    std::size_t to) const;

  /// For each dimension of rings a step in which everybody sends to both neighbours, as in its
  /// rounds: who sends to whom, sizes left out.
  [[nodiscard]] std::vector<ReshardStep> neighbours() const;

  [[nodiscard]] Representatives representatives(Folding const& folding) const;
  /// Whether, in each group that has a representative, all members are represented within it. They
  /// are not where a reflection takes half of a group to another one.
  [[nodiscard]] bool stay_in_groups(Representatives const& representatives) const;

  /// What representatives send, where maps that keep the sum take accelerators onto them
  /// (sent_by_representatives() of all rounds). Requires that they stay_in_groups().
  [[nodiscard]] std::vector<ReshardStep> rounds(Representatives const& representatives) const;

 private:
  RingSum(std::vector<RankedGroup> groups, std::vector<std::size_t> levels);

  /// Of a dimension: how far apart ranks are that follow each other, and how many do.
  struct Ring {
    std::size_t stride = 1;
    std::size_t places = 1;

    [[nodiscard]] std::size_t place(std::size_t rank) const { return rank / stride % places; }
    [[nodiscard]] std::size_t at(std::size_t rank, std::size_t place) const {
      return rank - this->place(rank) * stride + place % places * stride;
    }
  };
  /// An accelerator's group and rank in it.
  struct Position {
    std::uint32_t group = 0;
    std::uint32_t rank = 0;
  };
  using Pieces = std::vector<std::int64_t>;  ///< their sizes

  [[nodiscard]] std::vector<Ring> rings() const;
  [[nodiscard]] std::size_t ranks() const { return groups_.front().members.size(); }
  [[nodiscard]] Pieces const& pieces_in(std::size_t group) const {
    return pieces_[pieces_of_group_[group]];
  }
  [[nodiscard]] bool has_representative(std::size_t group,
                                        Representatives const& representatives) const;
  [[nodiscard]] std::size_t following(std::size_t accelerator, Ring const& ring) const;
  [[nodiscard]] std::size_t period(Ring const& ring, Pieces const& pieces) const;
  [[nodiscard]] bool moves_along_rings(std::vector<std::size_t> const& map) const;

  std::vector<RankedGroup> groups_;
  Rings in_rings_;
  std::vector<Position> positions_;           ///< by accelerator
  std::vector<Pieces> pieces_;                ///< of groups that have equally many elements
  std::vector<std::size_t> pieces_of_group_;  ///< which of these
};

}  // namespace tessera::partition
