#include "sim/lower/address_book.hpp"

#include <utility>

#include "partition/schedule/order_check.hpp"

namespace tessera::sim {

using partition::ActionId;
using partition::LiveValues;
using partition::MemoryBlock;
using partition::Order;
using partition::Pass;
using partition::Step;
using workloads::OperatorId;
using workloads::Phase;

namespace {

/// When each value of each micro-batch is there: moments are slots of the order and, within them,
/// actions.
class BlockList final {
 public:
  BlockList(Step const& step, LiveValues const& held, Order const& order)
      : step_{step}, held_{held}, in_units_{partition::has_backward_units(order)} {
    for (std::size_t slot = 0; slot < order.size(); ++slot) {
      if (order[slot].pass != Pass::update) add(order[slot], slot);
    }
  }

  [[nodiscard]] std::vector<MemoryBlock> const& blocks() const { return blocks_; }

  /// By micro-batch and value.
  [[nodiscard]] std::map<std::int64_t, std::vector<std::size_t>> const& indices() const {
    return indices_;
  }

 private:
  void add(partition::Slot const& slot, std::size_t index) {
    auto& of_micro_batch =
        indices_.try_emplace(slot.micro_batch, held_.values.size()).first->second;
    for (std::size_t i = 0; i < held_.values.size(); ++i) {
      auto const& value = held_.values[i];
      if (value.chunk != static_cast<std::size_t>(slot.chunk)) continue;
      auto const made = pass_of(value.made);
      auto const last = pass_of(value.last);
      if (made == slot.pass) {
        of_micro_batch[i] = blocks_.size();
        auto const begin = moment(index, value.made);
        blocks_.push_back({value.bytes, begin, begin});
      }
      if (last == slot.pass) blocks_[of_micro_batch[i]].end = moment(index, value.last);
    }
  }

  [[nodiscard]] Pass pass_of(ActionId action) const {
    return partition::pass_of(step_.actions[action], in_units_);
  }

  [[nodiscard]] std::int64_t moment(std::size_t slot, ActionId action) const {
    return static_cast<std::int64_t>(slot * step_.actions.size() + action.index());
  }

  Step const& step_;
  LiveValues const& held_;
  bool in_units_;
  std::vector<MemoryBlock> blocks_;
  std::map<std::int64_t, std::vector<std::size_t>> indices_;
};

}  // namespace

AddressBook::AddressBook(Step const& step, LiveValues held, Order const& order,
                         partition::Alignment const& alignment, Bytes begin)
    : step_{step},
      held_{std::move(held)},
      weights_(held_.weights.size()),
      gradients_(held_.weights.size()),
      end_{begin} {
  place_weights(partition::high_water(order).weight_versions, alignment.any);
  place_values(order, alignment);
}

void AddressBook::place_weights(std::int64_t versions, Bytes alignment) {
  auto const put = [&](Bytes size) {
    return std::exchange(end_, end_ + alignment * ceil_ratio(size, alignment));
  };
  for (auto const op : weights_.ids()) {
    for (std::int64_t i = 0; i < versions; ++i) weights_[op].push_back(put(held_.weights[op]));
    gradients_[op] = put(held_.gradients[op]);
  }
}

void AddressBook::place_values(Order const& order, partition::Alignment const& alignment) {
  BlockList const list{step_, held_, order};
  auto const placement = partition::place(list.blocks(), alignment);
  for (auto const& [micro_batch, blocks] : list.indices()) {
    auto& addresses = values_[micro_batch];
    addresses.reserve(blocks.size());
    for (auto const block : blocks) addresses.push_back(end_ + placement.addresses.at(block));
  }
  end_ += placement.size;
}

OperandAddresses AddressBook::operands(ActionId id, std::int64_t micro_batch,
                                       std::int64_t version) const {
  auto const& action = step_.actions[id];
  bool const has_weight = step_.network->at(action.op).weight.has_value();
  auto const holder = step_.weight_holders[action.op];
  auto const a = [&] { return value(id, 0, micro_batch); };
  auto const c = [&] { return value(id, 2, micro_batch); };
  switch (action.phase) {
    case Phase::forward:
    case Phase::recompute:
    case Phase::backward_data:
      return {a(), has_weight ? weight(holder, version) : value(id, 1, micro_batch), c()};
    case Phase::backward_weight:
      return {a(), value(id, 1, micro_batch), gradients_[holder]};
    case Phase::update:
      return {weight(holder, version - 1), gradients_[holder], weight(holder, version)};
  }
  return {};
}

Bytes AddressBook::weight(OperatorId op, std::int64_t version) const {
  auto const& places = weights_[op];
  return places[static_cast<std::size_t>(version) % places.size()];
}

/// An operator with one operand fewer reads none there.
Bytes AddressBook::value(ActionId action, std::size_t operand, std::int64_t micro_batch) const {
  auto const index = held_.operands[action].at(operand);
  return index ? values_.at(micro_batch).at(*index) : Bytes{0};
}

}  // namespace tessera::sim
