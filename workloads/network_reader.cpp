#include "workloads/network_reader.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tessera::workloads {

namespace {

/// No single extent may exceed what a tensor may hold; sums of a few stay far from overflow.
constexpr std::int64_t max_count = std::int64_t{1} << 40;

Place place_of(ConfigNode const& node) { return {node.where(), node.path()}; }

std::int64_t read_count(ConfigNode const& node, std::int64_t least) {
  auto const value = node.as<std::int64_t>();
  if (value < least) {
    throw node.error("must be at least " + std::to_string(least) + ", not " + node.text());
  }
  if (value > max_count) throw node.error("must be at most 2^40, not " + node.text());
  return value;
}

std::int64_t read_count(ConfigMap& map, std::string const& key) {
  return read_count(map.node(key), 1);
}

/// One number for both sides, or [rows, columns].
Size2d read_size(ConfigNode const& node, std::int64_t least) {
  if (node.kind() == ConfigNode::Kind::scalar) {
    auto const side = read_count(node, least);
    return {side, side};
  }
  auto const& sides = node.as_list();
  if (sides.size() != 2) throw node.error("must be one number or [rows, columns]");
  return {read_count(sides[0], least), read_count(sides[1], least)};
}

Size2d read_size(ConfigMap& map, std::string const& key, std::int64_t least,
                 Size2d const& fallback) {
  auto const* const node = map.find(key);
  return node == nullptr ? fallback : read_size(*node, least);
}

bool is_name(std::string const& text) {
  constexpr auto allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
  return !text.empty() && text.find_first_not_of(allowed) == std::string::npos &&
         text.find_first_of("-./") != 0;
}

std::string read_name(ConfigNode const& node) {
  auto name = node.as<std::string>();
  if (is_name(name)) return name;
  throw node.error(in_quotes(name) +
                   " is no name (letters, digits and _ - . /; not - . / at its beginning)");
}

PoolSpec read_pool(ConfigNode const& node) {
  PoolSpec pool;
  if (node.kind() != ConfigNode::Kind::map) {
    pool.size = read_size(node, 1);
    pool.stride = pool.size;
    return pool;
  }
  auto map = node.as_map();
  pool.size = read_size(map.node("size"), 1);
  pool.stride = read_size(map, "stride", 1, pool.size);
  pool.padding = read_size(map, "padding", 0, pool.padding);
  if (pool.padding.rows >= pool.size.rows || pool.padding.columns >= pool.size.columns) {
    throw node.error("padding must be smaller than the window (else a window holds nothing)");
  }
  pool.rounding = map.choice<PoolSpec::Rounding>(
      "rounding", {{"down", PoolSpec::Rounding::down}, {"up", PoolSpec::Rounding::up}},
      pool.rounding);
  map.finish();
  return pool;
}

ConvSpec read_conv(ConfigMap& map) {
  ConvSpec conv;
  conv.filters = read_count(map, "filters");
  conv.kernel = read_size(map.node("kernel"), 1);
  conv.stride = read_size(map, "stride", 1, conv.stride);
  conv.padding = read_size(map, "padding", 0, conv.padding);
  if (auto const* const pool = map.find("pool")) conv.pool = read_pool(*pool);
  return conv;
}

OperatorSpec::Input read_input_name(ConfigNode const& node) {
  return {node.as<std::string>(), place_of(node)};
}

std::vector<OperatorSpec::Input> read_summands(ConfigNode const& node) {
  std::vector<OperatorSpec::Input> inputs;
  for (auto const& item : node.as_list()) inputs.push_back(read_input_name(item));
  if (inputs.size() < 2) throw node.error("a sum needs at least two inputs");
  return inputs;
}

OperatorSpec read_operator(ConfigNode const& node) {
  auto map = node.as_map();
  OperatorSpec op;
  op.place = place_of(node);
  op.name = read_name(map.node("name"));
  auto const kind = map.choice<OperatorKind>(
      "kind",
      {{"conv", OperatorKind::conv}, {"linear", OperatorKind::linear}, {"add", OperatorKind::add}});
  if (kind == OperatorKind::add) {
    op.inputs = read_summands(map.node("inputs"));
    op.work = AddSpec{};
  } else {
    op.inputs = {read_input_name(map.node("input"))};
    if (kind == OperatorKind::conv) {
      op.work = read_conv(map);
    } else {
      op.work = LinearSpec{read_count(map, "outputs")};
    }
  }
  map.finish();
  return op;
}

InputSpec read_input(ConfigNode const& node) {
  auto map = node.as_map();
  InputSpec input;
  input.place = place_of(node);
  input.name = read_name(map.node("name"));
  if (auto const* const features = map.find("features")) {
    input.extents = {read_count(*features, 1)};
  } else {
    input.extents = {read_count(map, "channels"), read_count(map, "rows"),
                     read_count(map, "columns")};
  }
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
  map.expect_schema("tessera.network/1", "a network");
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
  for (auto const& op : operators.as_list()) network.operators.push_back(read_operator(op));
  map.finish();
  network.source_text = write_config(node);
  return network;
}

}  // namespace tessera::workloads
