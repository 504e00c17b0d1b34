// Products, element-wise work and streams put together, for either kind of core.
#include "sim/model/compute/compute_cost.hpp"

#include <algorithm>

#include "sim/model/compute/phase_work.hpp"
#include "sim/model/compute/row_stationary.hpp"
#include "sim/model/compute/systolic_array.hpp"
#include "sim/model/compute/tile_stream.hpp"

namespace tessera::sim {

namespace {

using Memory = ComputeOptions::Memory;
using arch::RowStationaryCoreSpec;
using arch::SystolicCoreSpec;
using workloads::Phase;

/// One product, its tiles on their way included.
ComputeCost product_cost(arch::CoreSpec const& spec, SystolicCoreSpec const& core, Gemm const& gemm,
                         Padding const& padding, OperandShares const& shares,
                         ComputeOptions const& options) {
  auto const& array = core.array;
  auto const whole = systolic_cost(array, padding(gemm));
  ComputeCost cost;
  cost.products = whole.cycles;
  cost.executed = whole.macs;
  cost.accesses = whole.accesses.total();
  auto const& energy = core.energy.of(core.format);
  auto const& [a, b, sum_reads, sum_writes] = whole.accesses;
  auto const bytes = arch::size_of(core.format) * (a + b).value() +
                     arch::accumulator_size * (sum_reads + sum_writes).value();
  cost.buffer_traffic = bytes;
  cost.energy = whole.macs.value() * (energy.multiply + energy.add) +
                bytes.value() * core.energy.scratchpad_byte;
  if (options.memory == Memory::ideal) return cost;

  auto const rules = tile_rules(core, shares, options);
  auto const tiling = choose_tiling(rules, gemm);
  auto const occupancy = [&](Gemm const& tile) { return best_occupancy(array, padding(tile)); };
  auto const tile_cycles = [&](Gemm const& tile) { return occupancy(tile).busy; };
  auto const streamed =
      stream(rules, gemm, tiling, {spec.clock, core.memory_bandwidth}, tile_cycles);
  cost.products = streamed.computed + occupancy(tiling.tile).ramp;
  cost.stalled = streamed.stalled + streamed.draining;
  cost.memory_traffic = streamed.traffic;
  cost.energy += streamed.traffic.value() * core.energy.memory_byte;
  return cost;
}

ComputeCost cost_on(arch::CoreSpec const& spec, SystolicCoreSpec const& core,
                    OperatorShape const& shape, Phase phase, ElementWork const& elements,
                    ComputeOptions const& options) {
  ComputeCost cost;
  auto const products = gemms_of(shape, phase, options.error_mapping);
  Padding const padding{core.padding, shape, phase};
  auto const shares = distinct_shares(shape, phase);
  ComputeCost one;
  for (std::size_t i = 0; i < products.size(); ++i) {
    if (i == 0 || !(products[i] == products[i - 1])) {
      one = product_cost(spec, core, products[i], padding, shares, options);
    }
    cost += one;
  }
  auto const vector = vector_cost(core.vector, elements.work, elements.elements);
  cost.vector = vector.cycles;
  cost.accesses += vector.accesses;
  cost.buffer_traffic += arch::accumulator_size * vector.accesses.value();
  cost.vector_operations = vector.operations;
  cost.energy +=
      vector.operations * core.energy.vector_operation +
      (vector.accesses.value() * arch::accumulator_size.value()) * core.energy.scratchpad_byte;
  if (options.memory == Memory::core && products.empty()) {
    MemoryPort const port{spec.clock, core.memory_bandwidth};
    cost.memory_traffic =
        options.element *
        (elements.elements * (elements.work.loads + elements.work.stores)).value();
    cost.stalled = std::max(port.transfer(cost.memory_traffic) - cost.vector, Cycles{0});
    cost.energy += cost.memory_traffic.value() * core.energy.memory_byte;
  }
  cost.cycles = std::max(cost.products, cost.vector) + cost.stalled;
  return cost;
}

ComputeCost cost_on(arch::CoreSpec const& spec, RowStationaryCoreSpec const& core,
                    OperatorShape const& shape, Phase phase, ElementWork const& elements,
                    ComputeOptions const& options) {
  RowStationaryCost passes;
  for (auto const& conv : convolutions_of(core, shape, phase)) {
    passes += row_stationary_cost(core, conv, choose_mapping(core, conv));
  }
  ComputeCost cost;
  cost.products = passes.cycles;
  cost.executed = passes.macs;
  cost.accesses = passes.buffer_words;
  cost.buffer_traffic = core.word * passes.buffer_words.value();
  cost.register_accesses = passes.register_accesses;
  cost.network_words = passes.network_words;
  auto const operations = (elements.elements * elements.work.alu).value();
  cost.vector = Cycles{ceil_divide(operations, core.rows * core.columns)};
  cost.vector_operations = operations;
  cost.cycles = cost.products + cost.vector;
  auto const energy = energy_of(core, passes);
  cost.energy = energy.on_chip() + operations * core.energy.mac;
  if (options.memory == Memory::ideal) return cost;

  cost.memory_traffic = core.word * passes.memory_words.value();
  MemoryPort const port{spec.clock, core.memory_bandwidth};
  cost.stalled = std::max(port.transfer(cost.memory_traffic) - cost.cycles, Cycles{0});
  cost.cycles += cost.stalled;
  cost.energy += energy.memory;
  return cost;
}

/// A shape as numbers.
std::vector<std::int64_t> key_of(OperatorShape const& shape, Phase phase) {
  std::vector<std::int64_t> key = {static_cast<std::int64_t>(phase),
                                   static_cast<std::int64_t>(shape.index())};
  if (auto const* const conv = std::get_if<ConvShape>(&shape)) {
    key.insert(key.end(), {conv->samples, conv->filters, conv->channels, conv->groups});
    for (auto const* const side : {&conv->rows, &conv->columns}) {
      key.insert(key.end(), {side->input, side->output, side->taps, side->stride, side->dilation,
                             side->padding});
    }
  } else if (auto const* const matmul = std::get_if<MatmulShape>(&shape)) {
    auto const& [batch, m, n, k] = matmul->gemm;
    key.insert(key.end(), {batch, m, n, k});
  } else if (auto const* const lstm = std::get_if<LstmShape>(&shape)) {
    key.insert(key.end(), {lstm->steps, lstm->samples, lstm->inputs, lstm->hidden});
  } else {
    auto const& elements = std::get<ElementwiseShape>(shape);
    key.insert(key.end(), {elements.elements, elements.inputs,
                           static_cast<std::int64_t>(elements.work), elements.weights});
  }
  return key;
}

}  // namespace

ComputeCost& ComputeCost::operator+=(ComputeCost const& other) {
  cycles += other.cycles;
  products += other.products;
  vector += other.vector;
  stalled += other.stalled;
  macs += other.macs;
  executed += other.executed;
  accesses += other.accesses;
  buffer_traffic += other.buffer_traffic;
  register_accesses += other.register_accesses;
  network_words += other.network_words;
  vector_operations += other.vector_operations;
  memory_traffic += other.memory_traffic;
  energy += other.energy;
  return *this;
}

ComputeCost compute_cost(arch::CoreSpec const& core, OperatorShape const& shape, Phase phase,
                         ComputeOptions const& options) {
  EXPECTS(phase == workloads::computed_as(phase), core.name);
  auto const elements = element_work(shape, phase, options);
  auto cost = std::visit(
      [&](auto const& unit) { return cost_on(core, unit, shape, phase, elements, options); },
      core.unit);
  cost.macs = analytical_macs(shape, phase);
  return cost;
}

double utilisation(arch::CoreSpec const& core, ComputeCost const& cost) {
  if (cost.cycles == Cycles{0}) return 0;
  return static_cast<double>(cost.macs.value()) /
         (static_cast<double>(core.macs_per_cycle()) * static_cast<double>(cost.cycles.value()));
}

ComputeCost const& ComputeMemo::cost(OperatorShape const& shape, Phase phase) {
  auto key = key_of(shape, phase);
  auto const found = known_.find(key);
  if (found != known_.end()) return found->second;
  return known_.emplace(std::move(key), compute_cost(core_, shape, phase, options_)).first->second;
}

}  // namespace tessera::sim
