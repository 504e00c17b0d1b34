// Folds, and the two schedules.
#include "sim/model/compute/systolic_array.hpp"

#include <algorithm>
#include <utility>

namespace tessera::sim {

namespace {

using arch::Dataflow;
using arch::SystolicArraySpec;

/// One array that runs `folds` folds of `steps` steps.
SystolicOccupancy occupancy(SystolicArraySpec const& array, std::int64_t folds,
                            std::int64_t steps) {
  auto const through = steps + array.rows + array.columns - 2;
  if (array.schedule == SystolicArraySpec::Schedule::serial) {
    auto const load = array.dataflow == Dataflow::output_stationary ? 0 : array.rows;
    return {Cycles{load + through} * folds, Cycles{0}};
  }
  auto const period = std::max(steps, array.rows);
  return {Cycles{period} * folds, Cycles{array.rows + through - period}};
}

Cycles total(SystolicOccupancy const& occupancy) { return occupancy.busy + occupancy.ramp; }

/// What stays is read once; what streams, once per fold across the dimension that it lacks.
SystolicAccesses accesses_of(SystolicArraySpec const& array, Gemm const& gemm) {
  auto const a = Elements{gemm.batch} * gemm.m * gemm.k;
  auto const b = Elements{gemm.batch} * gemm.k * gemm.n;
  auto const c = Elements{gemm.batch} * gemm.m * gemm.n;
  auto const folds = folds_of(array, gemm);
  switch (array.dataflow) {
    case Dataflow::weight_stationary:
      return {a * folds.across_columns, b, c * (folds.across_rows - 1), c * folds.across_rows};
    case Dataflow::input_stationary:
      return {a, b * folds.across_columns, c * (folds.across_rows - 1), c * folds.across_rows};
    case Dataflow::output_stationary:
      return {a * folds.across_columns, b * folds.across_rows, Elements{0}, c};
  }
  return {};
}

SystolicCost cost_as_it_is(SystolicArraySpec const& array, Gemm const& gemm) {
  return {total(occupancy_of(array, gemm)), gemm.macs(), accesses_of(array, gemm)};
}

}  // namespace

Folds folds_of(SystolicArraySpec const& array, Gemm const& gemm) {
  auto const rows = [&array](std::int64_t extent) { return ceil_divide(extent, array.rows); };
  auto const columns = [&array](std::int64_t extent) { return ceil_divide(extent, array.columns); };
  switch (array.dataflow) {
    case Dataflow::weight_stationary:
      return {rows(gemm.k), columns(gemm.n), gemm.batch, gemm.m};
    case Dataflow::input_stationary:
      return {rows(gemm.k), columns(gemm.m), gemm.batch, gemm.n};
    case Dataflow::output_stationary:
      return {rows(gemm.m), columns(gemm.n), gemm.batch, gemm.k};
  }
  return {};
}

/// All arrays: each takes its share of the folds, or all folds and its share of the steps.
SystolicOccupancy occupancy_of(SystolicArraySpec const& array, Gemm const& gemm) {
  auto const folds = folds_of(array, gemm);
  auto const by_folds = occupancy(array, ceil_divide(folds.count(), array.arrays), folds.steps);
  if (array.arrays == 1 || array.dataflow == Dataflow::output_stationary) return by_folds;
  auto const by_steps = occupancy(array, folds.count(), ceil_divide(folds.steps, array.arrays));
  return total(by_steps) < total(by_folds) ? by_steps : by_folds;
}

SystolicOccupancy best_occupancy(SystolicArraySpec const& array, Gemm const& gemm) {
  auto const straight = occupancy_of(array, gemm);
  if (array.operands == SystolicArraySpec::Operands::fixed) return straight;
  auto const swapped = occupancy_of(array, gemm.transposed());
  return total(swapped) < total(straight) ? swapped : straight;
}

SystolicCost systolic_cost(SystolicArraySpec const& array, Gemm const& gemm) {
  EXPECTS(gemm.batch > 0 && gemm.m > 0 && gemm.n > 0 && gemm.k > 0, gemm.batch, gemm.m, gemm.n,
          gemm.k);
  auto const cost = cost_as_it_is(array, gemm);
  if (array.operands == SystolicArraySpec::Operands::fixed) return cost;
  auto swapped = cost_as_it_is(array, gemm.transposed());
  std::swap(swapped.accesses.a_reads, swapped.accesses.b_reads);
  return swapped.cycles < cost.cycles ? swapped : cost;
}

}  // namespace tessera::sim
