#include "workloads/network_reader.hpp"

#include <string>

#include "workloads/blocks.hpp"
#include "workloads/operator_reader.hpp"

namespace tessera::workloads {

namespace {

InputSpec read_input(ConfigNode const& node) {
  auto map = node.as_map();
  InputSpec input;
  input.place = place_of(node);
  input.name = read_name(map.node("name"));
  input.extents = read_extents(map);
  map.finish();
  return input;
}

TrainingSpec read_training(ConfigMap& network) {
  TrainingSpec training;
  auto const* const node = network.find("training");
  if (node == nullptr) return training;
  auto map = node->as_map();
  training.input_error = map.choice<bool>("input_error", {{"skipped", false}, {"computed", true}},
                                          training.input_error);
  map.finish();
  return training;
}

}  // namespace

NetworkSpec read_network(ConfigNode const& node) {
  auto map = node.as_map();
  map.expect_schema("tessera.network/1", "a network",
                    {"name", "batch", "element", "input", "operators"});
  static_cast<void>(map.optional<std::string>("description"));  // for lists (builtin_networks)

  NetworkSpec network;
  network.name = read_name(map.node("name"));
  network.batch = read_count(map, "batch");
  network.element_size =
      map.choice<Bytes>("element", {{"fp32", Bytes{4}}, {"bf16", Bytes{2}}, {"fp16", Bytes{2}}});
  network.training = read_training(map);
  network.input = read_input(map.node("input"));
  auto const& operators = map.node("operators");
  network.place = place_of(operators);
  for (auto const& op : expand_blocks(operators, map.find("blocks"))) {
    network.operators.push_back(read_operator(op.node));
    network.operators.back().place.instance = op.instance;
  }
  map.finish();
  network.source_text = write_config(node);
  return network;
}

}  // namespace tessera::workloads
