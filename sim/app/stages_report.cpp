#include "sim/app/stages_report.hpp"

#include <nlohmann/json.hpp>

#include "partition/price/footprint.hpp"
#include "sim/terminal/table.hpp"

namespace tessera::sim {

using partition::Pipeline;
using partition::Stage;
using partition::StageId;
using workloads::Network;
using workloads::OperatorId;

namespace {

/// "0-3, 8": runs of accelerators that follow each other.
std::string devices_text(std::vector<std::size_t> const& devices) {
  std::string text;
  for (std::size_t begin = 0; begin < devices.size();) {
    auto end = begin + 1;
    while (end < devices.size() && devices[end] == devices[end - 1] + 1) ++end;
    text.append(text.empty() ? "" : ", ").append(std::to_string(devices[begin]));
    if (end - begin > 1) text.append("-").append(std::to_string(devices[end - 1]));
    begin = end;
  }
  return text;
}

/// "conv1 to fc2 (7)"
std::string operators_text(std::vector<OperatorId> const& operators, Network const& network) {
  auto first = network.at(operators.front()).name;
  if (operators.size() == 1) return first;
  return first + " to " + network.at(operators.back()).name + " (" +
         std::to_string(operators.size()) + ")";
}

std::string layers_text(Stage const& stage, Network const& network) {
  std::string text;
  for (auto const& chunk : stage.chunks) {
    text.append(text.empty() ? "" : "; ").append(operators_text(chunk, network));
  }
  return text;
}

/// "F0 F1 B0 F2 B1 ...": how the first replica begins; W: backward_weight apart, U: update.
std::string order_text(Pipeline const& pipeline, StageId stage) {
  if (pipeline.schedule == Pipeline::layerwise) return "as inputs come";
  constexpr std::size_t longest = 8;
  constexpr char const* letters = "FBBWU";  // by Pass
  std::string text;
  auto const order = order_of(pipeline, stage, 0, 1);
  for (std::size_t i = 0; i < order.size() && i < longest; ++i) {
    auto const& slot = order[i];
    text.append(text.empty() ? "" : " ");
    text.append(1, letters[static_cast<std::size_t>(slot.pass)]);
    if (slot.pass != partition::Pass::update) text.append(std::to_string(slot.micro_batch));
    if (pipeline.chunks() > 1) text.append(".").append(std::to_string(slot.chunk));
  }
  return order.size() > longest ? text + " ..." : text;
}

char const* activations_text(Stage const& stage) {
  return stage.recomputes() ? "recomputed" : "stored";
}

Json names(std::vector<OperatorId> const& operators, Network const& network) {
  auto json = Json::array();
  for (auto const op : operators) json.push_back(network.at(op).name);
  return json;
}

}  // namespace

std::string stages_text(Pipeline const& pipeline, Network const& network) {
  Table table{{{"stage", Table::Align::right},
               {"accelerators", Table::Align::left},
               {"replicas", Table::Align::right},
               {"in flight", Table::Align::right},
               {"versions", Table::Align::right},
               {"activations", Table::Align::left},
               {"order", Table::Align::left},
               {"layers", Table::Align::left}}};
  for (auto const id : pipeline.stages.ids()) {
    auto const& stage = pipeline.stages[id];
    auto const copies = partition::copies_of(pipeline, id, 0);
    table.add({std::to_string(id.index()), devices_text(stage.mesh.devices),
               std::to_string(stage.replicas), std::to_string(copies.activations),
               std::to_string(copies.versions), activations_text(stage), order_text(pipeline, id),
               layers_text(stage, network)});
  }
  auto const samples = network.batch() / pipeline.micro_batches;
  return "schedule " + pipeline.schedule + ": " + std::to_string(pipeline.micro_batches) +
         " micro-batches of " + std::to_string(samples) + (samples == 1 ? " sample" : " samples") +
         "\n\n" + table.text();
}

std::string stage_name(Pipeline const& pipeline, OperatorId op) {
  for (auto const id : pipeline.stages.ids()) {
    auto const& chunks = pipeline.stages[id].chunks;
    for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk) {
      for (auto const other : chunks[chunk]) {
        if (other != op) continue;
        auto const name = std::to_string(id.index());
        return chunks.size() == 1 ? name : name + "." + std::to_string(chunk);
      }
    }
  }
  return "-";
}

Json stages_json(Pipeline const& pipeline, Network const& network) {
  auto stages = Json::array();
  for (auto const& stage : pipeline.stages) {
    Json json{{"accelerators", stage.mesh.devices},
              {"replicas", stage.replicas},
              {"activations", activations_text(stage)}};
    if (stage.chunks.size() == 1) {
      json["operators"] = names(stage.chunks.front(), network);
    } else {
      for (auto const& chunk : stage.chunks) json["chunks"].push_back(names(chunk, network));
    }
    stages.push_back(std::move(json));
  }
  return stages;
}

Json schedule_json(Pipeline const& pipeline) {
  auto versions = Json::array();
  for (auto const id : pipeline.stages.ids()) {
    versions.push_back(partition::copies_of(pipeline, id, 0).versions);
  }
  return {{"kind", pipeline.schedule},
          {"micro_batches", pipeline.micro_batches},
          {"weight_versions", versions}};
}

}  // namespace tessera::sim
