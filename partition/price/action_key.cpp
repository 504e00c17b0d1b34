#include "partition/price/action_key.hpp"

#include <algorithm>

namespace tessera::partition {

using workloads::Network;
using workloads::OperatorId;
using workloads::Phase;

unsigned ActionKey::operator_bits(Network const& network) {
  unsigned bits = 13;
  while (network.operators().size() >> bits != 0) ++bits;
  return bits;
}

unsigned ActionKey::task_bits(Network const& network) {
  unsigned const key_bits = 1 + 2 * operator_bits(network) + 3 + 3 + 3 + repeat_bits;
  EXPECTS(key_bits < 64, key_bits);
  return 64 - key_bits;
}

std::uint64_t key_of(Network const& network, Action const& action) {
  auto const operators = network.operators().size();
  auto const operator_bits = ActionKey::operator_bits(network);
  bool const is_forward = action.pass == Pass::forward;
  std::uint64_t key = is_forward ? 0 : 1;
  auto const append = [&key](std::size_t value, unsigned bits) { key = (key << bits) | value; };
  auto const op = action.op.index();
  append(is_forward ? op : operators - 1 - op, operator_bits);
  append(static_cast<std::size_t>(action.pass), 3);
  append(static_cast<std::size_t>(action.phase), 3);
  append(action.conversion ? 1 + static_cast<std::size_t>(action.conversion->kind) : 0, 3);
  std::size_t other = 0;
  if (action.conversion && action.conversion->halo) {
    auto const reader = action.conversion->halo->reader;
    other = reader == action.op ? network.at(action.conversion->tensor).producer->index()
                                : reader.index();
  }
  append(other, operator_bits);
  append(0, ActionKey::repeat_bits);
  return key;
}

std::vector<OperatorId> others_of(Network const& network, Action const& action) {
  std::vector<OperatorId> others;
  if (!action.conversion) return others;
  auto const& conversion = *action.conversion;
  auto const& tensor = network.at(conversion.tensor);
  if (conversion.halo) others.push_back(conversion.halo->reader);
  if (tensor.producer) {
    others.push_back(*tensor.producer);
  } else {
    others.insert(others.end(), tensor.consumers.begin(), tensor.consumers.end());
  }
  return others;
}

bool are_split_alike(Plan const& a, Plan const& b, OperatorId op) {
  return std::all_of(workloads::all_phases.begin(), workloads::all_phases.end(),
                     [&](Phase phase) { return a.splits_of(op, phase) == b.splits_of(op, phase); });
}

bool are_cut_alike(Network const& network, OperatorId id, Tiling const& a, Tiling const& b) {
  auto const& op = network.at(id);
  auto const is_alike = [&](workloads::TensorAccess const& access) {
    return a.cuts_alike(b, access.tensor);
  };
  return a.cuts_alike(b, id) && is_alike(op.output) && (!op.weight || is_alike(*op.weight)) &&
         std::all_of(op.inputs.begin(), op.inputs.end(), is_alike);
}

}  // namespace tessera::partition
