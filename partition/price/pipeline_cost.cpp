#include "partition/price/pipeline_cost.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "arch/topology.hpp"
#include "partition/price/traffic.hpp"
#include "partition/price/work.hpp"
#include "partition/schedule/program_walk.hpp"
#include "partition/step/exchanges.hpp"

namespace tessera::partition {

namespace {

using arch::NodeId;

/// What one action costs.
struct ActionCost {
  double seconds = 0;
  double mac_energy_j = 0;
  std::vector<double> level_elements;  ///< by level of the array
};

/// The accelerators of a stage as an array of their own, replica by replica alike: how many of
/// them each action is for, and how long their exchanges take.
class StagePricer final {
 public:
  StagePricer(Problem const& problem, Step const& step, Plan const& plan, Stage const& stage)
      : array_{&problem.array},
        network_{step.network.get()},
        stage_{&stage},
        hierarchy_{stage.mesh.hierarchy()},
        tiling_{*step.network, plan, stage},
        shape_{{}, stage.mesh.arity},
        of_stage_{array_of(problem.array, stage)} {
    arch::Topology const topology{problem.array};
    for (std::size_t axis = 0; axis < hierarchy_.levels(); ++axis) {
      rates_.push_back(seconds_per_element(topology, axis));
      levels_.push_back(level_of(axis));
    }
  }

  [[nodiscard]] ActionCost computation(Action const& action, Splits const& splits) const {
    auto const work = work_of(of_stage_, hierarchy_, network_->at(action.op), splits, action.phase);
    auto const share = action.pass == Pass::update ? 1.0 : 1.0 / static_cast<double>(replicas());
    return {work.slowest_s, work.mac_energy.value() * share, {}};
  }

  /// Within the stage.
  [[nodiscard]] ActionCost conversion(Action const& action) const {
    return exchange(*action.conversion, action.pass == Pass::update);
  }

  /// What `holders()` of this stage do with a tensor before it leaves, or after it has come.
  [[nodiscard]] ActionCost exchange(Conversion const& conversion, bool of_all_replicas) const {
    ActionCost cost;
    cost.level_elements.resize(static_cast<std::size_t>(array_->levels()));
    auto const share = of_all_replicas ? 1.0 : 1.0 / static_cast<double>(replicas());
    for (std::size_t axis = 0; axis < rates_.size(); ++axis) {
      auto const traffic = traffic_of(*network_, conversion, axis, shape_);
      cost.seconds += traffic.critical * rates_[axis];
      cost.level_elements[levels_[axis]] += traffic.elements * share;
    }
    return cost;
  }

  /// Those of the first replica, which has the first micro-batch.
  [[nodiscard]] MeshHolders holders() const {
    Holders positions(stage_->mesh.devices.size() / replicas());
    std::iota(positions.begin(), positions.end(), std::size_t{0});
    return {tiling_, stage_->mesh, positions};
  }

 private:
  [[nodiscard]] std::size_t replicas() const { return stage_->replicas; }

  static arch::ArraySpec array_of(arch::ArraySpec const& array, Stage const& stage) {
    auto part = array;
    part.accelerators = static_cast<std::int64_t>(stage.mesh.devices.size());
    part.groups.clear();
    for (auto const device : stage.mesh.devices) {
      auto const& group = array.group_of(device);
      bool const is_alike = !part.groups.empty() &&
                            &array.group_of(stage.mesh.devices.front()) == &group &&
                            part.groups.size() == 1;
      if (!is_alike) part.groups.push_back({0, group.accelerator, group.link_bandwidth});
      ++part.groups.back().count;
    }
    return part;
  }

  /// While each accelerator of the stage exchanges with its siblings along an axis.
  [[nodiscard]] double seconds_per_element(arch::Topology const& topology, std::size_t axis) const {
    Bytes const sample{1'000'000};
    auto const siblings = hierarchy_.ways(axis) - 1;
    double time = 0;
    for (std::size_t turn = 1; turn <= siblings; ++turn) {
      std::vector<arch::Topology::Sent> messages;
      for (std::size_t position = 0; position < hierarchy_.accelerators(); ++position) {
        auto const sibling = hierarchy_.sibling(position, axis, turn);
        messages.push_back({NodeId{stage_->mesh.devices[position]},
                            NodeId{stage_->mesh.devices[sibling]}, sample});
      }
      time += seconds(topology.exchange_time(messages));
    }
    auto const per_byte =
        time / static_cast<double>(siblings) / static_cast<double>(sample.value());
    return per_byte * static_cast<double>(network_->element_size().value()) /
           static_cast<double>(hierarchy_.accelerators());
  }

  /// Of the array, at which siblings along an axis differ.
  [[nodiscard]] std::size_t level_of(std::size_t axis) const {
    return array_->hierarchy().outermost_difference(
        stage_->mesh.devices[0], stage_->mesh.devices[hierarchy_.sibling(0, axis)]);
  }

  arch::ArraySpec const* array_;
  workloads::Network const* network_;
  Stage const* stage_;
  Hierarchy hierarchy_;
  Tiling tiling_;
  ArrayShape shape_;
  arch::ArraySpec of_stage_;
  std::vector<double> rates_;        ///< seconds per element, by axis
  std::vector<std::size_t> levels_;  ///< of the array, by axis
};

/// How long a part of the network takes for a micro-batch, and what it sends on for how long.
struct PassTimes {
  double forward_s = 0;
  double backward_data_s = 0;
  double backward_weight_s = 0;
  double features_leave_s = 0;
  double errors_leave_s = 0;
};

/// When everybody is done.
class ProgramClock final {
 public:
  ProgramClock(PipelineShape const& shape, std::vector<PassTimes> const& parts,
               std::vector<double> const& updates, bool overlaps)
      : shape_{shape}, parts_{parts}, updates_{updates}, overlaps_{overlaps} {
    for (auto const replicas : shape.replicas) free_s_.emplace_back(replicas, 0.0);
    made_s_.resize(shape.stages(), {0.0});
  }

  void take(Turn const& turn) {
    if (turn.slot.pass == Pass::update) return update(turn.stage);
    auto const part = static_cast<std::size_t>(turn.slot.chunk) * shape_.stages() + turn.stage;
    auto const& times = parts_[part];
    auto& free_s = free_s_[turn.stage][turn.replica];
    auto const begin =
        std::max({free_s, arrival(turn, part), made_s_[turn.stage].at(version_of(turn))});
    free_s = begin + duration(turn.slot.pass, times);
    send(turn, part, free_s);
    end_s_ = std::max(end_s_, free_s);
  }

  [[nodiscard]] double end_s() const { return end_s_; }

 private:
  using Key = std::pair<std::size_t, std::int64_t>;  ///< part, micro-batch

  [[nodiscard]] static std::size_t version_of(Turn const& turn) {
    return turn.slot.pass == Pass::forward ? static_cast<std::size_t>(turn.slot.version) : 0;
  }

  [[nodiscard]] static double duration(Pass pass, PassTimes const& times) {
    switch (pass) {
      case Pass::forward:
        return times.forward_s;
      case Pass::backward:
        return times.backward_data_s + times.backward_weight_s;
      case Pass::backward_data:
        return times.backward_data_s;
      case Pass::backward_weight:
        return times.backward_weight_s;
      case Pass::update:
        break;
    }
    return 0;
  }

  [[nodiscard]] double arrival(Turn const& turn, std::size_t part) const {
    auto const b = turn.slot.micro_batch;
    auto const& from = turn.slot.pass == Pass::forward ? features_s_ : errors_s_;
    if (turn.slot.pass == Pass::backward_weight) return 0;
    bool const is_forward = turn.slot.pass == Pass::forward;
    if (is_forward && part == 0) return 0;
    auto const found = from.find(Key{is_forward ? part - 1 : part + 1, b});
    return found == from.end() ? 0 : found->second;
  }

  void send(Turn const& turn, std::size_t part, double& free_s) {
    if (turn.slot.pass == Pass::backward_weight) return;
    bool const is_forward = turn.slot.pass == Pass::forward;
    auto const& times = parts_[part];
    auto const arrives = free_s + (is_forward ? times.features_leave_s : times.errors_leave_s);
    (is_forward ? features_s_ : errors_s_)[Key{part, turn.slot.micro_batch}] = arrives;
    if (!overlaps_) free_s = arrives;
  }

  void update(std::size_t stage) {
    auto const& free_s = free_s_[stage];
    made_s_[stage].push_back(*std::max_element(free_s.begin(), free_s.end()) + updates_[stage]);
    end_s_ = std::max(end_s_, made_s_[stage].back());
  }

  PipelineShape const& shape_;
  std::vector<PassTimes> const& parts_;
  std::vector<double> const& updates_;
  bool overlaps_;
  std::vector<std::vector<double>> free_s_;  ///< by stage and replica
  std::vector<std::vector<double>> made_s_;  ///< weights, by stage and version
  std::map<Key, double> features_s_;         ///< of a part, when they have arrived at the next
  std::map<Key, double> errors_s_;
  double end_s_ = 0;
};

class PipelinePricer final {
 public:
  PipelinePricer(Problem const& problem, Plan const& plan, Step const& step)
      : problem_{problem},
        plan_{plan},
        step_{step},
        topology_{problem.array},
        hierarchy_{problem.array.hierarchy()},
        program_{program_if_ordered(*plan.pipeline)},
        parts_(plan.pipeline->stages.size() * plan.pipeline->chunks()),
        updates_(plan.pipeline->stages.size()),
        compute_s_(plan.pipeline->stages.size()),
        level_elements_(static_cast<std::size_t>(problem.array.levels())) {
    for (auto const& stage : step.stages) stages_.emplace_back(problem, step, plan, stage);
    for (auto const& action : step.actions) add(action);
  }

  [[nodiscard]] PipelineCost cost() const {
    return {time_s(), *std::max_element(compute_s_.begin(), compute_s_.end()), mac_energy_j_,
            level_elements_};
  }

 private:
  static std::optional<PipelineProgram> program_if_ordered(Pipeline const& pipeline) {
    if (pipeline.schedule == Pipeline::layerwise) return std::nullopt;
    return program_of(pipeline, 1);
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
    if (action.to) return add_crossing(action);
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
    auto const crossing =
        crossing_of(hierarchy_, *action.conversion, sender.holders(), receiver.holders());
    auto inside = *action.conversion;
    inside.to = layout_of_loss(inside.from);
    auto const is_forward = inside.kind == Conversion::Kind::features;
    if (is_forward) inside.halo.reset();
    auto cost = sender.exchange(inside, false);
    auto across = seconds_across(crossing.across);
    for (auto const& exchange : crossing.across) {
      auto const level = hierarchy_.outermost_difference(exchange.from, exchange.to);
      cost.level_elements[level] += static_cast<double>(exchange.elements.value());
    }
    if (is_forward) {
      auto fetched = *action.conversion;
      fetched.from = fetched.to;
      auto const halo = receiver.exchange(fetched, false);
      across += halo.seconds;
      add_to(cost.level_elements, halo.level_elements);
    }
    account(action, cost);
    serial_s_ += across * static_cast<double>(times(action));
    pass_time(action) += cost.seconds;
    auto& part = parts_[action.at.part];
    (is_forward ? part.features_leave_s : part.errors_leave_s) += across;
  }

  [[nodiscard]] double seconds_across(std::vector<Exchange> const& exchanges) const {
    std::vector<arch::Topology::Sent> messages;
    messages.reserve(exchanges.size());
    for (auto const& [from, to, elements] : exchanges) {
      messages.push_back(
          {NodeId{from}, NodeId{to}, step_.network->element_size() * elements.value()});
    }
    return seconds(topology_.exchange_time(messages));
  }

  void account(Action const& action, ActionCost const& cost) {
    auto const count = static_cast<double>(times(action));
    serial_s_ += cost.seconds * count;
    mac_energy_j_ += cost.mac_energy_j * count;
    for (std::size_t level = 0; level < cost.level_elements.size(); ++level) {
      level_elements_[level] += cost.level_elements[level] * count;
    }
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
    return updates_[action.at.stage.index()];
  }

  Problem problem_;
  Plan const& plan_;
  Step const& step_;
  arch::Topology topology_;
  Hierarchy hierarchy_;
  std::optional<PipelineProgram> program_;  ///< none of `layerwise`
  std::vector<StagePricer> stages_;
  std::vector<PassTimes> parts_;   ///< of the network
  std::vector<double> updates_;    ///< seconds, by stage
  std::vector<double> compute_s_;  ///< by stage
  std::vector<double> level_elements_;
  double serial_s_ = 0;
  double mac_energy_j_ = 0;
};

}  // namespace

PipelineCost pipeline_cost(Problem const& problem, Plan const& plan, Step const& step) {
  return PipelinePricer{problem, plan, step}.cost();
}

}  // namespace tessera::partition
