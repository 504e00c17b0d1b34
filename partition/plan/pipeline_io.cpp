// Stages as YAML, in and out.
#include <algorithm>

#include "partition/plan/explicit_orders.hpp"
#include "partition/plan/pipeline.hpp"

namespace tessera::partition {

using workloads::Network;
using workloads::OperatorId;

namespace {

std::vector<std::pair<std::string, Pipeline::Backward>> const backwards = {
    {"fused", Pipeline::Backward::fused}, {"split", Pipeline::Backward::split}};
std::vector<std::pair<std::string, ScheduleOptions::VerticalSync>> const vertical_syncs = {
    {"false", ScheduleOptions::VerticalSync::off}, {"true", ScheduleOptions::VerticalSync::on}};

std::size_t accelerator_from(ConfigNode const& node, std::string const& text,
                             std::size_t accelerators) {
  auto const number = node.with_text(text).as<std::int64_t>();
  if (number < 0 || static_cast<std::size_t>(number) >= accelerators) {
    throw node.error("there is no accelerator " + text + " (the array has " +
                     std::to_string(accelerators) + "); use 0 to " +
                     std::to_string(accelerators - 1));
  }
  return static_cast<std::size_t>(number);
}

/// "4" or "4-7".
void append_accelerators(ConfigNode const& node, std::size_t accelerators,
                         std::vector<std::size_t>& devices) {
  auto const text = node.as<std::string>();
  auto const dash = text.find('-', 1);
  auto const first = accelerator_from(node, text.substr(0, dash), accelerators);
  auto const last = dash == std::string::npos
                        ? first
                        : accelerator_from(node, text.substr(dash + 1), accelerators);
  if (last < first) {
    throw node.error("range '" + text + "' ends before it begins; write it as " +
                     std::to_string(last) + "-" + std::to_string(first));
  }
  for (auto device = first; device <= last; ++device) {
    bool const is_known = std::find(devices.begin(), devices.end(), device) != devices.end();
    if (is_known) {
      throw node.error("accelerator " + std::to_string(device) +
                       " is in this stage already; name it once");
    }
    devices.push_back(device);
  }
}

std::vector<std::size_t> arity_from(ConfigNode const& node, std::size_t devices) {
  std::vector<std::size_t> arity;
  std::size_t product = 1;
  for (auto const& entry : node.as_list()) {
    auto const parts = entry.as<std::int64_t>();
    if (parts < 2) throw entry.error("an axis has two parts or more; leave it out");
    arity.push_back(static_cast<std::size_t>(parts));
    product *= arity.back();
    if (product > devices) break;
  }
  if (product == devices) return arity;
  throw node.error("the parts along the axes do not make the stage's " + std::to_string(devices) +
                   " accelerators; their product must be " + std::to_string(devices));
}

DeviceMesh mesh_from(ConfigMap& map, std::size_t accelerators) {
  DeviceMesh mesh;
  auto const& list = map.node("accelerators");
  for (auto const& entry : list.as_list()) append_accelerators(entry, accelerators, mesh.devices);
  if (mesh.devices.empty()) throw list.error("a stage needs an accelerator");
  if (auto const* const arity = map.find("arity")) {
    mesh.arity = arity_from(*arity, mesh.devices.size());
  } else {
    mesh.arity = Hierarchy{mesh.devices.size()}.ways();
  }
  return mesh;
}

std::vector<OperatorId> operators_from(ConfigNode const& node, Network const& network) {
  std::vector<OperatorId> operators;
  for (auto const& entry : node.as_list()) {
    try {
      operators.push_back(network.find(entry.as<std::string>()));
    } catch (ConfigError const& error) {
      throw entry.error(error.problem());
    }
  }
  if (operators.empty()) throw node.error("a stage needs an operator");
  return operators;
}

std::size_t replicas_from(ConfigMap& map, DeviceMesh& mesh) {
  auto const* const node = map.find("replicas");
  if (node == nullptr) return 1;
  auto const count = node->as<std::int64_t>();
  if (count < 1) throw node->error("a stage has one replica at least");
  auto const replicas = static_cast<std::size_t>(count);
  if (replicas == 1) return 1;
  auto const devices = mesh.devices.size();
  if (devices % replicas != 0) {
    throw node->error(std::to_string(devices) + " accelerators cannot be dealt out to " +
                      std::to_string(replicas) + " replicas; use a divisor of " +
                      std::to_string(devices));
  }
  if (map.find("arity") == nullptr) {
    mesh.arity = Hierarchy{devices / replicas}.ways();
    mesh.arity.insert(mesh.arity.begin(), replicas);
  } else if (mesh.arity.front() != replicas) {
    throw node->error("the first arity is for the replicas, but it is " +
                      std::to_string(mesh.arity.front()) + "; write " + std::to_string(replicas) +
                      " in front of it");
  }
  return replicas;
}

std::vector<Order> orders_from(ConfigMap& map) {
  std::vector<Order> orders;
  auto const* const node = map.find("orders");
  if (node == nullptr) return orders;
  for (auto const& entry : node->as_list()) {
    if (entry.kind() != ConfigNode::Kind::list) {
      throw entry.error("is not a list of passes; write one for each replica: [[F0, B0, U]]");
    }
    orders.push_back(order_from(entry));
  }
  return orders;
}

/// Where a problem of the stages' orders stands in their file.
ConfigError at_its_place(OrderProblem const& problem, ConfigNode const& stages) {
  auto stage = stages.as_list()[problem.stage].as_map();
  auto const* const orders = stage.find("orders");
  if (orders == nullptr) return stages.as_list()[problem.stage].error(problem.problem);
  if (problem.replica >= orders->as_list().size()) return orders->error(problem.problem);
  auto const& order = orders->as_list()[problem.replica];
  return (problem.slot ? order.as_list()[*problem.slot] : order).error(problem.problem);
}

Stage stage_from(ConfigNode const& node, Network const& network, std::size_t accelerators) {
  auto map = node.as_map();
  Stage stage;
  stage.mesh = mesh_from(map, accelerators);
  stage.replicas = replicas_from(map, stage.mesh);
  if (auto const* const chunks = map.find("chunks")) {
    for (auto const& chunk : chunks->as_list()) {
      stage.chunks.push_back(operators_from(chunk, network));
    }
    if (stage.chunks.empty()) throw chunks->error("a stage needs a chunk");
  } else {
    stage.chunks.push_back(operators_from(map.node("operators"), network));
  }
  using Activations = Stage::Activations;
  stage.activations = map.choice<Activations>(
      "activations", {{"stored", Activations::stored}, {"recomputed", Activations::recomputed}},
      Activations::stored);
  stage.orders = orders_from(map);
  map.finish();
  return stage;
}

/// Numbers, and ranges of three and more.
ConfigNode devices_to_config(std::vector<std::size_t> const& devices) {
  auto list = ConfigNode::list();
  for (std::size_t begin = 0; begin < devices.size();) {
    auto end = begin + 1;
    while (end < devices.size() && devices[end] == devices[end - 1] + 1) ++end;
    if (end - begin < 3) end = begin + 1;
    auto text = std::to_string(devices[begin]);
    if (end - begin > 1) text.append("-").append(std::to_string(devices[end - 1]));
    list.append(ConfigNode::scalar(text));
    begin = end;
  }
  return list;
}

ConfigNode to_config(std::vector<OperatorId> const& operators, Network const& network) {
  auto list = ConfigNode::list();
  for (auto const op : operators) list.append(ConfigNode::scalar(network.at(op).name));
  return list;
}

ConfigNode to_config(Stage const& stage, Network const& network) {
  auto map = ConfigNode::map();
  map.add("accelerators", devices_to_config(stage.mesh.devices));
  auto arity = ConfigNode::list();
  for (auto const parts : stage.mesh.arity) {
    arity.append(ConfigNode::scalar(std::to_string(parts)));
  }
  map.add("arity", std::move(arity));
  if (stage.replicas > 1) map.add("replicas", std::to_string(stage.replicas));
  if (stage.chunks.size() == 1) {
    map.add("operators", to_config(stage.chunks.front(), network));
  } else {
    auto chunks = ConfigNode::list();
    for (auto const& chunk : stage.chunks) chunks.append(to_config(chunk, network));
    map.add("chunks", std::move(chunks));
  }
  if (stage.recomputes()) map.add("activations", "recomputed");
  if (stage.orders.empty()) return map;
  auto orders = ConfigNode::list();
  for (auto const& order : stage.orders) orders.append(to_config(order));
  map.add("orders", std::move(orders));
  return map;
}

}  // namespace

Pipeline pipeline_from(ConfigNode const& node, Network const& network, std::size_t accelerators) {
  auto map = node.as_map();
  Pipeline pipeline;
  pipeline.schedule = map.optional<std::string>("schedule", pipeline.schedule);
  pipeline.micro_batches = map.optional<std::int64_t>("micro_batches", 1);
  pipeline.backward = map.choice("backward", backwards, pipeline.backward);
  pipeline.options.vertical_sync =
      map.choice("vertical_sync", vertical_syncs, pipeline.options.vertical_sync);
  auto const& stages = map.node("stages");
  for (auto const& stage : stages.as_list()) {
    pipeline.stages.push_back(stage_from(stage, network, accelerators));
  }
  if (pipeline.stages.empty()) throw stages.error("a pipeline needs a stage");
  map.finish();
  try {
    validate(pipeline, network, accelerators);
  } catch (ConfigError const& error) {
    bool const is_order = error.key_path() == "orders";
    if (is_order) throw at_its_place(order_problem(pipeline, network).value(), stages);
    // What has no key is of schedules, which know none.
    auto const* const key = map.find(error.key_path().empty() ? "schedule" : error.key_path());
    throw(key != nullptr ? *key : node).error(error.problem());
  }
  return pipeline;
}

ConfigNode to_config(Pipeline const& pipeline, Network const& network) {
  auto stages = ConfigNode::list();
  for (auto const& stage : pipeline.stages) stages.append(to_config(stage, network));
  auto map = ConfigNode::map();
  map.add("schedule", pipeline.schedule);
  map.add("micro_batches", std::to_string(pipeline.micro_batches));
  if (pipeline.backward == Pipeline::Backward::split) map.add("backward", "split");
  if (pipeline.options.vertical_sync == ScheduleOptions::VerticalSync::on) {
    map.add("vertical_sync", "true");
  }
  map.add("stages", std::move(stages));
  return map;
}

}  // namespace tessera::partition
