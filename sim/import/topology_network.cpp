#include "sim/import/topology_network.hpp"

#include <cctype>
#include <set>
#include <variant>

namespace tessera::sim {

namespace {

/// A tensor of one sample: positions and features, or channels, rows and columns.
using Extents = std::vector<std::int64_t>;

bool is_product(ConvShape const& conv) { return conv.rows.input == 1 && conv.columns.input == 1; }

Extents input_of(ConvShape const& conv) {
  if (is_product(conv)) return {conv.samples, conv.channels};
  return {conv.channels, conv.rows.input, conv.columns.input};
}

Extents output_of(ConvShape const& conv) {
  if (is_product(conv)) return {conv.samples, conv.filters};
  return {conv.filters, conv.rows.output, conv.columns.output};
}

void add_extents(ConfigNode& node, Extents const& extents) {
  std::vector<std::string> const keys =
      extents.size() == 2 ? std::vector<std::string>{"positions", "features"}
                          : std::vector<std::string>{"channels", "rows", "columns"};
  for (std::size_t i = 0; i < keys.size(); ++i) node.add(keys[i], std::to_string(extents[i]));
}

void add_pair(ConfigNode& node, std::string const& key, std::int64_t rows, std::int64_t columns) {
  if (rows == columns) {
    node.add(key, std::to_string(rows));
    return;
  }
  auto pair = ConfigNode::list();
  pair.append(ConfigNode::scalar(std::to_string(rows)));
  pair.append(ConfigNode::scalar(std::to_string(columns)));
  node.add(key, std::move(pair));
}

/// As a name of an operator.
std::string named(std::string text) {
  for (auto& letter : text) {
    auto const allowed = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-' ||
                         letter == '.' || letter == '_';
    if (!allowed) letter = '_';
  }
  return text.find_first_of("-.") == 0 ? "_" + text : text;
}

ConfigNode operator_named(std::string const& name, char const* kind, std::string const& input) {
  auto node = ConfigNode::map();
  node.add("name", name).add("kind", kind).add("input", input);
  return node;
}

ConfigNode layer_operator(std::string const& name, std::string const& input,
                          ConvShape const& conv) {
  if (is_product(conv)) {
    auto node = operator_named(name, "linear", input);
    node.add("outputs", std::to_string(conv.filters));
    return node;
  }
  auto node = operator_named(name, "conv", input);
  node.add("filters", std::to_string(conv.filters));
  add_pair(node, "kernel", conv.rows.taps, conv.columns.taps);
  add_pair(node, "stride", conv.rows.stride, conv.columns.stride);
  return node;
}

}  // namespace

ConfigNode network_from_topology(std::vector<NamedShape> const& layers, std::string const& network,
                                 std::string const& file) {
  EXPECTS(!layers.empty(), file);
  auto const shape = [&](std::size_t i) { return std::get<ConvShape>(layers[i].shape); };
  auto input = ConfigNode::map();
  input.add("name", "input");
  add_extents(input, input_of(shape(0)));
  auto operators = ConfigNode::list();
  std::set<std::string> taken = {"input"};
  std::string last = "input";
  auto left = input_of(shape(0));
  for (std::size_t i = 0; i < layers.size(); ++i) {
    auto const name = named(layers[i].name);
    auto const recast = name + ".in";
    if (!taken.insert(name).second || !taken.insert(recast).second) {
      throw ConfigError(
          {file}, {},
          "two layers would be called '" + name + "' (an operator's name is its own); rename one");
    }
    if (input_of(shape(i)) != left) {
      auto node = operator_named(recast, "recast", last);
      add_extents(node, input_of(shape(i)));
      operators.append(std::move(node));
      last = recast;
    }
    operators.append(layer_operator(name, last, shape(i)));
    last = name;
    left = output_of(shape(i));
  }
  auto root = ConfigNode::map();
  root.add("schema", "tessera.network/1").add("name", named(network));
  root.add("description", named(network) + ", imported from a topology file of SCALE-Sim");
  root.add("batch", "1").add("element", "fp32");
  root.add("input", std::move(input)).add("operators", std::move(operators));
  return root;
}

}  // namespace tessera::sim
