#include "partition/search/printed_tables.hpp"

#include <algorithm>

#include "partition/price/traffic.hpp"

namespace tessera::partition {

using workloads::OperatorId;
using workloads::OperatorKind;
using workloads::TensorAccess;

namespace {

/// Of `elements` that every pair holds: what moves from a layout in which a partial sum has been
/// replaced by the whole.
double moved_after_sum(Holding written, Holding read, double elements) {
  if (written == Holding::partial()) return 0;
  return moved({written}, {read}, 0, elements).critical;
}

/// The operator whose output `tensor` is, seen through recasts; none for the network's input.
std::optional<OperatorId> source_of(workloads::Network const& network, workloads::TensorId tensor) {
  auto producer = network.at(tensor).producer;
  while (producer && network.at(*producer).kind == OperatorKind::recast) {
    producer = network.at(network.at(*producer).inputs.front().tensor).producer;
  }
  return producer;
}

}  // namespace

/// What the groups of the level hold of a tensor, each as much as the one that holds most: an outer
/// level that splits it leaves a group its share.
double PrintedTables::held(TensorAccess const& access, Layout const& layout) const {
  auto elements = static_cast<double>(network_->at(access.tensor).elements().value());
  for (std::size_t outer = 0; outer < level_; ++outer) {
    auto const& holding = layout[outer];
    bool const is_split = holding.kind == Holding::Kind::split;
    elements *= 2 * (is_split ? pace_.slower_share(outer, holding.first) : 1);
  }
  return elements;
}

/// An all-reduce: every element once in each direction.
double PrintedTables::summed(TensorAccess const& access, Splits const& splits) const {
  auto const layout = layout_written(access, splits);
  return layout[level_] == Holding::partial() ? 2 * held(access, layout) : 0;
}

double PrintedTables::operator_cost(OperatorId id, Splits const& splits) const {
  auto const& op = network_->at(id);
  if (op.kind == OperatorKind::recast) return 0;
  auto elements = summed(op.output, splits);
  if (op.weight) elements += summed(*op.weight, splits);
  if (!op.propagates_error) return elements;
  for (auto const& input : op.inputs) elements += summed(input, splits);
  return elements;
}

double PrintedTables::edge_cost(Edge const& edge, Splits const& producer_splits,
                                Splits const& consumer_splits) const {
  auto const& output = network_->at(edge.producer).output;
  auto const& input = input_of(network_->at(edge.consumer), edge.tensor);
  auto const read = layout_read(input, consumer_splits);
  auto const elements = held(input, read);
  auto const features =
      moved_after_sum(layout_written(output, producer_splits)[level_], read[level_], elements);
  auto const errors = moved_after_sum(layout_written(input, consumer_splits)[level_],
                                      layout_read(output, producer_splits)[level_], elements);
  return features + errors;
}

std::vector<Edge> PrintedTables::edges() const {
  std::vector<Edge> edges;
  for (auto const id : network_->operators().ids()) {
    auto const& op = network_->at(id);
    if (op.kind == OperatorKind::recast) continue;
    for (auto const& input : op.inputs) {
      auto const source = source_of(*network_, input.tensor);
      if (source) edges.push_back({*source, id, input.tensor});
    }
  }
  return edges;
}

}  // namespace tessera::partition
