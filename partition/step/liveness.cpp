// Values by who makes and who reads them, then those within others taken away, then lifetimes summed.
#include "partition/step/liveness.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

#include "partition/step/value_regions.hpp"

namespace tessera::partition {

using workloads::OperatorId;
using workloads::Phase;
using workloads::TensorAccess;
using workloads::TensorId;

namespace {

using ValueKind = LiveValue::Kind;

struct RawValue {
  LiveValue value;
  TensorId tensor;
  Role role = Role::read;
  std::shared_ptr<Region const> region;  ///< one of equal operators
};

bool is_within(RawValue const& inner, RawValue const& outer) {
  return inner.region == outer.region ||
         outer.region->common_elements(*inner.region) == inner.region->elements();
}

bool is_backward(Phase phase) {
  return phase == Phase::backward_data || phase == Phase::backward_weight;
}

/// Walks a stage's actions, and remembers what is there.
class LivenessWalk final {
 public:
  LivenessWalk(Step const& step, Tiling const& tiling, StageId stage, std::size_t position,
               Wanted wanted)
      : step_{step},
        tiling_{tiling},
        stage_{stage},
        position_{position},
        wanted_{wanted},
        regions_{step, tiling, stage, position} {
    auto const operators = step.network->operators().size();
    chunk_of_ = decltype(chunk_of_)(operators);
    held_.weights = IdVector<OperatorId, Bytes>(operators);
    held_.gradients = IdVector<OperatorId, Bytes>(operators);
    held_.operands = decltype(held_.operands)(step.actions.size());
  }

  LiveValues run() {
    auto const& chunks = step_.stages[stage_].chunks;
    for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk) {
      for (auto const op : chunks[chunk]) {
        chunk_of_[op] = chunk;
        hold_weights(op);
      }
    }
    for (auto const id : step_.actions.ids()) {
      auto const& action = step_.actions[id];
      if (action.at.stage != stage_) continue;
      if (action.is_computation()) {
        compute(id, action);
      } else {
        convert(id, action);
      }
    }
    merge();
    return std::move(held_);
  }

 private:
  /// What a phase of an operator has as its input, or its error.
  [[nodiscard]] ValueKey input(ValueKind kind, OperatorId op, TensorAccess const& access,
                               Phase phase) const {
    return {kind, Role::read, op, access.tensor, where(op, access, Phase::forward, phase)};
  }
  [[nodiscard]] ValueKey error_of_output(OperatorId id, Phase phase) const {
    auto const& op = step_.network->at(id);
    return {ValueKind::error, Role::written, id, op.output.tensor,
            where(id, op.output, op.first_backward_phase(), phase)};
  }
  [[nodiscard]] ValueKey output(OperatorId op) const {
    return {ValueKind::activation, Role::written, op, step_.network->at(op).output.tensor,
            Phase::forward};
  }

  [[nodiscard]] Phase where(OperatorId op, TensorAccess const& access, Phase first,
                            Phase phase) const {
    if (&tiling_.splits(op, phase) == &tiling_.splits(op, first)) return Phase::forward;
    auto const layout = layout_read(access, tiling_.splits(op, phase));
    return layout == layout_read(access, tiling_.splits(op, first)) ? Phase::forward : phase;
  }

  /// Once for all that share a copy of them.
  void hold_weights(OperatorId id) {
    auto const& op = step_.network->at(id);
    if (!op.weight || step_.weight_holders[id] != id) return;
    auto const layout = layout_read(*op.weight, tiling_.splits(id));
    held_.weights[id] = bytes(tiling_.region(op.weight->tensor, layout, position_));
    if (op.has(Phase::backward_weight)) held_.gradients[id] = held_.weights[id];
  }

  void compute(ActionId id, Action const& action) {
    auto const& op = step_.network->at(action.op);
    auto& operands = held_.operands[id];
    switch (action.phase) {
      case Phase::forward:
      case Phase::recompute:
        read_inputs(id, action, operands, 0);
        operands[2] = make(id, output(action.op));
        return;
      case Phase::backward_data:
        if (workloads::error_needs_inputs(op.kind)) read_inputs(id, action, operands, 0);
        operands[0] = read(id, error_of_output(action.op, action.phase));
        for (auto const& access : op.inputs) {
          auto const error = make(id, input(ValueKind::error, action.op, access, Phase::forward));
          if (&access == &op.inputs.front()) operands[2] = error;
        }
        return;
      case Phase::backward_weight:
        read_inputs(id, action, operands, 1);
        operands[0] = read(id, error_of_output(action.op, action.phase));
        return;
      case Phase::update:
        return;
    }
  }

  /// The first and the second, or the first alone, are operands from `slot` on.
  void read_inputs(ActionId id, Action const& action,
                   std::array<std::optional<std::size_t>, 3>& operands, std::size_t slot) {
    for (auto const& access : step_.network->at(action.op).inputs) {
      auto const value =
          read(id, input(ValueKind::activation, action.op, access, computed_as(action.phase)));
      if (slot < 2) operands.at(slot++) = value;
    }
  }

  void convert(ActionId id, Action const& action) {
    switch (action.conversion->kind) {
      case Conversion::Kind::features:
        return action.conversion->halo ? feed(id, action)
                                       : static_cast<void>(read(id, output(action.op)));
      case Conversion::Kind::errors:
        return action.conversion->halo ? give_back(id, action) : begin_backward(id, action);
      case Conversion::Kind::phases:
        return move_between_phases(id, action);
      case Conversion::Kind::gradient_sum:
      case Conversion::Kind::copies:
        return;
    }
  }

  void feed(ActionId id, Action const& action) {
    auto const& [reader, access, splits] = *action.conversion->halo;
    read(id, output(action.op));
    if (chunk_of_[reader] != chunk_of_[action.op]) return;
    make(id, input(ValueKind::activation, reader, *access, Phase::forward));
  }

  /// The errors of several readers are added up in one place.
  void give_back(ActionId id, Action const& action) {
    auto const& access = *action.conversion->halo->input;
    auto const producer = *step_.network->at(access.tensor).producer;
    read(id, input(ValueKind::error, action.op, access, Phase::forward));
    if (chunk_of_[producer] == chunk_of_[action.op]) begin_backward(id, producer);
  }

  void begin_backward(ActionId id, Action const& action) { begin_backward(id, action.op); }
  void begin_backward(ActionId id, OperatorId op) {
    read(id, error_of_output(op, step_.network->at(op).first_backward_phase()));
  }

  /// Inputs and errors. (Weights that a phase reads elsewhere are left out.)
  void move_between_phases(ActionId id, Action const& action) {
    auto const& op = step_.network->at(action.op);
    auto const tensor = action.conversion->tensor;
    if (op.weight && op.weight->tensor == tensor) return;
    if (op.output.tensor == tensor) {
      read(id, error_of_output(action.op, op.first_backward_phase()));
      make(id, error_of_output(action.op, action.phase));
      return;
    }
    auto const& access = input_of(op, tensor);
    read(id, input(ValueKind::activation, action.op, access, Phase::forward));
    make(id, input(ValueKind::activation, action.op, access, action.phase));
  }

  /// None where it is not wanted.
  std::optional<std::size_t> make(ActionId id, ValueKey const& key) {
    auto const& [kind, role, op, tensor, phase] = key;
    bool const may_be_kept = kind == ValueKind::activation && role == Role::read;
    if (wanted_ == Wanted::kept && !may_be_kept) return std::nullopt;
    RawValue raw{
        {kind, op, chunk_of_[op].value(), Bytes{0}, id, id}, tensor, role, regions_.of(key)};
    raw.value.bytes = bytes(*raw.region);
    raw_.push_back(std::move(raw));
    return alive_[key] = raw_.size() - 1;
  }

  std::optional<std::size_t> read(ActionId id, ValueKey const& key) {
    auto const known = alive_.find(key);
    if (known == alive_.end()) return make(id, key);
    auto& value = raw_[known->second].value;
    value.last = id;
    return known->second;
  }

  [[nodiscard]] Bytes bytes(Region const& region) const {
    return step_.network->element_size() * region.elements().value();
  }

  void mark_kept() {
    for (auto& [value, tensor, role, region] : raw_) {
      auto const made = step_.actions[value.made].phase;
      auto const last = step_.actions[value.last].phase;
      value.is_kept = value.kind == ValueKind::activation &&
                      (is_backward(last) || (made == Phase::forward && last == Phase::recompute));
    }
  }

  /// Of one tensor, at one time.
  [[nodiscard]] bool are_kin(RawValue const& a, RawValue const& b) const {
    auto const is_again = [&](RawValue const& raw) {
      return step_.actions[raw.value.made].phase == Phase::recompute;
    };
    return a.tensor == b.tensor && a.value.kind == b.value.kind && a.value.chunk == b.value.chunk &&
           is_again(a) == is_again(b);
  }

  /// Does `outer` stand for `inner`, too? Of equal parts one that is kept does, or else the first.
  [[nodiscard]] bool stands_for(std::size_t outer, std::size_t inner) const {
    auto const& [a, b] = std::tie(raw_[outer], raw_[inner]);
    if (outer == inner || !are_kin(a, b) || !is_within(b, a)) return false;
    bool const is_equal = is_within(a, b);
    if (!is_equal) return a.value.is_kept || !b.value.is_kept;
    if (a.value.is_kept != b.value.is_kept) return a.value.is_kept;
    return outer < inner;
  }

  void merge() {
    mark_kept();
    std::vector<std::size_t> stand_in(raw_.size());
    IdVector<TensorId, std::vector<std::size_t>> of_tensor{step_.network->tensors().size()};
    for (std::size_t i = 0; i < raw_.size(); ++i) of_tensor[raw_[i].tensor].push_back(i);
    for (std::size_t i = 0; i < raw_.size(); ++i) {
      auto const& all = of_tensor[raw_[i].tensor];
      auto const found = std::find_if(all.begin(), all.end(),
                                      [&](std::size_t other) { return stands_for(other, i); });
      stand_in[i] = found == all.end() ? i : *found;
    }
    take(stand_in);
  }

  /// Those that stand for themselves, for as long as any that they stand for is there.
  void take(std::vector<std::size_t> const& stand_in) {
    std::vector<std::size_t> index(raw_.size());
    auto const stands = [&](std::size_t i) {
      while (stand_in[i] != i) i = stand_in[i];
      return i;
    };
    for (std::size_t i = 0; i < raw_.size(); ++i) {
      if (stand_in[i] != i) continue;
      index[i] = held_.values.size();
      held_.values.push_back(raw_[i].value);
    }
    for (std::size_t i = 0; i < raw_.size(); ++i) {
      index[i] = index[stands(i)];
      auto& value = held_.values[index[i]];
      value.made = std::min(value.made, raw_[i].value.made);
      value.last = std::max(value.last, raw_[i].value.last);
    }
    for (auto& operands : held_.operands) {
      for (auto& operand : operands) {
        if (operand) operand = index[*operand];
      }
    }
  }

  Step const& step_;
  Tiling const& tiling_;
  StageId stage_;
  std::size_t position_;
  Wanted wanted_;
  IdVector<OperatorId, std::optional<std::size_t>> chunk_of_;  ///< of those here
  LiveValues held_;
  std::vector<RawValue> raw_;
  std::map<ValueKey, std::size_t> alive_;  ///< the last one made
  ValueRegions regions_;
};

}  // namespace

LiveValues live_values(Step const& step, Tiling const& tiling, StageId stage, std::size_t position,
                       Wanted wanted) {
  return LivenessWalk{step, tiling, stage, position, wanted}.run();
}

}  // namespace tessera::partition
