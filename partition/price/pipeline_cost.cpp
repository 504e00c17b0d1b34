#include "partition/price/pipeline_cost.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "arch/array/topology.hpp"
#include "partition/price/program_clock.hpp"

namespace tessera::partition {

namespace {

class PipelinePricer final {
 public:
  PipelinePricer(Problem const& problem, Plan const& plan, Step const& step,
                 OperatorTimes const& times)
      : problem_{problem},
        plan_{plan},
        step_{step},
        topology_{problem.array},
        hierarchy_{problem.array.hierarchy()},
        program_{program_if_ordered(*plan.pipeline, problem.network)},
        parts_(plan.pipeline->stages.size() * plan.pipeline->chunks()),
        updates_(plan.pipeline->stages.size()),
        compute_s_(plan.pipeline->stages.size()),
        level_elements_(static_cast<std::size_t>(problem.array.levels())) {
    for (auto const& stage : step.stages) stages_.emplace_back(problem, step, plan, stage, times);
    for (auto const& action : step.actions) add(action);
  }

  [[nodiscard]] PipelineCost cost() const {
    return {time_s(), *std::max_element(compute_s_.begin(), compute_s_.end()), mac_energy_j_,
            level_elements_, phases_};
  }

 private:
  static std::optional<PipelineProgram> program_if_ordered(Pipeline const& pipeline,
                                                           workloads::Network const& network) {
    if (pipeline.schedule == Pipeline::layerwise) return std::nullopt;
    return program_of(pipeline, network, 1);
  }

  [[nodiscard]] double time_s() const {
    if (!program_) return serial_s_;
    bool const overlaps =
        problem_.array.execution.overlap == arch::ExecutionSpec::Overlap::communication;
    ProgramClock clock{program_->shape, parts_, updates_, overlaps};
    walk(*program_, [&clock](Turn const& turn) { clock.take(turn); });
    return clock.end_s();
  }

  /// Once for each micro-batch, or for each update.
  [[nodiscard]] std::int64_t times(Action const& action) const {
    if (action.pass != Pass::update) return plan_.pipeline->micro_batches;
    if (!program_) return 1;
    auto const& order = program_->orders[action.at.stage.index()].front();
    return std::count_if(order.begin(), order.end(),
                         [](Slot const& slot) { return slot.pass == Pass::update; });
  }

  void add(Action const& action) {
    if (action.to) return action.pass == Pass::update ? add_copied(action) : add_crossing(action);
    auto const& stage = stages_[action.at.stage.index()];
    auto const cost = action.is_computation()
                          ? stage.computation(action, plan_.splits_of(action.op, action.phase))
                          : stage.conversion(action);
    account(action, cost);
    pass_time(action) += cost.seconds;
    if (action.is_computation()) {
      compute_s_[action.at.stage.index()] += cost.seconds * static_cast<double>(times(action));
    }
  }

  void add_crossing(Action const& action) {
    auto const& sender = stages_[action.at.stage.index()];
    auto const& receiver = stages_[action.to->index()];
    auto const exchanges = exchanges_across(action, 0);
    auto const is_forward = action.conversion->kind == Conversion::Kind::features;
    auto cost = sender.exchange(before_crossing(*action.conversion), false);
    auto across = seconds_across(at_once(action));
    add_to(cost.level_elements, elements_across(exchanges));
    if (is_forward) {
      auto fetched = *action.conversion;
      fetched.from = fetched.to;
      fetched.collective = nullptr;
      auto const halo = receiver.exchange(fetched, false);
      across += halo.seconds;
      add_to(cost.level_elements, halo.level_elements);
    }
    account(action, cost);
    account_seconds(action, across);
    pass_time(action) += cost.seconds;
    auto& part = parts_[action.at.part];
    (is_forward ? part.features_leave_s : part.errors_leave_s) += across;
  }

  /// Sums of gradients for another copy of the weights.
  void add_copied(Action const& action) {
    auto const senders = stages_[action.at.stage.index()].holders();
    auto const receivers = stages_[action.to->index()].holders();
    auto const exchanges =
        crossing_of(hierarchy_, *action.conversion, senders, receivers, Waits::left_out).across;
    account(action, {0, 0, elements_across(exchanges)});
    auto const across = seconds_across(exchanges);
    account_seconds(action, across);
    auto& arrive_s = updates_[action.to->index()].sums_arrive_s;
    arrive_s = std::max(arrive_s, across);
  }

  /// From replica to replica of that number.
  [[nodiscard]] std::vector<Exchange> exchanges_across(Action const& action,
                                                       std::size_t replica) const {
    auto const senders = stages_[action.at.stage.index()].holders_of(replica);
    auto const receivers = stages_[action.to->index()].holders_of(replica);
    return crossing_of(hierarchy_, *action.conversion, senders, receivers, Waits::left_out).across;
  }

  /// Those of as many replicas as both stages have, unless micro-batches come one by one.
  [[nodiscard]] std::vector<Exchange> at_once(Action const& action) const {
    auto const of_both = std::min(stages_[action.at.stage.index()].replicas(),
                                  stages_[action.to->index()].replicas());
    std::vector<Exchange> all;
    for (std::size_t replica = 0; replica < (program_ ? of_both : 1); ++replica) {
      auto const exchanges = exchanges_across(action, replica);
      all.insert(all.end(), exchanges.begin(), exchanges.end());
    }
    return all;
  }

  [[nodiscard]] std::vector<double> elements_across(std::vector<Exchange> const& exchanges) const {
    std::vector<double> by_level(level_elements_.size());
    for (auto const& exchange : exchanges) {
      auto const level = hierarchy_.outermost_difference(exchange.from, exchange.to);
      by_level[level] += static_cast<double>(exchange.elements.value());
    }
    return by_level;
  }

  [[nodiscard]] double seconds_across(std::vector<Exchange> const& exchanges) const {
    std::vector<arch::Topology::Sent> messages;
    messages.reserve(exchanges.size());
    for (auto const& exchange : exchanges) {
      messages.push_back({arch::NodeId{exchange.from}, arch::NodeId{exchange.to},
                          step_.network->element_size() * exchange.elements.value()});
    }
    return seconds(exchange_time(topology_.heaviest_loads(messages)));
  }

  void account(Action const& action, ActionCost const& cost) {
    auto const count = static_cast<double>(times(action));
    auto& phase = phases_[{action.op, action.phase}];
    phase.level_elements.resize(level_elements_.size());
    for (std::size_t level = 0; level < cost.level_elements.size(); ++level) {
      phase.level_elements[level] += cost.level_elements[level] * count;
    }
    account_seconds(action, cost.seconds);
    mac_energy_j_ += cost.mac_energy_j * count;
    for (std::size_t level = 0; level < cost.level_elements.size(); ++level) {
      level_elements_[level] += cost.level_elements[level] * count;
    }
  }

  /// Of each time.
  void account_seconds(Action const& action, double seconds) {
    auto const all = seconds * static_cast<double>(times(action));
    serial_s_ += all;
    phases_[{action.op, action.phase}].seconds += all;
  }

  static void add_to(std::vector<double>& sum, std::vector<double> const& more) {
    std::transform(sum.begin(), sum.end(), more.begin(), sum.begin(), std::plus<>{});
  }

  double& pass_time(Action const& action) {
    auto& part = parts_[action.at.part];
    switch (action.pass) {
      case Pass::forward:
        return part.forward_s;
      case Pass::backward:
      case Pass::backward_data:
        return part.backward_data_s;
      case Pass::backward_weight:
        return part.backward_weight_s;
      case Pass::update:
        break;
    }
    return updates_[action.at.stage.index()].update_s;
  }

  Problem problem_;
  Plan const& plan_;
  Step const& step_;
  arch::Topology topology_;
  Hierarchy hierarchy_;
  std::optional<PipelineProgram> program_;  ///< none of `layerwise`
  std::vector<StagePricer> stages_;
  std::vector<PassTimes> parts_;      ///< of the network
  std::vector<UpdateTimes> updates_;  ///< by stage
  std::vector<double> compute_s_;     ///< by stage
  std::vector<double> level_elements_;
  std::map<PhaseKey, ActionCost> phases_;
  double serial_s_ = 0;
  double mac_energy_j_ = 0;
};

}  // namespace

PipelineCost pipeline_cost(Problem const& problem, Plan const& plan, Step const& step,
                           OperatorTimes const& times) {
  return PipelinePricer{problem, plan, step, times}.cost();
}

}  // namespace tessera::partition
