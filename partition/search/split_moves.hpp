// Small changes of a plan without stages: at one level an operator, or all that are alike, is split otherwise.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "partition/plan/plan.hpp"
#include "partition/plan/problem.hpp"

namespace tessera::partition {

/// At `level`, `split` in place of whatever these operators have there.
struct SplitMove {
  std::vector<workloads::OperatorId> operators;
  std::size_t level = 0;
  std::optional<Split> split;
};

/// All of a network on an array: each operator, and the operators of one kind and size together
/// where there are several (blocks that repeat gain only together), at each level over each
/// dimension that they can be split over, or not at all. Where the halves of a level are not built
/// alike, with either half's share in steps of a sixteenth.
[[nodiscard]] std::vector<SplitMove> split_moves(Problem const& problem);

/// The plan with that change; none where it changes nothing, or samples could not be cut, or some
/// part would have nothing of a dimension. Requires a plan without stages and phases of their own.
[[nodiscard]] std::optional<Plan> moved(Plan const& plan, SplitMove const& move,
                                        workloads::Network const& network);

/// "conv2 and 3 like it over k at level 4"
[[nodiscard]] std::string describe(SplitMove const& move, workloads::Network const& network);

}  // namespace tessera::partition
