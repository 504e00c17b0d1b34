#include "partition/price/exchange_cost.hpp"

namespace tessera::partition {

ExchangeCost exchange_cost(arch::Topology const& topology, Hierarchy const& array,
                           DeviceMesh const& mesh, Bytes element_size,
                           std::vector<ReshardStep> const& steps) {
  ExchangeCost cost{seconds(exchange_time(topology, mesh, element_size, steps)),
                    std::vector<double>(array.levels())};
  for (auto const& step : steps) {
    for (auto const& exchange : step.exchanges) {
      auto const level =
          array.outermost_difference(mesh.devices[exchange.from], mesh.devices[exchange.to]);
      cost.level_elements[level] += static_cast<double>(exchange.elements.value());
    }
  }
  return cost;
}

}  // namespace tessera::partition
