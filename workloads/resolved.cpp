// A network written out: what its blocks and ranges stand for, and what its operators are without saying so. The defaults are those of
// the specs that the reader fills (network_spec.hpp).
#include "workloads/blocks.hpp"
#include "workloads/load.hpp"
#include "workloads/network_spec.hpp"

namespace tessera::workloads {

namespace {

[[nodiscard]] bool has_key(ConfigNode const& map, std::string const& key) {
  return map.as_map().find(key) != nullptr;
}

void add_default(ConfigNode& map, std::string const& key, std::string const& text) {
  if (!has_key(map, key)) map.add(key, text);
}

void add_default(ConfigNode& map, std::string const& key, Size2d const& size) {
  if (size.rows == size.columns) return add_default(map, key, std::to_string(size.rows));
  if (has_key(map, key)) return;
  auto sides = ConfigNode::list();
  sides.append(ConfigNode::scalar(std::to_string(size.rows)))
      .append(ConfigNode::scalar(std::to_string(size.columns)));
  map.add(key, std::move(sides));
}

/// The stride of a window is its size.
void add_window_defaults(ConfigNode& map) {
  PoolSpec const pool;
  if (!has_key(map, "stride")) map.add("stride", map.as_map().node("size"));
  add_default(map, "padding", pool.padding);
  add_default(map, "rounding", pool.rounding == PoolSpec::Rounding::up ? "up" : "down");
}

[[nodiscard]] ConfigNode written_out(ConfigNode node) {
  auto const kind = node.as_map().node("kind").text();
  if (kind == "conv") {
    ConvSpec const conv;
    add_default(node, "stride", conv.stride);
    add_default(node, "padding", conv.padding);
    add_default(node, "dilation", conv.dilation);
    add_default(node, "groups", std::to_string(conv.groups));
  }
  if (kind == "profiled") add_default(node, "weights", std::to_string(ProfiledSpec{}.weights));
  bool const is_window = kind == "pool" && node.as_map().node("size").text() != "global";
  if (is_window) add_window_defaults(node);
  return node;
}

[[nodiscard]] ConfigNode operators_of(ConfigNode const& network) {
  auto map = network.as_map();
  auto operators = ConfigNode::list();
  for (auto const& op : expand_blocks(map.node("operators"), map.find("blocks"))) {
    operators.append(written_out(op.node));
  }
  return operators;
}

}  // namespace

ConfigNode resolved(ConfigNode const& network) {
  auto node = ConfigNode::map();
  bool has_training = false;
  for (auto const& [key, value] : network.entries()) {
    has_training = has_training || key == "training";
    if (key == "operators") {
      if (!has_training && !has_key(network, "training")) {
        auto training = ConfigNode::map();
        node.add("training", training.add("input_error", "skipped"));
      }
      node.add(key, operators_of(network));
    } else if (key != "blocks") {
      node.add(key, value);
    }
  }
  return node;
}

}  // namespace tessera::workloads
