#include "partition/step/step.hpp"

#include <algorithm>
#include <map>

#include "partition/step/collectives.hpp"
#include "partition/step/weight_copies.hpp"
#include "workloads/load.hpp"

namespace tessera::partition {

using workloads::Network;
using workloads::OperatorId;
using workloads::Phase;

namespace {

/// Walks the network forward and back, and remembers which action makes what.
class StepBuilder final {
 public:
  /// `parts` says where each operator is.
  StepBuilder(Network const& network, Plan const& plan,
              IdVector<OperatorId, StagePart> const& parts)
      : network_{network},
        plan_{plan},
        parts_{parts},
        copies_{network, plan, parts},
        fed_(network.operators().size()),
        sent_(network.operators().size()),
        features_(network.operators().size()),
        recomputed_(network.operators().size()),
        errors_(network.operators().size()),
        gradients_(network.operators().size()) {}

  /// Adds what there is to do to `step`.
  void build(Step& step) {
    auto const order = network_.operators().ids().list();
    for (auto const op : order) forward(op);
    for (auto op = order.rbegin(); op != order.rend(); ++op) backward(*op);
    step.actions = std::move(actions_);
    step.weight_holders = copies_.holders();
    step.cuts = std::make_shared<IdVector<StageId, Step::Cuts>>(step.stages.size());
  }

 private:
  using Actions = std::vector<ActionId>;

  ActionId compute(OperatorId op, Phase phase, Pass pass, Actions after) {
    Action action{op, phase, pass, parts_[op]};
    action.after = std::move(after);
    return actions_.push_back(std::move(action));
  }

  /// From `op` to `reader`, which may be in another stage.
  ActionId convert(OperatorId op, OperatorId reader, Phase phase, Pass pass, Conversion conversion,
                   Actions after) {
    Action action{op, phase, pass, parts_[op]};
    if (parts_[reader].stage != parts_[op].stage) action.to = parts_[reader].stage;
    action.conversion = std::move(conversion);
    action.after = std::move(after);
    return actions_.push_back(std::move(action));
  }

  /// Within an operator.
  ActionId convert(OperatorId op, Phase phase, Pass pass, Conversion conversion, Actions after) {
    return convert(op, op, phase, pass, std::move(conversion), std::move(after));
  }

  void forward(OperatorId id) {
    for (auto const& input : network_.at(id).inputs) {
      auto const producer = network_.at(input.tensor).producer;
      if (!producer) continue;  // the batch lies in memory as its reader needs it
      fed_[id].push_back(feed(*producer, id, Phase::forward, Pass::forward, features_));
    }
    features_[id] = {compute(id, Phase::forward, Pass::forward, fed_[id])};
  }

  /// A producer's output to a reader, or what has brought it to another one in that place.
  ActionId feed(OperatorId producer, OperatorId reader, Phase phase, Pass pass,
                IdVector<OperatorId, Actions> const& made) {
    auto conversion =
        features_between(network_, producer, plan_.splits[producer], reader, plan_.splits[reader]);
    auto& sent = sent_[producer];
    if (auto const same = find_crossing(sent, producer, reader, reader, conversion)) return *same;
    sent.push_back(convert(producer, reader, phase, pass, std::move(conversion), made[producer]));
    return sent.back();
  }

  /// Among `known`, a conversion from the stage of `from` to that of `to`, another one, that is
  /// equal and of an operator in the same part of the network as `reader`: then one message serves
  /// both. (Not with halos, which are each reader's own.)
  [[nodiscard]] std::optional<ActionId> find_crossing(Actions const& known, OperatorId from,
                                                      OperatorId to, OperatorId reader,
                                                      Conversion const& conversion) const {
    if (parts_[from].stage == parts_[to].stage || splits_map(reader)) return std::nullopt;
    for (auto const id : known) {
      auto const& other = *actions_[id].conversion;
      auto const other_reader = other.halo->reader;
      if (parts_[other_reader].part != parts_[reader].part || splits_map(other_reader)) continue;
      if (other.from == conversion.from && other.to == conversion.to) return id;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool splits_map(OperatorId op) const {
    auto const& splits = plan_.splits[op];
    return std::any_of(splits.begin(), splits.end(),
                       [](auto const& split) { return split && workloads::is_of_map(split->dim); });
  }

  [[nodiscard]] bool recomputes(OperatorId id) const {
    return plan_.pipeline && plan_.pipeline->stages[parts_[id].stage].recomputes();
  }

  /// The forward pass of the part of the network that `last` is the last operator of, once more:
  /// from what came from other parts, which was kept, when the error of its last output is there
  /// (so do runtimes: backward begins with it).
  void recompute_part_of(OperatorId last, Actions const& error) {
    auto const part = parts_[last].part;
    for (auto const id : network_.operators().ids()) {
      if (parts_[id].part != part) continue;
      auto operands = error;
      for (auto const fed : fed_[id]) {
        auto const producer = actions_[fed].op;
        bool const is_kept = parts_[producer].part != part;
        operands.push_back(
            is_kept ? fed : feed(producer, id, Phase::recompute, Pass::backward_data, recomputed_));
      }
      recomputed_[id] = {compute(id, Phase::recompute, Pass::backward_data, std::move(operands))};
    }
  }

  void backward(OperatorId id) {
    auto const& op = network_.at(id);
    auto error = error_of_output(id);
    if (recomputes(id)) {
      if (recomputed_[id].empty()) recompute_part_of(id, error);
      error.push_back(recomputed_[id].front());
    }
    if (op.has(Phase::backward_data)) {
      auto operands = error;
      if (op.weight) move_to(id, *op.weight, Phase::backward_data, operands);
      if (workloads::error_needs_inputs(op.kind))
        move_inputs_to(id, Phase::backward_data, operands);
      errors_[id] = {compute(id, Phase::backward_data, Pass::backward_data, std::move(operands))};
    }
    if (op.has(Phase::backward_weight)) learn(id, error_for_gradient(id, error));
  }

  /// Of an operator split otherwise in `phase` than forward: brings there what the forward phase
  /// read.
  void move_to(OperatorId id, workloads::TensorAccess const& access, Phase phase,
               Actions& operands) {
    auto conversion = between_phases(access, splits(id, Phase::forward), splits(id, phase));
    if (!conversion) return;
    auto const& made = recomputes(id) ? recomputed_[id] : features_[id];
    operands.push_back(convert(id, phase, pass_of(phase), std::move(*conversion), made));
  }

  void move_inputs_to(OperatorId id, Phase phase, Actions& operands) {
    for (auto const& input : network_.at(id).inputs) {
      if (network_.at(input.tensor).producer) move_to(id, input, phase, operands);
    }
  }

  static Pass pass_of(Phase phase) {
    return phase == Phase::backward_data ? Pass::backward_data : Pass::backward_weight;
  }

  /// The error of the output where backward_weight reads it.
  Actions error_for_gradient(OperatorId id, Actions const& error) {
    auto const& op = network_.at(id);
    auto moved = between_phases(op.output, splits(id, op.first_backward_phase()),
                                splits(id, Phase::backward_weight));
    if (!moved) return error;
    return {convert(id, Phase::backward_weight, Pass::backward_weight, std::move(*moved), error)};
  }

  void learn(OperatorId id, Actions operands) {
    move_inputs_to(id, Phase::backward_weight, operands);
    gradients_[id] = {
        compute(id, Phase::backward_weight, Pass::backward_weight, std::move(operands))};
    auto const& sharing = network_.at(network_.at(id).weight->tensor).consumers;
    if (id == sharing.front()) update(id);  // the last to go backward
  }

  /// All copies of the weights of `op`.
  void update(OperatorId op) {
    std::map<OperatorId, Actions> sums;  // by holder
    for (auto& sum : copies_.sums_of(op)) sums[sum.holder].push_back(add_sum(sum));
    auto gradients = sums;
    for (auto const& [holder, sum] : sums) {
      for (auto& [other, gradient] : gradients) {
        if (other == holder) continue;
        auto ready = sum;
        bool const is_here = parts_[other].stage == parts_[holder].stage;
        if (!is_here) ready.insert(ready.end(), sums[other].begin(), sums[other].end());
        gradient.push_back(convert(holder, other, Phase::backward_weight, Pass::update,
                                   copies_.between(holder, other), std::move(ready)));
      }
    }
    for (auto& [holder, gradient] : gradients) {
      compute(holder, Phase::update, Pass::update, std::move(gradient));
    }
  }

  ActionId add_sum(GradientSum& sum) {
    Actions last;
    for (auto const op : sum.operators) {
      last.insert(last.end(), gradients_[op].begin(), gradients_[op].end());
    }
    for (auto& conversion : sum.conversions) {
      last = {convert(sum.operators.front(), Phase::backward_weight, Pass::update,
                      std::move(conversion), std::move(last))};
    }
    return last.front();
  }

  /// What makes the error of an operator's output, in the layout in which its backward phases read
  /// it: a conversion from each reader, whose errors are added, or from the loss. Errors that leave
  /// a stage together are added before.
  Actions error_of_output(OperatorId id) {
    auto const& op = network_.at(id);
    auto const& consumers = network_.at(op.output.tensor).consumers;
    if (consumers.empty()) return {error_from_loss_of(id)};
    Actions errors;
    for (auto const consumer : consumers) {
      auto conversion = errors_between(network_, id, splits(id, op.first_backward_phase()),
                                       consumer, splits(consumer, Phase::backward_data));
      if (auto const same = find_crossing(errors, consumer, id, consumer, conversion)) {
        auto& after = actions_[*same].after;
        after.insert(after.end(), errors_[consumer].begin(), errors_[consumer].end());
        continue;
      }
      errors.push_back(convert(consumer, id, Phase::backward_data, Pass::backward_data,
                               std::move(conversion), errors_[consumer]));
    }
    return errors;
  }

  ActionId error_from_loss_of(OperatorId id) {
    auto const& op = network_.at(id);
    auto const there = convert(id, Phase::forward, Pass::backward_data,
                               output_to_loss(op, splits(id, Phase::forward)), features_[id]);
    return convert(
        id, Phase::backward_data, Pass::backward_data,
        error_from_loss(op, splits(id, Phase::forward), splits(id, op.first_backward_phase())),
        {there});
  }

  [[nodiscard]] Splits const& splits(OperatorId op, Phase phase) const {
    return plan_.splits_of(op, phase);
  }

  Network const& network_;
  Plan const& plan_;
  IdVector<OperatorId, StagePart> const& parts_;
  WeightCopies copies_;
  IdVector<ActionId, Action> actions_;
  IdVector<OperatorId, Actions> fed_;         ///< what brings each operator's inputs
  IdVector<OperatorId, Actions> sent_;        ///< what brings its output to readers
  IdVector<OperatorId, Actions> features_;    ///< what makes each operator's output
  IdVector<OperatorId, Actions> recomputed_;  ///< and what makes it anew
  IdVector<OperatorId, Actions> errors_;      ///< and the errors of its inputs
  IdVector<OperatorId, Actions> gradients_;   ///< and the gradient of its weights, one or none
};

/// All operators on all accelerators.
Stage whole_array(Network const& network, Plan const& plan) {
  return {hierarchy_mesh(plan.hierarchy()), 1, {network.operators().ids().list()}};
}

/// The network of one of so many micro-batches.
std::shared_ptr<Network const> micro_batch_of(Network const& network, std::int64_t micro_batches) {
  if (micro_batches == 1) return {std::shared_ptr<void>{}, &network};
  return std::make_shared<Network const>(with_batch(network, network.batch() / micro_batches));
}

/// The sums of those gradients of which all hold equal parts.
void pad_sums(Step& step) {
  auto const has_equal_parts = [&](Action const& action) {
    auto const& layout = action.conversion->from;
    bool const is_whole = std::none_of(layout.begin(), layout.end(), [](Holding const& holding) {
      return holding.kind == Holding::Kind::split;
    });
    if (is_whole) return true;
    return tiling_of(step, action.at.stage).has_equal_parts(action.conversion->tensor, layout);
  };
  for (auto& action : step.actions) {
    auto& conversion = action.conversion;
    bool const is_sum = conversion && conversion->kind == Conversion::Kind::gradient_sum;
    if (is_sum && has_equal_parts(action)) conversion->pieces = arch::SumPieces::padded;
  }
}

}  // namespace

Step step_of(Network const& network, Plan const& plan) {
  if (!plan.pipeline) {
    auto const borrowed = micro_batch_of(network, 1);
    IdVector<OperatorId, StagePart> const together{network.operators().size()};
    Step step{borrowed, &plan, {}};
    step.stages.push_back(whole_array(network, plan));
    StepBuilder{network, plan, together}.build(step);
    return step;
  }
  auto const micro_batch = micro_batch_of(network, plan.pipeline->micro_batches);
  auto const parts = parts_of(*plan.pipeline, network);
  Step step{micro_batch, &plan, plan.pipeline->stages};
  StepBuilder{*micro_batch, plan, parts}.build(step);
  return step;
}

Step step_of(Problem const& problem, Plan const& plan) {
  auto step = step_of(problem.network, plan);
  if (problem.array.execution.sums == arch::SumPieces::padded) pad_sums(step);
  choose_collectives(problem, step);
  return step;
}

Tiling const& tiling_of(Step const& step, StageId stage) {
  auto& tiling = (*step.cuts)[stage].tiling;
  if (tiling) return *tiling;
  auto const& plan = *step.plan;
  return plan.pipeline ? tiling.emplace(*step.network, plan, step.stages[stage])
                       : tiling.emplace(*step.network, plan);
}

EqualOperators const& equal_operators(Step const& step, StageId stage) {
  auto& equal = (*step.cuts)[stage].equal;
  return equal ? *equal : equal.emplace(*step.network, tiling_of(step, stage));
}

/// Of the step on one accelerator.
std::vector<Computation> computations_of(Network const& network) {
  Plan plan;
  plan.batch = network.batch();
  plan.accelerators = 1;
  plan.splits = IdVector<OperatorId, Splits>(network.operators().size());
  std::vector<Computation> computations;
  for (auto const& action : step_of(network, plan).actions) {
    if (action.is_computation()) computations.push_back({action.op, action.phase});
  }
  return computations;
}

}  // namespace tessera::partition
