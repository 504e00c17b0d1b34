#include "workloads/operator_reader.hpp"

#include <utility>

#include "workloads/name_range.hpp"

namespace tessera::workloads {

namespace {

/// No single extent may exceed what a tensor may hold; sums of a few stay far from overflow.
constexpr std::int64_t max_count = std::int64_t{1} << 40;

std::int64_t at_least(ConfigNode const& node, std::int64_t least) {
  auto const value = node.as<std::int64_t>();
  if (value < least) {
    throw node.error("must be at least " + std::to_string(least) + ", not " + node.text());
  }
  if (value > max_count) throw node.error("must be at most 2^40, not " + node.text());
  return value;
}

/// One number for both sides, or [rows, columns].
Size2d read_size(ConfigNode const& node, std::int64_t least) {
  if (node.kind() == ConfigNode::Kind::scalar) {
    auto const side = at_least(node, least);
    return {side, side};
  }
  auto const& sides = node.as_list();
  if (sides.size() != 2) throw node.error("must be one number or [rows, columns]");
  return {at_least(sides[0], least), at_least(sides[1], least)};
}

Size2d read_size(ConfigMap& map, std::string const& key, std::int64_t least,
                 Size2d const& fallback) {
  auto const* const node = map.find(key);
  return node == nullptr ? fallback : read_size(*node, least);
}

/// The keys of a pooling window. `node` is blamed for a window that its padding fills.
PoolSpec read_window(ConfigMap& map, ConfigNode const& node) {
  PoolSpec pool;
  pool.size = read_size(map.node("size"), 1);
  pool.stride = read_size(map, "stride", 1, pool.size);
  pool.padding = read_size(map, "padding", 0, pool.padding);
  if (pool.padding.rows >= pool.size.rows || pool.padding.columns >= pool.size.columns) {
    throw node.error("padding must be smaller than the window (else a window holds nothing)");
  }
  pool.rounding = map.choice<PoolSpec::Rounding>(
      "rounding", {{"down", PoolSpec::Rounding::down}, {"up", PoolSpec::Rounding::up}},
      pool.rounding);
  return pool;
}

PoolSpec read_folded_pool(ConfigNode const& node) {
  if (node.kind() != ConfigNode::Kind::map) {
    auto const size = read_size(node, 1);
    return {size, size};
  }
  auto map = node.as_map();
  auto pool = read_window(map, node);
  map.finish();
  return pool;
}

PoolingSpec read_pooling(ConfigMap& map) {
  auto const& size = map.node("size");
  bool const whole_map = size.kind() == ConfigNode::Kind::scalar && size.text() == "global";
  if (whole_map) return {};
  return {read_window(map, map.whole())};
}

ConvSpec read_conv(ConfigMap& map) {
  ConvSpec conv;
  conv.filters = read_count(map, "filters");
  conv.kernel = read_size(map.node("kernel"), 1);
  conv.stride = read_size(map, "stride", 1, conv.stride);
  conv.padding = read_size(map, "padding", 0, conv.padding);
  conv.dilation = read_size(map, "dilation", 1, conv.dilation);
  if (auto const* const groups = map.find("groups")) {
    conv.groups = at_least(*groups, 1);
    conv.groups_place = place_of(*groups);
  }
  if (auto const* const pool = map.find("pool")) conv.pool = read_folded_pool(*pool);
  return conv;
}

OperatorSpec::Input read_input_name(ConfigNode const& node) {
  return {node.as<std::string>(), place_of(node)};
}

/// `many`: what needs them, "a sum". A range of names (l1..3) is all of them.
std::vector<OperatorSpec::Input> read_inputs(ConfigNode const& node, std::string const& many) {
  std::vector<OperatorSpec::Input> inputs;
  for (auto const& item : node.as_list()) {
    for (auto const& name : names_of(item)) inputs.push_back({name, place_of(item)});
  }
  if (inputs.size() < 2) throw node.error(many + " needs at least two inputs");
  return inputs;
}

std::vector<OperatorSpec::Input> read_pair(ConfigNode const& node, std::string const& what) {
  auto inputs = read_inputs(node, what);
  if (inputs.size() > 2) throw node.error(what + " has exactly two inputs");
  return inputs;
}

ScoresSpec read_scores(ConfigMap& map) {
  auto const& heads = map.node("heads");
  return {at_least(heads, 1), place_of(heads)};
}

/// One input or several.
void read_profiled(ConfigMap& map, OperatorSpec& op) {
  auto const* const inputs = map.find("inputs");
  op.inputs = inputs == nullptr
                  ? std::vector<OperatorSpec::Input>{read_input_name(map.node("input"))}
                  : read_inputs(*inputs, "a list of inputs");
  auto const* const weights = map.find("weights");
  op.work =
      ProfiledSpec{read_count(map, "outputs"), weights == nullptr ? 0 : at_least(*weights, 0)};
}

/// Kinds that read several tensors; false for all others.
bool read_join(ConfigMap& map, OperatorKind kind, OperatorSpec& op) {
  switch (kind) {
    case OperatorKind::add:
      op.inputs = read_inputs(map.node("inputs"), "a sum");
      op.work = AddSpec{};
      return true;
    case OperatorKind::concat:
      op.inputs = read_inputs(map.node("inputs"), "a concatenation");
      op.work = ConcatSpec{};
      return true;
    case OperatorKind::scores:
      op.inputs = read_pair(map.node("inputs"), "a product of queries and keys");
      op.work = read_scores(map);
      return true;
    case OperatorKind::context:
      op.inputs = read_pair(map.node("inputs"), "a product of probabilities and values");
      op.work = ContextSpec{};
      return true;
    case OperatorKind::profiled:
      read_profiled(map, op);
      return true;
    default:
      return false;
  }
}

/// What an operator of a kind must say beside its name.
std::vector<std::string> keys_of(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::add:
    case OperatorKind::concat:
    case OperatorKind::context:
      return {"inputs"};
    case OperatorKind::scores:
      return {"inputs", "heads"};
    case OperatorKind::conv:
      return {"input", "filters", "kernel"};
    case OperatorKind::pool:
      return {"input", "size"};
    case OperatorKind::embedding:
      return {"input", "entries", "outputs"};
    case OperatorKind::lstm:
      return {"input", "hidden"};
    case OperatorKind::linear:
      return {"input", "outputs"};
    case OperatorKind::profiled:
      return {"outputs"};  // of one input or several
    case OperatorKind::recast:
    case OperatorKind::softmax:
    case OperatorKind::layer_norm:
      break;
  }
  return {"input"};
}

void read_work(ConfigMap& map, OperatorKind kind, OperatorSpec& op) {
  map.require(keys_of(kind));
  if (read_join(map, kind, op)) return;
  op.inputs = {read_input_name(map.node("input"))};
  switch (kind) {
    case OperatorKind::conv:
      op.work = read_conv(map);
      break;
    case OperatorKind::pool:
      op.work = read_pooling(map);
      break;
    case OperatorKind::recast:
      op.work = RecastSpec{read_extents(map)};
      break;
    case OperatorKind::softmax:
      op.work = SoftmaxSpec{};
      break;
    case OperatorKind::layer_norm:
      op.work = LayerNormSpec{};
      break;
    case OperatorKind::embedding:
      op.work = EmbeddingSpec{read_count(map, "entries"), read_count(map, "outputs")};
      break;
    case OperatorKind::lstm:
      op.work = LstmSpec{read_count(map, "hidden")};
      if (auto const* const state = map.find("state")) op.inputs.push_back(read_input_name(*state));
      break;
    default:
      op.work = LinearSpec{read_count(map, "outputs")};
  }
}

}  // namespace

std::int64_t read_count(ConfigMap& map, std::string const& key) {
  return at_least(map.node(key), 1);
}

std::vector<std::int64_t> read_extents(ConfigMap& map) {
  std::vector<std::int64_t> extents;
  for (auto const* const key : {"positions", "features"}) {
    if (auto const* const node = map.find(key)) extents.push_back(at_least(*node, 1));
  }
  if (!extents.empty()) return extents;
  map.require({"channels", "rows", "columns"});
  return {read_count(map, "channels"), read_count(map, "rows"), read_count(map, "columns")};
}

OperatorSpec read_operator(ConfigNode const& node) {
  auto map = node.as_map();
  OperatorSpec op;
  map.require({"name", "kind"}, {"input", "inputs"});
  op.place = place_of(node);
  op.name = read_name(map.node("name"));
  std::vector<std::pair<std::string, OperatorKind>> kinds;
  kinds.reserve(all_operator_kinds.size());
  for (auto const kind : all_operator_kinds) kinds.emplace_back(name(kind), kind);
  read_work(map, map.choice<OperatorKind>("kind", kinds), op);
  if (auto const* const tie = map.find("tied_to")) {
    op.tied_to = OperatorSpec::Tie{tie->as<std::string>(), place_of(*tie)};
  }
  map.finish();
  return op;
}

}  // namespace tessera::workloads
