// Planners that follow a rule instead of a cost: data parallelism, model parallelism, one weird trick.
#include "partition/planners/builtin_planners.hpp"
#include "partition/search/planning.hpp"

namespace tessera::partition {

using workloads::Dim;
using workloads::Operator;
using workloads::OperatorKind;

Plan DataParallel::solve(Problem const& problem) const {
  return uniform_plan("dp", problem, [](Operator const&) { return Dim::n; });
}

Plan ModelParallel::solve(Problem const& problem) const {
  return uniform_plan("mp", problem,
                      [](Operator const& op) { return op.can_split(Dim::c) ? Dim::c : Dim::n; });
}

Plan OneWeirdTrick::solve(Problem const& problem) const {
  return uniform_plan("owt", problem, [](Operator const& op) {
    return op.kind == OperatorKind::linear ? Dim::c : Dim::n;
  });
}

}  // namespace tessera::partition
