// Tables and documents of the compute probe.
#include "sim/probe/compute_report.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "sim/study/result.hpp"
#include "sim/terminal/table.hpp"

namespace tessera::sim {

namespace {

double seconds(ComputeProbe const& probe, Cycles cycles) {
  return static_cast<double>(cycles.value()) / static_cast<double>(probe.core.clock.value());
}

char const* name(ComputeOptions::Memory memory) {
  return memory == ComputeOptions::Memory::ideal ? "ideal" : "core";
}

std::vector<std::string> cells(ComputeProbe const& probe, std::string const& layer,
                               std::string const& phase, ComputeCost const& cost) {
  return {layer,
          phase,
          std::to_string(cost.cycles.value()),
          time_text(seconds(probe, cost.cycles)),
          percent_text(utilisation(probe.core, cost)),
          std::to_string(cost.macs.value()),
          std::to_string(cost.stalled.value()),
          bytes_text(static_cast<double>(cost.memory_traffic.value())),
          energy_text(cost.energy.value())};
}

std::string table_of(ComputeProbe const& probe) {
  Table table{{{"layer", Table::Align::left},
               {"phase", Table::Align::left},
               {"cycles"},
               {"time"},
               {"utilisation"},
               {"MACs"},
               {"stalled"},
               {"memory traffic"},
               {"energy"}}};
  for (auto const& [layer, phase, cost] : probe.phases) {
    table.add(cells(probe, layer, workloads::name(phase), cost));
  }
  table.add(cells(probe, "total", "", total(probe.phases)));
  return table.text();
}

/// The phases that waited for tiles, the longest wait first.
std::vector<LayerCost> late_ones(ComputeProbe const& probe) {
  auto late = probe.phases;
  late.erase(std::remove_if(late.begin(), late.end(),
                            [](auto const& phase) { return phase.cost.stalled == Cycles{0}; }),
             late.end());
  std::stable_sort(late.begin(), late.end(),
                   [](auto const& a, auto const& b) { return a.cost.stalled > b.cost.stalled; });
  return late;
}

std::string late_tiles(ComputeProbe const& probe) {
  constexpr std::size_t shown = 10;
  auto const late = late_ones(probe);
  if (late.empty()) return {};
  auto text = "\nlate tiles: " + std::to_string(late.size()) + " of " +
              std::to_string(probe.phases.size()) + " waited for memory\n";
  for (std::size_t index = 0; index < std::min(shown, late.size()); ++index) {
    auto const& [layer, phase, cost] = late[index];
    auto const share =
        static_cast<double>(cost.stalled.value()) / static_cast<double>(cost.cycles.value());
    text += "  " + layer + " " + workloads::name(phase) + ": " +
            std::to_string(cost.stalled.value()) + " cycles, " + percent_text(share) +
            " of its time\n";
  }
  if (late.size() > shown) text += "  and " + std::to_string(late.size() - shown) + " more\n";
  return text;
}

Json to_json(ComputeProbe const& probe, ComputeCost const& cost) {
  return {{"cycles", cost.cycles.value()},
          {"time_s", seconds(probe, cost.cycles)},
          {"utilisation", utilisation(probe.core, cost)},
          {"macs", cost.macs.value()},
          {"executed_macs", cost.executed.value()},
          {"product_cycles", cost.products.value()},
          {"vector_cycles", cost.vector.value()},
          {"stalled_cycles", cost.stalled.value()},
          {"scratchpad_accesses", cost.accesses.value()},
          {"memory_bytes", cost.memory_traffic.value()},
          {"energy_j", cost.energy.value()}};
}

}  // namespace

std::string as_text(ComputeProbe const& probe) {
  return probe.title + " on " + probe.core.name + ", memory " + name(probe.memory) + "\n\n" +
         table_of(probe) + late_tiles(probe);
}

std::string as_json(ComputeProbe const& probe) {
  auto layers = Json::array();
  for (auto const& [layer, phase, cost] : probe.phases) {
    Json entry = {{"layer", layer}, {"phase", workloads::name(phase)}};
    entry.update(to_json(probe, cost));
    layers.push_back(entry);
  }
  return document({{"schema", "tessera.probe-compute/1"},
                   {"work", probe.title},
                   {"core", probe.core.name},
                   {"clock_hz", probe.core.clock.value()},
                   {"macs_per_cycle", probe.core.macs_per_cycle()},
                   {"memory", name(probe.memory)},
                   {"layers", layers},
                   {"total", to_json(probe, total(probe.phases))}});
}

}  // namespace tessera::sim
