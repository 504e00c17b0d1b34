#include "partition/step/value_regions.hpp"

#include "partition/geometry/halo.hpp"

namespace tessera::partition {

using workloads::OperatorId;
using workloads::Phase;
using workloads::TensorId;

std::size_t ValueRegions::number(ValueKey const& key) {
  auto const& [kind, role, op, tensor, phase] = key;
  auto const first = equal_->first_like(op);
  ValueKey const of_first{
      kind, role, first,
      role == Role::read ? counterpart(first, op, tensor) : network_->at(first).output.tensor,
      phase};
  auto const [known, is_new] = numbers_.try_emplace(of_first, keys_.size());
  if (is_new) keys_.push_back(of_first);
  return known->second;
}

std::vector<Region> ValueRegions::at(std::size_t position) const {
  std::vector<Region> regions;
  regions.reserve(keys_.size());
  for (auto const& key : keys_) regions.push_back(work_out(key, position));
  return regions;
}

/// The input of `first` that comes where `tensor` does among those of `op`, which is equal.
TensorId ValueRegions::counterpart(OperatorId first, OperatorId op, TensorId tensor) const {
  auto const& inputs = network_->at(op).inputs;
  auto const number = &input_of(network_->at(op), tensor) - inputs.data();
  return network_->at(first).inputs[static_cast<std::size_t>(number)].tensor;
}

Region ValueRegions::work_out(ValueKey const& key, std::size_t position) const {
  auto const& [kind, role, id, tensor, phase] = key;
  auto const& op = network_->at(id);
  if (role == Role::read) {
    bool const is_made = kind == LiveValue::Kind::error;
    return region_read(*tiling_, id, input_of(op, tensor), position,
                       is_made ? Phase::backward_data : phase);
  }
  if (kind == LiveValue::Kind::activation) {
    return tiling_->region(tensor, layout_written(op.output, tiling_->splits(id)), position);
  }
  auto const first = phase == Phase::forward ? op.first_backward_phase() : phase;
  return tiling_->region(tensor, layout_read(op.output, tiling_->splits(id, first)), position);
}

}  // namespace tessera::partition
