// Streams of products and of passes, one behind the other.
#include "sim/model/compute/phase_stream.hpp"

#include <algorithm>

#include "sim/model/compute/phase_work.hpp"
#include "sim/model/compute/systolic_array.hpp"
#include "sim/model/compute/tile_stream.hpp"

namespace tessera::sim {

namespace {

StreamCost product_stream(PhaseOnCore const& phase, Gemm const& gemm) {
  auto const& array = phase.core.array;
  Padding const padding{phase.core.padding, phase.shape, phase.phase};
  auto const rules =
      tile_rules(phase.core, distinct_shares(phase.shape, phase.phase), phase.options);
  auto const tiling = choose_tiling(rules, gemm);
  auto const occupancy = [&](Gemm const& tile) { return best_occupancy(array, padding(tile)); };
  return stream(
      rules, gemm, tiling, {phase.spec.clock, phase.core.memory_bandwidth},
      {[&](Gemm const& tile) { return occupancy(tile).busy; }, occupancy(tiling.tile).ramp});
}

PassTile pass_tile(PhaseOnCore const& phase, VectorPass const& tile) {
  auto const element = phase.options.element;
  return {element * (tile.reads[0] + tile.reads[1]).value(),
          vector_cost(phase.core.vector, tile).cycles, element * tile.writes.value()};
}

StreamCost pass_stream(PhaseOnCore const& phase, VectorPass const& pass) {
  auto const tiled = in_banks(pass, phase.core.scratchpad, phase.options.element);
  auto const tiles = tiled.tiles();
  if (tiles == 0) return {};
  return stream(pass_tile(phase, tiled.tile(0)), pass_tile(phase, tiled.tile(tiles - 1)), tiles,
                {phase.spec.clock, phase.core.memory_bandwidth});
}

PhaseStream stream_products(PhaseOnCore const& phase, std::vector<Gemm> const& gemms) {
  PhaseStream sum;
  StreamCost kernel;
  for (std::size_t i = 0; i < gemms.size(); ++i) {
    if (i == 0 || !(gemms[i] == gemms[i - 1])) kernel = product_stream(phase, gemms[i]);
    sum.cycles += kernel_start(phase.spec) + kernel.cycles;
    sum.traffic += kernel.traffic;
    sum.products += kernel.computed;
  }
  Cycles activation{0};
  for (auto const& pass : vector_passes(phase.shape, phase.phase, phase.options)) {
    activation += vector_cost(phase.core.vector, pass).cycles;
  }
  sum.cycles += std::max(activation - sum.products - kernel.draining, Cycles{0});
  return sum;
}

PhaseStream stream_passes(PhaseOnCore const& phase) {
  PhaseStream sum;
  for (auto const& pass : vector_passes(phase.shape, phase.phase, phase.options)) {
    auto const kernel = pass_stream(phase, pass);
    if (pass.starts_kernel && kernel.tiles > 0) sum.cycles += kernel_start(phase.spec);
    sum.cycles += kernel.cycles;
    sum.traffic += kernel.traffic;
  }
  return sum;
}

}  // namespace

PhaseStream stream_phase(PhaseOnCore const& phase) {
  auto const gemms = gemms_of(phase.shape, phase.phase, phase.options.error_mapping);
  return gemms.empty() ? stream_passes(phase) : stream_products(phase, gemms);
}

}  // namespace tessera::sim
