// GNMT's own placement (Wu et al., arXiv:1609.08144, section 3.3): replicas of eight accelerators, on each of them one layer of the
// encoder and one of the decoder; the softmax's words are dealt out to all of them; attention is where the lowest layer of the decoder is,
// whose output it reads. Replicas share the samples here, which the paper's apply their gradients asynchronously.
//
// The layer of an LSTM is one above that of its first input, a stack begins where that is no LSTM's; the second that reads the same
// tensor (the other direction of the lowest layer) goes one further. Other operators stay where their first input is. Left
// out: that a layer begins on the first positions when the one below has them (an operator has all its positions at once).
#include <algorithm>

#include "partition/planners/builtin_planners.hpp"
#include "partition/planners/staged_plan.hpp"

namespace tessera::partition {

using workloads::Dim;
using workloads::Network;
using workloads::Operator;
using workloads::OperatorId;
using workloads::OperatorKind;

namespace {

/// The softmax's product: nobody reads it, and it is split over its outputs.
bool is_softmax_layer(Network const& network, OperatorId id) {
  auto const& op = network.at(id);
  if (op.kind != OperatorKind::linear) return false;
  for (auto const& reader : network.operators()) {
    for (auto const& input : reader.inputs) {
      if (input.tensor == op.output.tensor) return false;
    }
  }
  return true;
}

/// Of every operator the layer that it is in, from 0.
IdVector<OperatorId, std::size_t> layers_of(Network const& network) {
  IdVector<OperatorId, std::size_t> layers{network.operators().size()};
  std::vector<bool> is_in_stack(network.operators().size(), false);
  std::vector<std::size_t> readers(network.tensors().size(), 0);  // LSTMs, by tensor
  for (auto const id : network.operators().ids()) {
    auto const& op = network.at(id);
    auto const input = op.inputs.front().tensor;
    auto const producer = network.at(input).producer;
    bool const follows = producer && is_in_stack[producer->index()];
    layers[id] = producer ? layers[*producer] : 0;
    is_in_stack[id.index()] = follows || op.kind == OperatorKind::lstm;
    if (op.kind != OperatorKind::lstm) continue;
    layers[id] += (follows ? 1 : 0) + readers[input.index()]++;
  }
  return layers;
}

bool has_lstm(Network const& network) {
  auto const& all = network.operators();
  return std::any_of(all.begin(), all.end(),
                     [](Operator const& op) { return op.kind == OperatorKind::lstm; });
}

/// The same accelerators of every node, or all of them.
class Nodes final {
 public:
  Nodes(std::size_t accelerators, std::size_t size) : count_{accelerators / size}, size_{size} {}

  [[nodiscard]] Stage one_of_each(std::size_t accelerator) const {
    Stage stage;
    for (std::size_t node = 0; node < count_; ++node) {
      stage.mesh.devices.push_back(node * size_ + accelerator);
    }
    stage.mesh.arity = Hierarchy{count_}.ways();
    stage.chunks.resize(1);
    return stage;
  }

  [[nodiscard]] Stage all() const {
    auto stage = one_of_each(0);
    stage.mesh.devices.clear();
    for (std::size_t i = 0; i < count_ * size_; ++i) stage.mesh.devices.push_back(i);
    for (auto const ways : Hierarchy{size_}.ways()) stage.mesh.arity.push_back(ways);
    return stage;
  }

  /// Along the axes of one_of_each(), then those of a node.
  [[nodiscard]] Splits splits(std::size_t axes, Dim within) const {
    Splits splits(Hierarchy{count_}.levels(), Split{Dim::n});
    splits.resize(axes, Split{within});
    return splits;
  }

 private:
  std::size_t count_;
  std::size_t size_;
};

}  // namespace

GnmtExpert::GnmtExpert(ConfigMap& options) {
  auto const* const size = options.find("node_size");
  if (size == nullptr) return;
  node_size_ = size->as<std::int64_t>();
  if (*node_size_ < 1) throw size->error("a node has an accelerator at least; use 1 or more");
}

Plan GnmtExpert::solve(Problem const& problem) const {
  auto const& network = problem.network;
  if (!has_lstm(network)) {
    throw ConfigError{{},
                      "planner",
                      "gnmt-expert places layers of LSTM cells, and " + network.name() +
                          " has none; use pipedream or gpipe"};
  }
  auto const accelerators = problem.array.accelerators;
  constexpr std::int64_t published = 8;  // section 3.3
  auto const size = node_size_.value_or(largest_divisor(accelerators, published));
  if (accelerators % size != 0) {
    throw ConfigError{{},
                      "planner.node_size",
                      std::to_string(accelerators) + " accelerators are not nodes of " +
                          std::to_string(size) + "; use " +
                          std::to_string(largest_divisor(accelerators, size))};
  }
  auto const per_node = static_cast<std::size_t>(size);
  Nodes const nodes{static_cast<std::size_t>(accelerators), per_node};
  std::vector<Stage> placed;
  for (std::size_t i = 0; i < per_node; ++i) placed.push_back(nodes.one_of_each(i));
  placed.push_back(nodes.all());
  auto const layers = layers_of(network);
  for (auto const id : network.operators().ids()) {
    auto const place = is_softmax_layer(network, id) ? per_node : layers[id] % per_node;
    placed[place].chunks.front().push_back(id);
  }
  Pipeline pipeline;
  for (auto& stage : placed) {
    if (!stage.chunks.front().empty()) pipeline.stages.push_back(std::move(stage));
  }
  auto plan = unpriced_plan("gnmt-expert", problem, std::move(pipeline));
  for (auto& splits : plan.splits) splits = nodes.splits(splits.size(), Dim::k);
  plan.evaluations = 1;
  return finished_stages(std::move(plan), problem);
}

}  // namespace tessera::partition
