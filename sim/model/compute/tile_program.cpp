// Tiles of products, passes of convolutions, and chunks of element-wise work, as one kind of step.
#include "sim/model/compute/tile_program.hpp"

#include <algorithm>
#include <utility>

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

/// On a core without a vector unit they are one stream.
std::vector<VectorPass> passes_on(arch::CoreSpec const& core, std::vector<VectorPass> passes) {
  if (core.has_vector_unit() || passes.empty()) return passes;
  return {merged(passes)};
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
      passes_{passes_on(core, vector_passes(shape, phase, options))},
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

TileProgram::Totals TileProgram::totals() const {
  Totals sum;
  auto const reach = [&sum](TileMove const& move) {
    auto& furthest = sum.reach.at(static_cast<std::size_t>(move.operand));
    if (move.size > Bytes{0}) furthest = std::max(furthest, move.offset + move.size);
  };
  Cycles last{0};  // since the last load of the kernel so far
  for_each([&](TileStep const& step) {
    for (auto const& load : step.loads) reach(load);
    reach(step.store);
    auto const loaded = step.loads[0].size + step.loads[1].size;
    sum.memory_traffic += loaded + step.store.size;
    sum.compute += step.compute;
    if (step.kernel_start && loaded > Bytes{0}) sum.kernel_starts += *step.kernel_start;
    if (step.kernel_start) sum.behind_loads += std::exchange(last, Cycles{0});
    last = loaded > Bytes{0} ? step.compute : last + step.compute;
  });
  sum.behind_loads += last;
  return sum;
}

void TileProgram::for_each(Visit const& visit_step) const {
  auto const start = kernel_start(core_);
  if (core_.has_vector_unit() || start == Cycles{0}) return visit_parts(visit_step);
  bool is_first = true;
  visit_parts([&](TileStep step) {
    if (std::exchange(is_first, false)) step.kernel_start = start;
    visit_step(step);
  });
}

void TileProgram::visit_parts(Visit const& visit_step) const {
  if (!parts_.empty()) return visit_products(visit_step);
  for (auto const& pass : passes_) visit(pass, visit_step);
}

/// And then what the element-wise work beside them needs longer.
void TileProgram::visit_products(Visit const& visit_step) const {
  Cycles products{0};
  auto const counted = [&](TileStep const& step) {
    products += step.compute;
    visit_step(step);
  };
  for (auto const& part : parts_) {
    std::visit([&](auto const& kind) { visit(kind, counted); }, part);
  }
  TileStep rest;
  for (auto const& pass : passes_) rest.compute += cycles_of(pass);
  if (core_.has_vector_unit()) rest.compute -= products;
  if (rest.compute > Cycles{0}) visit_step(rest);
}

void TileProgram::visit(Product const& product, Visit const& visit_step) const {
  auto const& array = std::get<SystolicCoreSpec>(core_.unit).array;
  auto const& [gemm, rules, tiling] = product;
  auto const a_whole = rules.shares.a.of(tiling.tile.m * tiling.tile.k);
  auto const b_whole = rules.shares.b.of(tiling.tile.n * tiling.tile.k);
  auto const c_whole = tiling.tile.m * tiling.tile.n;
  auto const ramp = best_occupancy(array, padding_(tiling.tile)).ramp;
  for_each_tile(rules, gemm, tiling, [&, element = rules.element](TileVisit const& tile) {
    TileStep step;
    step.loads = {move_of(Operand::a, tile.a_place, a_whole, tile.a_elements, element),
                  move_of(Operand::b, tile.b_place, b_whole, tile.b_elements, element)};
    step.compute = best_occupancy(array, padding_(tile.tile)).busy;
    if (tile.is_first) step.kernel_start = kernel_start(core_);
    if (tile.is_last) step.compute += ramp;  // the last results on their way
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

void TileProgram::visit(VectorPass const& pass, Visit const& visit_step) const {
  auto const tiles = tiled(pass);
  if (tiles.tiles() == 0) return;
  auto const whole = tiles.tile(0);
  bool const rereads = pass.source == VectorPass::Source::result;
  for (std::int64_t index = 0; index < tiles.tiles(); ++index) {
    auto const tile = tiles.tile(index);
    auto const move = [&](Operand operand, Elements of_whole, Elements elements) {
      return move_of(operand, index, of_whole.value(), elements.value(), options_.element);
    };
    TileStep step;
    step.loads = {move(rereads ? Operand::c : Operand::a, whole.reads[0], tile.reads[0]),
                  move(Operand::b, whole.reads[1], tile.reads[1])};
    step.compute = cycles_of(tile);
    step.store = move(Operand::c, whole.writes, tile.writes);
    if (index == 0 && core_.has_vector_unit() && pass.starts_kernel) {
      step.kernel_start = kernel_start(core_);
    }
    visit_step(step);
  }
}

/// Without banks: so that two tiles of all tensors fill the buffer.
TiledPass TileProgram::tiled(VectorPass const& pass) const {
  if (auto const* const systolic = std::get_if<SystolicCoreSpec>(&core_.unit)) {
    return in_banks(pass, systolic->scratchpad, options_.element);
  }
  auto const words = std::max<std::int64_t>(pass.work.loads + pass.work.stores, 1);
  auto const capacity = std::get<RowStationaryCoreSpec>(core_.unit).buffer.capacity;
  return {pass, std::max<std::int64_t>(capacity / (options_.element * (2 * words)), 1)};
}

Cycles TileProgram::cycles_of(VectorPass const& pass) const {
  if (auto const* const systolic = std::get_if<SystolicCoreSpec>(&core_.unit)) {
    return vector_cost(systolic->vector, pass).cycles;
  }
  auto const& core = std::get<RowStationaryCoreSpec>(core_.unit);
  return Cycles{ceil_divide((pass.elements * pass.work.alu).value(), core.rows * core.columns)};
}

}  // namespace tessera::sim
