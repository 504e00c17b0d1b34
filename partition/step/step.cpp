#include "partition/step/step.hpp"

namespace tessera::partition {

using workloads::Network;
using workloads::OperatorId;
using workloads::Phase;

namespace {

/// Walks the network forward and back, and remembers which action makes what.
class StepBuilder final {
 public:
  StepBuilder(Network const& network, Plan const& plan)
      : network_{network},
        plan_{plan},
        features_(network.operators().size()),
        errors_(network.operators().size()) {}

  Step build() {
    auto const order = network_.operators().ids();
    for (auto const op : order) forward(op);
    for (auto op = order.rbegin(); op != order.rend(); ++op) backward(*op);
    return std::move(step_);
  }

 private:
  using Actions = std::vector<ActionId>;

  ActionId compute(OperatorId op, Phase phase, Actions after) {
    return step_.actions.push_back({op, phase, std::nullopt, std::move(after)});
  }
  ActionId convert(OperatorId op, Phase phase, Conversion conversion, Actions after) {
    return step_.actions.push_back({op, phase, std::move(conversion), std::move(after)});
  }

  void forward(OperatorId id) {
    Actions operands;
    for (auto const& input : network_.at(id).inputs) {
      auto const producer = network_.at(input.tensor).producer;
      if (!producer) continue;  // the batch lies in memory as its reader needs it
      operands.push_back(convert(
          *producer, Phase::forward,
          features_between(network_, *producer, plan_.splits[*producer], id, plan_.splits[id]),
          features_[*producer]));
    }
    features_[id] = {compute(id, Phase::forward, std::move(operands))};
  }

  void backward(OperatorId id) {
    auto const& op = network_.at(id);
    auto const error = error_of_output(id);
    if (op.has(Phase::backward_data)) errors_[id] = {compute(id, Phase::backward_data, error)};
    if (op.has(Phase::backward_weight)) learn(id, error);
  }

  void learn(OperatorId id, Actions const& error) {
    auto const gradient = compute(id, Phase::backward_weight, error);
    auto const sum = convert(id, Phase::backward_weight,
                             gradient_sum(network_.at(id), plan_.splits[id]), {gradient});
    compute(id, Phase::update, {sum});
  }

  /// What makes the error of an operator's output, in the layout in which its backward phases read
  /// it: a conversion from each reader, whose errors are added, or from the loss.
  Actions error_of_output(OperatorId id) {
    auto const& op = network_.at(id);
    auto const& consumers = network_.at(op.output.tensor).consumers;
    if (consumers.empty()) return {error_from_loss_of(id)};
    Actions errors;
    for (auto const consumer : consumers) {
      errors.push_back(
          convert(consumer, Phase::backward_data,
                  errors_between(network_, id, plan_.splits[id], consumer, plan_.splits[consumer]),
                  errors_[consumer]));
    }
    return errors;
  }

  ActionId error_from_loss_of(OperatorId id) {
    auto const& op = network_.at(id);
    auto const there =
        convert(id, Phase::forward, output_to_loss(op, plan_.splits[id]), features_[id]);
    return convert(id, Phase::backward_data, error_from_loss(op, plan_.splits[id]), {there});
  }

  Network const& network_;
  Plan const& plan_;
  Step step_;
  IdVector<OperatorId, Actions> features_;  ///< what makes each operator's output
  IdVector<OperatorId, Actions> errors_;    ///< and the errors of its inputs
};

}  // namespace

Step step_of(Network const& network, Plan const& plan) {
  return StepBuilder{network, plan}.build();
}

}  // namespace tessera::partition
