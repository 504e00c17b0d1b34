#include "workloads/network.hpp"

#include "arch/base/config_error.hpp"
#include "arch/base/nearest_name.hpp"

namespace tessera::workloads {

OperatorId Network::find(std::string const& operator_name) const {
  auto const found = by_name_.find(operator_name);
  if (found != by_name_.end()) return found->second;
  std::vector<std::string> names;
  for (auto const& op : operators_) names.push_back(op.name);
  throw ConfigError({}, {}, unknown_name("operator", operator_name, names));
}

Elements Network::weights() const {
  Elements sum{0};
  for (auto const& tensor : tensors_) {
    if (tensor.role == Tensor::Role::weight) sum += tensor.elements();
  }
  return sum;
}

Macs Network::macs(Phase phase) const {
  Macs sum{0};
  for (auto const& op : operators_) sum += op.macs(phase);
  return sum;
}

Bytes Network::bytes(TensorId tensor) const {
  return element_size_ * at(tensor).elements().value();
}

}  // namespace tessera::workloads
