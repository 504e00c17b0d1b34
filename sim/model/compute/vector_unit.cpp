// Slots per element, the passes of reductions, and the busiest slot.
#include "sim/model/compute/vector_unit.hpp"

#include <algorithm>

#include "sim/model/compute/gemm.hpp"

namespace tessera::sim {

namespace {

constexpr std::int64_t exponential = 10;  ///< operations: two for the range, then a polynomial

std::int64_t log2_rounded_up(std::int64_t number) {
  std::int64_t steps = 0;
  for (std::int64_t reached = 1; reached < number; reached *= 2) ++steps;
  return steps;
}

/// A pass that brings every row together.
VectorPass reduction(VectorWork const& work, Elements elements, std::int64_t rows) {
  auto pass = pass_over(work, elements);
  pass.reduced_rows = rows;
  return pass;
}

/// A pass over what the one before has written.
VectorPass rewriting(VectorWork const& work, Elements elements) {
  auto pass = pass_over(work, elements);
  pass.source = VectorPass::Source::result;
  return pass;
}

}  // namespace

VectorWork work_of(VectorOperation operation) {
  switch (operation) {
    case VectorOperation::relu:
      return {1, 1, 1};
    case VectorOperation::relu_backward:
      return {1, 2, 1};
    case VectorOperation::lstm_gates:
      return {40, 5, 2};
    case VectorOperation::sgd:  // w -= rate * g
      return {2, 2, 1};
    case VectorOperation::momentum:  // with weight decay
      return {6, 3, 2};
    case VectorOperation::adam:
      return {14, 4, 3};
  }
  return {};
}

VectorPass pass_over(VectorWork const& work, Elements elements) {
  VectorPass pass;
  pass.work = work;
  pass.elements = elements;
  auto const first = std::min<std::int64_t>(work.loads, 1);
  pass.reads = {elements * first, elements * (work.loads - first)};
  pass.writes = elements * work.stores;
  return pass;
}

std::vector<VectorPass> softmax_passes(Elements elements, std::int64_t rows) {
  return {reduction({1, 1, 0}, elements, rows),
          reduction({1 + exponential + 1, 1, 1}, elements, rows), rewriting({1, 1, 1}, elements)};
}

std::vector<VectorPass> softmax_error_passes(Elements elements, std::int64_t rows) {
  return {reduction({2, 2, 0}, elements, rows), pass_over({2, 2, 1}, elements)};
}

std::vector<VectorPass> layer_norm_passes(Elements elements, std::int64_t rows) {
  return {reduction({1, 1, 0}, elements, rows), reduction({3, 1, 1}, elements, rows),
          rewriting({1, 1, 1}, elements), rewriting({2, 1, 1}, elements)};
}

std::vector<VectorPass> layer_norm_error_passes(Elements elements, std::int64_t rows) {
  return {reduction({4, 2, 0}, elements, 2 * rows), pass_over({7, 2, 1}, elements)};
}

VectorPass merged(std::vector<VectorPass> const& passes) {
  EXPECTS(!passes.empty());
  VectorWork work;
  for (auto const& pass : passes) {
    work.alu += pass.work.alu;
    if (pass.source == VectorPass::Source::operand) work.loads += pass.work.loads;
  }
  work.stores = passes.back().work.stores;
  return pass_over(work, passes.back().elements);
}

VectorCost vector_cost(arch::VectorUnitSpec const& unit, VectorPass const& pass) {
  auto const vectors = ceil_divide(pass.elements.value(), unit.lanes * unit.sublanes);
  auto const across =
      2 * log2_rounded_up(unit.lanes) * ceil_divide(pass.reduced_rows, unit.sublanes);
  auto const slots = [vectors](std::int64_t each, std::int64_t besides, std::int64_t per_cycle) {
    return ceil_divide(tessera::detail::checked_multiply(vectors, each) + besides, per_cycle);
  };
  auto const& [alu, loads, stores] = pass.work;
  return {Cycles{std::max({slots(alu, across, unit.alus), slots(loads, 0, unit.loads),
                           slots(stores, 0, unit.stores)})},
          (pass.elements * alu).value() + across * unit.lanes * unit.sublanes,
          pass.elements * (loads + stores)};
}

std::int64_t TiledPass::tiles() const { return ceil_divide(pass_.elements.value(), whole_); }

VectorPass TiledPass::tile(std::int64_t index) const {
  auto const count = std::min(whole_, pass_.elements.value() - index * whole_);
  auto const share = [&](std::int64_t of_all) {
    return tessera::detail::multiply_divide_ceil(of_all, count, pass_.elements.value());
  };
  auto tile = pass_;
  tile.elements = Elements{count};
  tile.reduced_rows = share(pass_.reduced_rows);
  tile.reads = {Elements{share(pass_.reads[0].value())}, Elements{share(pass_.reads[1].value())}};
  tile.writes = Elements{share(pass_.writes.value())};
  return tile;
}

TiledPass in_banks(VectorPass const& pass, arch::ScratchpadSpec const& scratchpad, Bytes element) {
  auto const largest = std::max({pass.elements, pass.reads[0], pass.reads[1], pass.writes});
  auto const banks =
      ceil_divide(largest.value(), std::max(scratchpad.bank() / element, std::int64_t{1}));
  return {pass,
          std::max(pass.elements.value() / std::max(banks, std::int64_t{1}), std::int64_t{1})};
}

}  // namespace tessera::sim
