// Small changes of a plan without stages: an operator, or all that are alike, is split otherwise at a level, or at all of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "partition/plan/plan.hpp"
#include "partition/plan/problem.hpp"

namespace tessera::partition {

/// At each of `levels` the split there in place of whatever these operators have.
struct SplitMove {
  struct AtLevel {
    std::size_t level = 0;
    std::optional<Split> split;
  };

  std::vector<workloads::OperatorId> operators;
  std::vector<AtLevel> levels;
  std::optional<workloads::Phase> phase = {};  ///< of that backward phase only; none: of all
};

/// Each operator of a network, and those of one kind and size that can be split over the same
/// dimensions together where there are several: blocks that repeat gain only together.
[[nodiscard]] std::vector<std::vector<workloads::OperatorId>> operators_alike(
    workloads::Network const& network);

/// All moves of one level, of operators_alike(): over each dimension that they can be split over,
/// or not at all. Where the halves of a level are not built alike, with either half's share in
/// steps of a sixteenth.
[[nodiscard]] std::vector<SplitMove> split_moves(Problem const& problem);

/// The plan with that change; none where it changes nothing, or samples could not be cut, or some
/// part would have nothing of a dimension. Requires a plan without stages; it may be none that is
/// valid for other reasons.
[[nodiscard]] std::optional<Plan> moved(Plan const& plan, SplitMove const& move,
                                        workloads::Network const& network);

/// "conv2 and 3 like it over k at level 4"; "conv2 backward_weight n n k c"
[[nodiscard]] std::string describe(SplitMove const& move, workloads::Network const& network);

}  // namespace tessera::partition
