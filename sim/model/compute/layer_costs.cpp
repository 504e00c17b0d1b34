// One operator after another.
#include "sim/model/compute/layer_costs.hpp"

namespace tessera::sim {

std::vector<LayerCost> layer_costs(arch::CoreSpec const& core, workloads::Network const& network,
                                   std::vector<workloads::Phase> const& phases,
                                   ComputeOptions const& options) {
  ComputeMemo memo{core, options};
  auto const fusions = fusions_of(network.operators());
  std::vector<LayerCost> layers;
  for (auto const id : network.operators().ids()) {
    auto const& op = network.at(id);
    auto const shape = shape_of(op, op.extents, core.has_vector_unit() ? fusions[id] : Fusion{});
    for (auto const phase : phases) {
      if (op.has(phase)) layers.push_back({op.name, phase, memo.cost(shape, phase)});
    }
  }
  return layers;
}

ComputeCost total(std::vector<LayerCost> const& layers) {
  ComputeCost sum;
  for (auto const& layer : layers) sum += layer.cost;
  return sum;
}

}  // namespace tessera::sim
