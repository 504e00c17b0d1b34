// Reshards and sums of gradients by collectives of whole device groups, over several levels of the hierarchy at once, where reshard.hpp
// goes level by level. A group are the accelerators that hold summands of the same part of a tensor, or parts of what all of them read.
//
// For example 4 accelerators in two levels of halves, samples split at both: each has a summand of the whole gradient, and all four are
// one group, which a ring sums in 2 * 3 rounds. With model parallelism at the top level the gradient is split there, and accelerators
// {0, 1} and {2, 3} are two groups, whose rounds run at the same time.
#pragma once

#include <memory>
#include <vector>

#include "arch/collective/collective_algorithm.hpp"
#include "partition/geometry/reshard.hpp"

namespace tessera::partition {

/// How the groups of a mesh make their collectives.
struct GroupCollective {
  std::shared_ptr<arch::CollectiveAlgorithm const> algorithm;
  /// Where each position stands in a grid, along each dimension; empty where the fabric is none.
  /// Rings then go from neighbour to neighbour, row by row, there and back; of a group that is no
  /// grid itself, and elsewhere, by number. The torus of a group that is no grid is a ring.
  std::vector<std::vector<std::size_t>> coordinates = {};
};

/// The rounds of a collective of which `members` are the ranks, in order.
[[nodiscard]] std::vector<ReshardStep> rounds_of(arch::CollectiveSpec const& spec,
                                                 Holders const& members);

/// As reshard(): reduce-scatters of all levels are one collective, and so are gathers, where the
/// algorithm makes them (not a tree).
[[nodiscard]] std::vector<ReshardStep> reshard(Tiling const& tiling, workloads::TensorId tensor,
                                               Layout const& from, Layout const& to,
                                               Holders const& receivers, GroupCollective const& how,
                                               Waits waits = Waits::said);

/// As all_reduce(): all levels in one collective. Every group must be among the holders whole or
/// not at all.
[[nodiscard]] std::vector<ReshardStep> all_reduce(Tiling const& tiling,
                                                  workloads::TensorId gradient,
                                                  Layout const& layout, Holders const& holders,
                                                  GroupCollective const& how,
                                                  arch::SumPieces pieces = arch::SumPieces::exact,
                                                  Waits waits = Waits::said);

/// How large the pieces of a padded sum are of a gradient of which every group has equally much.
[[nodiscard]] Elements padded_piece(Tiling const& tiling, workloads::TensorId gradient,
                                    Layout const& layout, GroupCollective const& how);

/// all_reduce() of padded sums of which every piece has one element, without what messages wait
/// for: those of other sizes have the same messages, as many times as large (padded_piece()).
[[nodiscard]] std::vector<ReshardStep> unit_all_reduce(Hierarchy const& hierarchy,
                                                       Layout const& layout,
                                                       GroupCollective const& how);

}  // namespace tessera::partition
