// Products and passes put together, for either kind of core.
#include "sim/model/compute/compute_cost.hpp"

#include <algorithm>

#include "sim/model/compute/phase_stream.hpp"
#include "sim/model/compute/phase_work.hpp"
#include "sim/model/compute/row_stationary.hpp"
#include "sim/model/compute/systolic_array.hpp"
#include "sim/model/compute/tile_stream.hpp"

namespace tessera::sim {

namespace {

using arch::RowStationaryCoreSpec;
using arch::SystolicCoreSpec;
using workloads::Phase;

ComputeCost product_cost(SystolicCoreSpec const& core, Gemm const& gemm, Padding const& padding) {
  auto const whole = systolic_cost(core.array, padding(gemm));
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
  return cost;
}

ComputeCost pass_cost(SystolicCoreSpec const& core, VectorPass const& pass) {
  auto const vector = vector_cost(core.vector, pass);
  ComputeCost cost;
  cost.vector = vector.cycles;
  cost.accesses = vector.accesses;
  cost.buffer_traffic = arch::accumulator_size * vector.accesses.value();
  cost.vector_operations = vector.operations;
  cost.energy = vector.operations * core.energy.vector_operation +
                cost.buffer_traffic.value() * core.energy.scratchpad_byte;
  return cost;
}

ComputeCost cost_on(arch::CoreSpec const& spec, SystolicCoreSpec const& core,
                    OperatorShape const& shape, Phase phase, ComputeOptions const& options) {
  ComputeCost cost;
  auto const products = gemms_of(shape, phase, options.error_mapping);
  Padding const padding{core.padding, shape, phase};
  ComputeCost one;
  for (std::size_t i = 0; i < products.size(); ++i) {
    if (i == 0 || !(products[i] == products[i - 1])) one = product_cost(core, products[i], padding);
    cost += one;
  }
  for (auto const& pass : vector_passes(shape, phase, options)) cost += pass_cost(core, pass);
  cost.cycles = std::max(cost.products, cost.vector);
  if (options.memory == ComputeOptions::Memory::ideal) return cost;

  auto const streamed = stream_phase({spec, core, shape, phase, options});
  cost.cycles = streamed.cycles;
  cost.products = streamed.products;
  cost.stalled = cost.cycles - std::max(cost.products, cost.vector);
  cost.memory_traffic = streamed.traffic;
  cost.energy += streamed.traffic.value() * core.energy.memory_byte;
  return cost;
}

/// Its PEs do what a vector unit would.
VectorPass work_of_pes(OperatorShape const& shape, Phase phase, ComputeOptions const& options) {
  auto const passes = vector_passes(shape, phase, options);
  return passes.empty() ? VectorPass{} : merged(passes);
}

ComputeCost cost_on(arch::CoreSpec const& spec, RowStationaryCoreSpec const& core,
                    OperatorShape const& shape, Phase phase, ComputeOptions const& options) {
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
  auto const work = work_of_pes(shape, phase, options);
  auto const operations = (work.elements * work.work.alu).value();
  cost.vector = Cycles{ceil_divide(operations, core.rows * core.columns)};
  cost.vector_operations = operations;
  cost.cycles = cost.products + cost.vector;
  auto const energy = energy_of(core, passes);
  cost.energy = energy.on_chip() + operations * core.energy.mac;
  if (options.memory == ComputeOptions::Memory::ideal) return cost;

  cost.memory_traffic = core.word * passes.memory_words.value();
  MemoryPort const port{spec.clock, core.memory_bandwidth};
  cost.stalled = std::max(port.transfer(cost.memory_traffic) - cost.cycles, Cycles{0});
  if (cost.cycles > Cycles{0}) cost.stalled += kernel_start(spec);
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
    key.insert(
        key.end(),
        {elements.elements, elements.inputs, static_cast<std::int64_t>(elements.work),
         elements.weights, elements.tensors, elements.read, elements.rows,
         elements.fusion.behind_product ? 1 : 0, elements.fusion.in_front_of_product ? 1 : 0});
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
  auto cost = std::visit(
      [&](auto const& unit) { return cost_on(core, unit, shape, phase, options); }, core.unit);
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
