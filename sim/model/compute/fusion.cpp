// Producers and readers of every tensor.
#include "sim/model/compute/fusion.hpp"

#include <algorithm>
#include <map>

namespace tessera::sim {

namespace {

using workloads::Operator;
using workloads::TensorId;

struct Neighbours {
  std::map<TensorId, Operator const*> producer;
  std::map<TensorId, std::vector<Operator const*>> readers;
};

Neighbours neighbours_of(IdVector<workloads::OperatorId, Operator> const& operators) {
  Neighbours found;
  for (auto const& op : operators) {
    found.producer[op.output.tensor] = &op;
    for (auto const& input : op.inputs) found.readers[input.tensor].push_back(&op);
  }
  return found;
}

bool is_for_it_alone(Neighbours const& all, TensorId tensor) {
  auto const producer = all.producer.find(tensor);
  return producer != all.producer.end() && workloads::multiplies(producer->second->kind) &&
         all.readers.at(tensor).size() == 1;
}

bool goes_to_a_product(Neighbours const& all, TensorId tensor) {
  auto const readers = all.readers.find(tensor);
  return readers != all.readers.end() && readers->second.size() == 1 &&
         workloads::multiplies(readers->second.front()->kind);
}

}  // namespace

IdVector<workloads::OperatorId, Fusion> fusions_of(
    IdVector<workloads::OperatorId, Operator> const& operators) {
  auto const all = neighbours_of(operators);
  IdVector<workloads::OperatorId, Fusion> fusions;
  for (auto const& op : operators) {
    Fusion fusion;
    fusion.behind_product = std::any_of(op.inputs.begin(), op.inputs.end(), [&](auto const& input) {
      return is_for_it_alone(all, input.tensor);
    });
    fusion.in_front_of_product = goes_to_a_product(all, op.output.tensor);
    fusions.push_back(fusion);
  }
  return fusions;
}

}  // namespace tessera::sim
