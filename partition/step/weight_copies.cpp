#include "partition/step/weight_copies.hpp"

#include <algorithm>

namespace tessera::partition {

using workloads::Network;
using workloads::OperatorId;
using workloads::Phase;

namespace {

bool are_alike(std::vector<Conversion> const& a, std::vector<Conversion> const& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](Conversion const& one, Conversion const& other) {
                      return one.kind == other.kind && one.from == other.from && one.to == other.to;
                    });
}

}  // namespace

WeightCopies::WeightCopies(Network const& network, Plan const& plan,
                           IdVector<OperatorId, StagePart> const& parts)
    : network_{network}, plan_{plan}, parts_{parts} {
  for (auto const id : network.operators().ids()) {
    holders_.push_back(id);
    auto const& weight = network.at(id).weight;
    if (!weight) continue;
    auto const& sharing = network.at(weight->tensor).consumers;
    holders_[id] = *std::find_if(sharing.begin(), sharing.end(), [&](OperatorId other) {
      return parts[other].stage == parts[id].stage && layout_of(other) == layout_of(id);
    });
  }
}

std::vector<GradientSum> WeightCopies::sums_of(OperatorId op) const {
  std::vector<GradientSum> sums;
  for (auto const id : network_.at(network_.at(op).weight->tensor).consumers) {
    auto conversions = conversions_of(id);
    auto const same = std::find_if(sums.begin(), sums.end(), [&](GradientSum const& sum) {
      return sum.holder == holders_[id] && are_alike(sum.conversions, conversions);
    });
    if (same == sums.end()) {
      sums.push_back({holders_[id], {id}, std::move(conversions)});
    } else {
      same->operators.push_back(id);
    }
  }
  return sums;
}

Conversion WeightCopies::between(OperatorId holder, OperatorId other) const {
  return {Conversion::Kind::copies, network_.at(holder).weight->tensor, layout_of(holder),
          layout_of(other)};
}

/// In which it is held and updated.
Layout WeightCopies::layout_of(OperatorId op) const {
  return layout_read(*network_.at(op).weight, plan_.splits_of(op, Phase::update));
}

std::vector<Conversion> WeightCopies::conversions_of(OperatorId op) const {
  auto const replicas = plan_.pipeline ? plan_.pipeline->stages[parts_[op].stage].replicas : 1;
  return gradient_to_weights(network_.at(op), plan_.splits_of(op, Phase::backward_weight),
                             plan_.splits_of(op, Phase::update), replicas);
}

}  // namespace tessera::partition
