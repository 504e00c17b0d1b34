#include "sim/lower/lower.hpp"

#include <map>

#include "partition/schedule/program_walk.hpp"
#include "partition/step/exchanges.hpp"
#include "partition/step/step.hpp"
#include "sim/lower/passage_numbers.hpp"
#include "sim/lower/task_graph_builder.hpp"

namespace tessera::sim {

using partition::Action;
using partition::ActionId;
using partition::Holders;
using partition::Pass;
using partition::Plan;
using partition::ReshardStep;
using partition::Stage;
using partition::StageId;
using partition::Step;
using partition::Tiling;
using workloads::Network;
using workloads::OperatorId;
using workloads::Phase;

namespace {

/// A stage of a step, with the parts that its accelerators hold.
struct StageParts {
  Stage const* stage;
  Tiling tiling;
  std::vector<Holders> of_replica;  ///< positions that have tasks
  Holders all;                      ///< of all replicas
};

/// Of a folded array, only representatives have tasks.
StageParts parts_of(Step const& step, Plan const& plan, Stage const& stage,
                    Folding const& folding) {
  auto const& network = *step.network;
  StageParts parts{&stage,
                   plan.pipeline ? Tiling{network, plan, stage} : Tiling{network, plan},
                   std::vector<Holders>(stage.replicas),
                   {}};
  auto const size = stage.mesh.devices.size() / stage.replicas;
  for (std::size_t position = 0; position < stage.mesh.devices.size(); ++position) {
    auto const device = stage.mesh.devices[position];
    if (folding.accelerator(folding.representative(device)) != device) continue;
    parts.of_replica[position / size].push_back(position);
    parts.all.push_back(position);
  }
  return parts;
}

/// Exchanges between positions of a mesh as those between its accelerators.
std::vector<ReshardStep> on_devices(partition::DeviceMesh const& mesh,
                                    std::vector<ReshardStep> const& steps) {
  auto between = steps;
  for (auto& step : between) {
    for (auto& exchange : step.exchanges) {
      exchange.from = mesh.devices[exchange.from];
      exchange.to = mesh.devices[exchange.to];
    }
  }
  return between;
}

/// The tasks of a step's actions, of one after another.
class StepLowering final {
 public:
  StepLowering(arch::ArraySpec const& array, Plan const& plan, Step const& step,
               Folding const& folding)
      : array_{array},
        hierarchy_{array.hierarchy()},
        step_{step},
        build_{array, folding, step.network->element_size()},
        passages_{step, plan},
        gradients_(step.actions.size(), build_.at_start()),
        sums_(step.actions.size()),
        weights_(step.network->operators().size()) {
    for (auto const& stage : step.stages) stages_.push_back(parts_of(step, plan, stage, folding));
  }

  /// One micro-batch after another, each action in its turn; sums and updates with the last one of
  /// each step.
  void lower_by_layer(std::int64_t micro_batches, std::int64_t steps) {
    for (std::int64_t number = 0; number < micro_batches * steps; ++number) {
      bool const is_last = (number + 1) % micro_batches == 0;
      for (auto const id : step_.actions.ids()) {
        bool const is_update = step_.actions[id].pass == Pass::update;
        if (is_update && is_last) append_update(id);
        if (!is_update) append(id, {number, number / micro_batches});
      }
      done_.erase(number);
    }
  }

  /// The passes of every stage in its order.
  void lower_by_program(partition::PipelineProgram const& program) {
    passages_.follow(program);
    walk(program, [this](partition::Turn const& turn) { append_turn(turn); });
  }

  TaskGraph take() {
    auto tasks = build_.take();
    tasks.set_operators(step_.network->operators(), step_.network->element_size());
    return tasks;
  }

 private:
  void append_turn(partition::Turn const& turn) {
    auto const& [stage, replica, slot] = turn;
    auto const actions = actions_of(turn);
    if (slot.pass == Pass::update) {
      for (auto const id : actions) append_update(id);
      return;
    }
    MicroBatch const micro_batch{slot.micro_batch, slot.version};
    bool const is_fused = slot.pass == Pass::backward;
    std::vector<ActionId> last;
    for (auto const id : actions) {
      // A fused backward pass is over when its gradients are there, too.
      if (is_fused && step_.actions[id].to) {
        last.push_back(id);
      } else {
        append(id, micro_batch);
      }
    }
    auto const members = members_of(StageId{stage}, replica);
    for (auto const id : last) append(id, micro_batch, build_.computed(members));
    build_.end_pass(members);
  }

  /// What a slot of a stage does, in the step's order.
  [[nodiscard]] std::vector<ActionId> actions_of(partition::Turn const& turn) const {
    std::vector<ActionId> found;
    for (auto const id : step_.actions.ids()) {
      auto const& action = step_.actions[id];
      if (action.at.stage.index() != turn.stage || !is_in(action, turn.slot)) continue;
      found.push_back(id);
    }
    return found;
  }

  /// An update is of all chunks.
  static bool is_in(Action const& action, partition::Slot const& slot) {
    if (slot.pass == Pass::update) return action.pass == Pass::update;
    if (static_cast<std::int64_t>(action.at.chunk) != slot.chunk) return false;
    if (slot.pass != Pass::backward) return action.pass == slot.pass;
    return action.pass == Pass::backward_data || action.pass == Pass::backward_weight;
  }

  void append(ActionId id, MicroBatch micro_batch) { append(id, micro_batch, build_.at_start()); }

  /// Besides its operands the action waits for `after`.
  void append(ActionId id, MicroBatch micro_batch, Frontier after) {
    auto const& action = step_.actions[id];
    auto& done = done_.try_emplace(micro_batch.number, step_.actions.size()).first->second;
    for (auto const before : action.after) after = both(std::move(after), done[before]);
    if (action.to) {
      done[id] = cross(id, micro_batch, after);
      return;
    }
    auto const stage = action.at.stage;
    auto const replica = replica_of(stage, micro_batch);
    auto const& positions = stages_[stage].of_replica[replica];
    auto const purpose = purpose_of(action, passages_.of(action.at, micro_batch));
    if (action.conversion) {
      done[id] = convert(action, purpose, positions, std::move(after));
      return;
    }
    bool const learns = step_.network->at(action.op).has(Phase::update);
    if (learns && action.phase == Phase::forward && micro_batch.version > 0) {
      after = both(std::move(after), weights_[action.op].at(micro_batch.version));
    }
    done[id] = compute(action, purpose, positions, after);
    if (action.phase == Phase::backward_weight) {
      passages_.learn(stage, micro_batch);
      gradients_[id] = both(std::move(gradients_[id]), done[id]);
    }
  }

  /// A sum of gradients, over all that were computed since the last one, or an update with it.
  void append_update(ActionId id) {
    auto const& action = step_.actions[id];
    auto const& positions = stages_[action.at.stage].all;
    auto const before = action.after.front();
    auto& versions = weights_[action.op];
    auto const version = versions.empty() ? 1 : versions.rbegin()->first + 1;
    auto const purpose = purpose_of(action, passages_.of_update(action.at, version));
    if (action.conversion) {
      auto& ready = step_.actions[before].conversion ? sums_[before] : gradients_[before];
      sums_[id] = convert(action, purpose, positions, std::move(ready));
      ready = build_.at_start();
      return;
    }
    versions[version] = compute(action, purpose, positions, sums_[before]);
  }

  Frontier compute(Action const& action, OpPhase purpose, Holders const& positions,
                   Frontier const& after) {
    auto const& [stage, tiling, of_replica, all] = stages_[action.at.stage];
    std::vector<PartWork> work;
    for (auto const position : positions) {
      auto const& accelerator = array_.accelerator(stage->mesh.devices[position]);
      work.push_back(
          part_work(*step_.network, accelerator, tiling, action.op, action.phase, position));
    }
    return build_.compute(purpose, members_of(*stage, positions), work, after);
  }

  Frontier convert(Action const& action, OpPhase purpose, Holders const& positions,
                   Frontier ready) {
    auto const& [stage, tiling, of_replica, all] = stages_[action.at.stage];
    return exchange(purpose, *stage, positions, exchanges_of(tiling, *action.conversion, positions),
                    std::move(ready));
  }

  Frontier exchange(OpPhase purpose, Stage const& stage, Holders const& positions,
                    std::vector<ReshardStep> const& steps, Frontier ready) {
    return build_.exchange(purpose, members_of(stage, positions), on_devices(stage.mesh, steps),
                           std::move(ready));
  }

  Frontier cross(ActionId id, MicroBatch micro_batch, Frontier ready) {
    auto const& action = step_.actions[id];
    auto const senders = holders_of(action.at.stage, micro_batch);
    auto const receivers = holders_of(*action.to, micro_batch);
    auto const& sender = *stages_[action.at.stage].stage;
    auto const& receiver = *stages_[*action.to].stage;
    auto const crossing = crossing_of(hierarchy_, *action.conversion, senders, receivers);
    auto const sends = purpose_of(action, passages_.of(action.at, micro_batch));
    auto const receives = purpose_of(action, passages_.of_receiver(id, micro_batch));
    ready = exchange(sends, sender, senders.positions, crossing.before, std::move(ready));
    auto const arrived =
        build_.send(sends, members_of(sender, senders.positions), crossing.across, ready);
    return exchange(receives, receiver, receivers.positions, crossing.after, arrived);
  }

  [[nodiscard]] partition::MeshHolders holders_of(StageId stage, MicroBatch micro_batch) const {
    auto const& parts = stages_[stage];
    return {parts.tiling, parts.stage->mesh, parts.of_replica[replica_of(stage, micro_batch)]};
  }

  /// They take turns.
  [[nodiscard]] std::size_t replica_of(StageId stage, MicroBatch micro_batch) const {
    return static_cast<std::size_t>(micro_batch.number) % stages_[stage].stage->replicas;
  }

  [[nodiscard]] Members members_of(StageId stage, std::size_t replica) const {
    return members_of(*stages_[stage].stage, stages_[stage].of_replica[replica]);
  }
  [[nodiscard]] Members members_of(Stage const& stage, Holders const& positions) const {
    Members members;
    for (auto const position : positions) {
      members.push_back(build_.folding().representative(stage.mesh.devices[position]));
    }
    return members;
  }

  OpPhase purpose_of(Action const& action, Passage const& passage) {
    return {action.op, action.phase, build_.add_passage(passage)};
  }

  arch::ArraySpec const& array_;
  Hierarchy hierarchy_;
  Step const& step_;
  TaskGraphBuilder build_;
  PassageNumbers passages_;
  IdVector<StageId, StageParts> stages_;
  std::map<std::int64_t, IdVector<ActionId, Frontier>> done_;       ///< by micro-batch
  IdVector<ActionId, Frontier> gradients_;                          ///< since the last update
  IdVector<ActionId, Frontier> sums_;                               ///< the last ones
  IdVector<OperatorId, std::map<std::int64_t, Frontier>> weights_;  ///< by version
};

}  // namespace

TaskGraph lower(Network const& network, arch::ArraySpec const& array, Plan const& plan,
                Folding const& folding, std::int64_t steps) {
  auto const step = partition::step_of(network, plan);
  StepLowering lowering{array, plan, step, folding};
  if (plan.pipeline && plan.pipeline->schedule != partition::Pipeline::layerwise) {
    lowering.lower_by_program(program_of(*plan.pipeline, steps));
  } else {
    lowering.lower_by_layer(plan.pipeline ? plan.pipeline->micro_batches : 1, steps);
  }
  return lowering.take();
}

TaskGraph lower(Network const& network, arch::ArraySpec const& array, Plan const& plan) {
  Folding const whole{static_cast<std::size_t>(array.accelerators)};
  return lower(network, array, plan, whole);
}

}  // namespace tessera::sim
