// One tensor behind the other.
#include "sim/model/memory_map.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

/// Elements of input, weight and output.
std::array<std::int64_t, 3> elements_of(OperatorShape const& shape) {
  if (auto const* const conv = std::get_if<ConvShape>(&shape)) {
    return {conv->samples * conv->channels * conv->rows.input * conv->columns.input,
            conv->filters * (conv->channels / conv->groups) * conv->rows.taps * conv->columns.taps,
            conv->samples * conv->filters * conv->rows.output * conv->columns.output};
  }
  if (auto const* const matmul = std::get_if<MatmulShape>(&shape)) {
    auto const& [batch, m, n, k] = matmul->gemm;
    return {batch * m * k, batch * k * n, batch * m * n};
  }
  if (auto const* const lstm = std::get_if<LstmShape>(&shape)) {
    auto const cells = lstm->steps * lstm->samples;
    return {cells * lstm->inputs, 4 * lstm->hidden * (lstm->inputs + lstm->hidden),
            cells * 4 * lstm->hidden};
  }
  auto const& elements = std::get<ElementwiseShape>(shape);
  return {elements.elements * elements.inputs, elements.weights, elements.elements};
}

}  // namespace

MemoryMap::MemoryMap(TaskGraph const& graph, TaskRange const& tasks, Bytes alignment) {
  for (TaskId const id : tasks) {
    Task const& task = graph.at(id);
    if (task.kind != TaskKind::compute) continue;
    if (task.op.index() >= tensors_.size()) tensors_.resize(task.op.index() + 1);
    auto& tensors = tensors_[task.op.index()];
    if (tensors != std::array<Bytes, 6>{}) continue;
    auto const& part = graph.part(task.part);
    if (is_empty(part)) continue;
    auto const sizes = elements_of(shape_of(graph.operation(task.op), part.extents));
    for (std::size_t tensor = 0; tensor < tensors.size(); ++tensor) {
      size_ += alignment;  // so that no address is 0, which stands for an operator without tensors
      tensors.at(tensor) = size_;
      size_ += alignment * ceil_ratio(graph.element_size() * sizes.at(tensor % 3), alignment);
    }
  }
}

TileEngine::Addresses MemoryMap::addresses(Task const& task) const {
  auto const& tensors = tensors_.at(task.op.index());
  switch (task.phase) {
    case workloads::Phase::forward:
    case workloads::Phase::recompute:
      return {tensors[input], tensors[weight], tensors[output]};
    case workloads::Phase::backward_data:
      return {tensors[output_error], tensors[weight], tensors[input_error]};
    case workloads::Phase::backward_weight:
      return {tensors[output_error], tensors[input], tensors[gradient]};
    case workloads::Phase::update:
      return {tensors[weight], tensors[gradient], tensors[weight]};
  }
  return {};
}

}  // namespace tessera::sim
