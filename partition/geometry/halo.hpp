// Halos: what the windows of a convolution or a pool reach beyond their part of a map that is split over rows or columns.
//
// A part of the output rows b .. e-1 reads the input rows [b step - before, (e-1) step - before + window). Its own part of the input, as
// the layout has it, is [b step, e step) (rounded where the numbers do not divide); the rest is held by its neighbours:
//   before                              rows above every part but the first,
//   max(0, window - step - before)      rows below every part but the last.
// They are fetched before the operator's forward pass, after the reshard from the producer's layout, and kept. Backward, each part
// computes the errors of all that it has read; those of the halo are summands, which go back to the neighbours and are added there
// before the reshard to the producer's layout. Rows first, then columns with the rows' halos, which brings the corners without
// messages of their own.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/geometry/reshard.hpp"

namespace tessera::partition {

/// What `accelerator` reads of an input of `op` in a phase: its part and its halo.
[[nodiscard]] Region region_read(Tiling const& tiling, workloads::OperatorId op,
                                 workloads::TensorAccess const& input, std::size_t accelerator,
                                 workloads::Phase phase = workloads::Phase::forward);

/// Is `op` split over rows or columns of the input? Else its parts have no neighbours to ask.
[[nodiscard]] bool is_split_along_windows(Tiling const& tiling, workloads::OperatorId op,
                                          workloads::TensorAccess const& input);

/// The steps in which `receivers` fetch the halo of an input of `op`, its rows' at each level and
/// then its columns'; empty where it has none. An exchange is of the outermost level at which
/// sender and receiver differ.
[[nodiscard]] std::vector<ReshardStep> fetch_halo(Tiling const& tiling, workloads::OperatorId op,
                                                  workloads::TensorAccess const& input,
                                                  Holders const& receivers);

/// The steps that give the errors of a halo back, in reverse; `receivers` add what they get.
[[nodiscard]] std::vector<ReshardStep> return_halo(Tiling const& tiling, workloads::OperatorId op,
                                                   workloads::TensorAccess const& input,
                                                   Holders const& receivers);

/// The levels at which an operator is split over an axis of its input along which windows slide,
/// the outermost first.
[[nodiscard]] std::vector<std::size_t> levels_along(workloads::AxisAccess const& axis,
                                                    Splits const& splits);

/// Positions of an axis that parts of it need of their neighbours.
struct Reach {
  std::int64_t back = 0;     ///< of the one before
  std::int64_t forward = 0;  ///< of the one after

  [[nodiscard]] std::int64_t both() const { return back + forward; }
};
[[nodiscard]] Reach reach_of(workloads::AxisAccess const& axis);

/// Into how many parts an operator's rows (or columns) may be cut at most: each holds as many input
/// positions as the halo of a neighbour has. Of another dimension as many as there are indices, of
/// one that cannot be split one.
[[nodiscard]] std::int64_t most_parts(workloads::Operator const& op, workloads::Dim dim);

}  // namespace tessera::partition
