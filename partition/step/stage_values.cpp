// Values by who makes and who reads them; then, for an accelerator, those within others taken away.
#include "partition/step/stage_values.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace tessera::partition {

using workloads::OperatorId;
using workloads::Phase;
using workloads::TensorAccess;
using workloads::TensorId;

namespace {

using ValueKind = LiveValue::Kind;

bool is_backward(Phase phase) {
  return phase == Phase::backward_data || phase == Phase::backward_weight;
}

/// Walks a stage's actions, and remembers what is there.
class ValuesWalk final {
 public:
  ValuesWalk(Step const& step, Tiling const& tiling, StageId stage, Wanted wanted,
             ValueRegions& regions)
      : step_{step},
        tiling_{tiling},
        stage_{stage},
        wanted_{wanted},
        regions_{regions},
        chunk_of_{step.network->operators().size()},
        operands_{step.actions.size()} {
    auto const& chunks = step.stages[stage].chunks;
    for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk) {
      for (auto const op : chunks[chunk]) chunk_of_[op] = chunk;
    }
  }

  void run() {
    for (auto const id : step_.actions.ids()) {
      auto const& action = step_.actions[id];
      if (action.at.stage != stage_) continue;
      if (action.is_computation()) {
        compute(id, action);
      } else {
        convert(id, action);
      }
    }
    for (auto& [value, key, region] : made_) value.is_kept = is_kept(value);
  }

  [[nodiscard]] std::vector<MadeValue>& made() { return made_; }
  [[nodiscard]] IdVector<ActionId, LiveOperands>& operands() { return operands_; }

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

  void compute(ActionId id, Action const& action) {
    auto const& op = step_.network->at(action.op);
    auto& operands = operands_[id];
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
  void read_inputs(ActionId id, Action const& action, LiveOperands& operands, std::size_t slot) {
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
    LiveValue const value{kind, op, chunk_of_[op].value(), Bytes{0}, id, id};
    made_.push_back({value, key, regions_.number(key)});
    return alive_[key] = made_.size() - 1;
  }

  std::optional<std::size_t> read(ActionId id, ValueKey const& key) {
    auto const known = alive_.find(key);
    if (known == alive_.end()) return make(id, key);
    auto& value = made_[known->second].value;
    value.last = id;
    return known->second;
  }

  [[nodiscard]] bool is_kept(LiveValue const& value) const {
    auto const made = step_.actions[value.made].phase;
    auto const last = step_.actions[value.last].phase;
    return value.kind == ValueKind::activation &&
           (is_backward(last) || (made == Phase::forward && last == Phase::recompute));
  }

  Step const& step_;
  Tiling const& tiling_;
  StageId stage_;
  Wanted wanted_;
  ValueRegions& regions_;
  IdVector<OperatorId, std::optional<std::size_t>> chunk_of_;  ///< of those here
  std::vector<MadeValue> made_;
  IdVector<ActionId, LiveOperands> operands_;
  ValueNumbers alive_;  ///< the last one made
};

/// Is `inner` a part of `outer`, both of one tensor?
bool is_within(Region const& inner, Region const& outer) {
  return &inner == &outer || outer.common_elements(inner) == inner.elements();
}

}  // namespace

StageValues::StageValues(Step const& step, Tiling const& tiling, StageId stage, Wanted wanted)
    : step_{&step}, tiling_{&tiling}, stage_{stage}, regions_{step, tiling, stage} {
  ValuesWalk walk{step, tiling, stage, wanted, regions_};
  walk.run();
  made_ = std::move(walk.made());
  operands_ = std::move(walk.operands());
  find_kin();
}

void StageValues::find_kin() {
  std::map<std::tuple<TensorId, ValueKind, std::size_t, bool>, std::size_t> numbers;
  for (std::size_t i = 0; i < made_.size(); ++i) {
    auto const& [value, key, region] = made_[i];
    bool const is_again = step_->actions[value.made].phase == Phase::recompute;
    auto const [known, is_new] = numbers.try_emplace(
        {std::get<TensorId>(key), value.kind, value.chunk, is_again}, kin_.size());
    if (is_new) kin_.emplace_back();
    kin_[known->second].members.push_back(i);
  }
  std::map<std::vector<std::pair<std::size_t, bool>>, std::size_t> known;
  for (std::size_t number = 0; number < kin_.size(); ++number) {
    std::vector<std::pair<std::size_t, bool>> regions;
    regions.reserve(kin_[number].members.size());
    for (auto const i : kin_[number].members) {
      regions.emplace_back(made_[i].region, made_[i].value.is_kept);
    }
    kin_[number].first_alike = known.try_emplace(std::move(regions), number).first->second;
  }
}

LiveValues StageValues::at(std::size_t position) const {
  LiveValues held;
  hold_weights(position, held);
  auto const regions = regions_.at(position);
  take(containers(regions), regions, held);
  return held;
}

/// Once for all that share a copy of them.
void StageValues::hold_weights(std::size_t position, LiveValues& held) const {
  auto const& network = *step_->network;
  auto const& equal = equal_operators(*step_, stage_);
  std::map<OperatorId, Bytes> known;  // by the first of those that are equal
  held.weights = IdVector<OperatorId, Bytes>(network.operators().size());
  held.gradients = held.weights;
  for (auto const& chunk : step_->stages[stage_].chunks) {
    for (auto const id : chunk) {
      auto const& op = network.at(id);
      if (!op.weight || step_->weight_holders[id] != id) continue;
      auto const [size, is_new] = known.try_emplace(equal.first_like(id));
      if (is_new) {
        auto const layout = layout_read(*op.weight, tiling_->splits(id));
        size->second = bytes(tiling_->region(op.weight->tensor, layout, position));
      }
      held.weights[id] = size->second;
      if (op.has(Phase::backward_weight)) held.gradients[id] = held.weights[id];
    }
  }
}

/// For each value one that it is a part of, or itself; with one index in kin that are alike.
std::vector<std::size_t> StageValues::containers(std::vector<Region> const& regions) const {
  std::vector<std::size_t> containers(made_.size());
  std::vector<std::size_t> indices(made_.size());  // of containers, in their kin
  for (auto const& kin : kin_) {
    auto const& first = kin_[kin.first_alike];
    for (std::size_t index = 0; index < kin.members.size(); ++index) {
      auto const member = kin.members[index];
      indices[member] =
          &kin == &first ? container(kin, index, regions) : indices[first.members[index]];
      containers[member] = kin.members[indices[member]];
    }
  }
  return containers;
}

/// The index of one that the member `index` is a part of, or `index`. Of equal ones that is
/// one that is kept, or else the first.
std::size_t StageValues::container(Kin const& kin, std::size_t index,
                                   std::vector<Region> const& regions) const {
  auto const contains = [&](std::size_t outer) {
    auto const& [a, b] = std::tie(made_[kin.members[outer]], made_[kin.members[index]]);
    if (outer == index || !is_within(regions[b.region], regions[a.region])) return false;
    bool const is_equal = is_within(regions[a.region], regions[b.region]);
    if (!is_equal) return a.value.is_kept || !b.value.is_kept;
    if (a.value.is_kept != b.value.is_kept) return a.value.is_kept;
    return outer < index;
  };
  for (std::size_t outer = 0; outer < kin.members.size(); ++outer) {
    if (contains(outer)) return outer;
  }
  return index;
}

/// Those that are part of no other one, for as long as any of their parts is there.
void StageValues::take(std::vector<std::size_t> const& containers,
                       std::vector<Region> const& regions, LiveValues& held) const {
  std::vector<std::size_t> index(made_.size());
  auto const outermost = [&](std::size_t i) {
    while (containers[i] != i) i = containers[i];
    return i;
  };
  for (std::size_t i = 0; i < made_.size(); ++i) {
    if (containers[i] != i) continue;
    index[i] = held.values.size();
    held.values.push_back(made_[i].value);
    held.values.back().bytes = bytes(regions[made_[i].region]);
  }
  for (std::size_t i = 0; i < made_.size(); ++i) {
    index[i] = index[outermost(i)];
    auto& value = held.values[index[i]];
    value.made = std::min(value.made, made_[i].value.made);
    value.last = std::max(value.last, made_[i].value.last);
  }
  held.operands = operands_;
  for (auto& operands : held.operands) {
    for (auto& operand : operands) {
      if (operand) operand = index[*operand];
    }
  }
}

Bytes StageValues::bytes(Region const& region) const {
  return step_->network->element_size() * region.elements().value();
}

}  // namespace tessera::partition
