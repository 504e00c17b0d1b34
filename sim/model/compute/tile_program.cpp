// Tiles of products, passes of convolutions, and chunks of element-wise work, as one kind of step.
#include "sim/model/compute/tile_program.hpp"

#include <algorithm>

#include "sim/model/compute/systolic_array.hpp"

namespace tessera::sim {

namespace {

using arch::RowStationaryCoreSpec;
using arch::SystolicCoreSpec;

/// Padding of products; a row-stationary array has none.
arch::TilePadding padding_of(arch::CoreSpec const& core) {
  auto const* const systolic = std::get_if<SystolicCoreSpec>(&core.unit);
  return systolic == nullptr ? arch::TilePadding{} : systolic->padding;
}

Bytes on_chip_memory(arch::CoreSpec const& core) {
  auto const* const systolic = std::get_if<SystolicCoreSpec>(&core.unit);
  return systolic != nullptr ? systolic->scratchpad.capacity
                             : std::get<RowStationaryCoreSpec>(core.unit).buffer.capacity;
}

/// A tile of `elements`, the `place`-th of its operand, of whose tiles the whole ones have `whole`
/// elements.
TileMove move_of(Operand operand, std::int64_t place, std::int64_t whole, std::int64_t elements,
                 Bytes element) {
  return {operand, element * (place * whole), element * elements};
}

}  // namespace

TileProgram::TileProgram(arch::CoreSpec const& core, OperatorShape const& shape,
                         workloads::Phase phase, ComputeOptions const& options)
    : core_{core},
      phase_{phase},
      options_{options},
      elements_{element_work(shape, phase, options)},
      padding_{padding_of(core), shape, phase},
      cost_{compute_cost(core, shape, phase, options)} {
  EXPECTS(options.memory == ComputeOptions::Memory::ideal);
  if (auto const* const systolic = std::get_if<SystolicCoreSpec>(&core.unit)) {
    add_products(*systolic, shape);
  } else {
    add_convolutions(std::get<RowStationaryCoreSpec>(core.unit), shape);
  }
}

TileProgram::TileProgram(arch::CoreSpec const& core)
    : core_{core}, padding_{padding_of(core), ElementwiseShape{}, phase_} {}

void TileProgram::add_products(SystolicCoreSpec const& core, OperatorShape const& shape) {
  auto const rules = tile_rules(core, distinct_shares(shape, phase_), options_);
  for (auto const& gemm : gemms_of(shape, phase_, options_.error_mapping)) {
    auto const* const last = parts_.empty() ? nullptr : &std::get<Product>(parts_.back());
    bool const is_same = last != nullptr && last->gemm == gemm;
    parts_.emplace_back(Product{gemm, rules, is_same ? last->tiling : choose_tiling(rules, gemm)});
  }
}

void TileProgram::add_convolutions(RowStationaryCoreSpec const& core, OperatorShape const& shape) {
  for (auto const& conv : convolutions_of(core, shape, phase_)) {
    parts_.emplace_back(Convolution{conv, choose_mapping(core, conv)});
  }
}

void TileProgram::for_each(Visit const& visit_step) const {
  for (auto const& part : parts_) {
    std::visit([&](auto const& kind) { visit(kind, visit_step); }, part);
  }
  visit_elements(visit_step);
}

void TileProgram::visit(Product const& product, Visit const& visit_step) const {
  auto const& array = std::get<SystolicCoreSpec>(core_.unit).array;
  auto const& [gemm, rules, tiling] = product;
  auto const a_whole = rules.shares.a.of(tiling.tile.m * tiling.tile.k);
  auto const b_whole = rules.shares.b.of(tiling.tile.n * tiling.tile.k);
  auto const c_whole = tiling.tile.m * tiling.tile.n;
  auto ramp = best_occupancy(array, padding_(tiling.tile)).ramp;  // the first results on their way
  for_each_tile(rules, gemm, tiling, [&, element = rules.element](TileVisit const& tile) {
    TileStep step;
    step.loads = {move_of(Operand::a, tile.a_place, a_whole, tile.a_elements, element),
                  move_of(Operand::b, tile.b_place, b_whole, tile.b_elements, element)};
    step.compute = best_occupancy(array, padding_(tile.tile)).busy + ramp;
    ramp = Cycles{0};
    if (tile.finishes_sums) {
      step.store = move_of(Operand::c, tile.c_place, c_whole, tile.tile.m * tile.tile.n, element);
    }
    visit_step(step);
  });
}

void TileProgram::visit(Convolution const& convolution, Visit const& visit_step) const {
  auto const& core = std::get<RowStationaryCoreSpec>(core_.unit);
  auto const& [conv, mapping] = convolution;
  std::int64_t ifmap_whole = 0;
  std::int64_t filter_whole = 0;
  std::int64_t ofmap_whole = 0;
  for_each_pass(core, conv, mapping, [&](RowStationaryVisit const& pass) {
    ifmap_whole = std::max(ifmap_whole, pass.ifmap_words);  // the first of a kind is a whole one
    filter_whole = std::max(filter_whole, pass.filter_words);
    ofmap_whole = std::max(ofmap_whole, pass.ofmap_words);
    TileStep step;
    step.loads = {
        move_of(Operand::a, pass.ifmap_place, ifmap_whole, pass.ifmap_words, core.word),
        move_of(Operand::b, pass.filter_place, filter_whole, pass.filter_words, core.word)};
    step.compute = pass.cycles;
    step.store = move_of(Operand::c, pass.ofmap_place, ofmap_whole, pass.ofmap_words, core.word);
    visit_step(step);
  });
}

/// Beside products: what is left of it. Alone: chunks that fill half of the on-chip memory.
void TileProgram::visit_elements(Visit const& visit_step) const {
  TileStep step;
  if (!parts_.empty()) {
    step.compute = cost_.cycles - cost_.products;
    if (step.compute > Cycles{0}) visit_step(step);
    return;
  }
  auto const& [work, elements] = elements_;
  auto const words = std::max<std::int64_t>(work.loads + work.stores, 1);
  auto const chunk = std::max<std::int64_t>(
      on_chip_memory(core_).value() / (2 * words * options_.element.value()), 1);
  for (std::int64_t first = 0; first < elements.value(); first += chunk) {
    auto const count = std::min(chunk, elements.value() - first);
    auto const place = first / chunk;
    auto const one = std::min<std::int64_t>(work.loads, 1);
    step.loads = {move_of(Operand::a, place, chunk, count * one, options_.element),
                  move_of(Operand::b, place, chunk * (work.loads - one), count * (work.loads - one),
                          options_.element)};
    step.compute = element_cycles(count);
    step.store =
        move_of(Operand::c, place, chunk * work.stores, count * work.stores, options_.element);
    visit_step(step);
  }
}

Cycles TileProgram::element_cycles(std::int64_t elements) const {
  if (auto const* const systolic = std::get_if<SystolicCoreSpec>(&core_.unit)) {
    return vector_cost(systolic->vector, elements_.work, Elements{elements}).cycles;
  }
  auto const& core = std::get<RowStationaryCoreSpec>(core_.unit);
  return Cycles{ceil_divide(elements * elements_.work.alu, core.rows * core.columns)};
}

}  // namespace tessera::sim
