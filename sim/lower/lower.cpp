#include "sim/lower/lower.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "partition/geometry/equal_rounds.hpp"
#include "partition/schedule/program_walk.hpp"
#include "partition/step/exchanges.hpp"
#include "partition/step/step.hpp"
#include "partition/step/step_exchanges.hpp"
#include "sim/lower/action_work.hpp"
#include "sim/lower/address_books.hpp"
#include "sim/lower/done_actions.hpp"
#include "sim/lower/passage_numbers.hpp"
#include "sim/lower/stage_parts.hpp"
#include "sim/lower/task_count.hpp"
#include "sim/lower/task_graph_builder.hpp"

namespace tessera::sim {

using partition::Action;
using partition::ActionId;
using partition::Holders;
using partition::MeshHolders;
using partition::Pass;
using partition::Plan;
using partition::Stage;
using partition::StageId;
using partition::Step;
using partition::StepExchanges;
using workloads::Network;
using workloads::OperatorId;
using workloads::Phase;

namespace {

/// The tasks of a step's actions, of one after another.
class StepLowering final {
 public:
  StepLowering(arch::ArraySpec const& array, Plan const& plan, Step const& step,
               Folding const& folding)
      : hierarchy_{array.hierarchy()},
        step_{step},
        build_{array, folding, step.network->element_size()},
        passages_{step, plan},
        work_{array, step},
        books_{array, step},
        done_{step},
        gradients_(step.actions.size(), build_.at_start()),
        sums_(step.actions.size()),
        weights_(step.network->operators().size()) {
    for (auto const id : step.stages.ids()) stages_.push_back(parts_of(step, id, folding));
    for (auto const& parts : stages_) whole_stages_.push_back(parts.all_holders());
    bool const take_turns = std::any_of(step.stages.begin(), step.stages.end(),
                                        [](Stage const& stage) { return stage.replicas > 1; });
    bool const are_sent_again = plan.pipeline && folding.is_trivial();
    if (!take_turns && (are_sent_again || build_.folds_a_network())) {
      exchanges_.emplace(step, whole_stages_, folding, build_.grid());
    }
  }

  [[nodiscard]] TaskGraph lower(Plan const& plan, std::int64_t steps) {
    auto const micro_batches = plan.pipeline ? plan.pipeline->micro_batches : 1;
    if (exchanges_) {
      build_.expect(task_count(step_, stages_, *exchanges_, micro_batches * steps, steps));
    }
    if (plan.pipeline && plan.pipeline->schedule != partition::Pipeline::layerwise) {
      lower_by_program(program_of(*plan.pipeline, *step_.network, steps));
    } else {
      lower_by_layer(micro_batches, steps);
    }
    ENSURES(waiting_.empty(), waiting_.size());
    auto tasks = build_.take();
    tasks.set_operators(step_.network->operators(), step_.network->element_size());
    return tasks;
  }

 private:
  /// One micro-batch after another, action by action; sums and updates with a step's last one.
  void lower_by_layer(std::int64_t micro_batches, std::int64_t steps) {
    if (micro_batches * steps > 1) work_.keep();
    auto const order = partition::one_by_one(micro_batches, steps);
    for (auto const stage : stages_.ids()) books_.give(stage, stages_[stage], 0, order, build_);
    for (std::int64_t number = 0; number < micro_batches * steps; ++number) {
      bool const is_last = (number + 1) % micro_batches == 0;
      for (auto const id : step_.actions.ids()) {
        bool const is_update = step_.actions[id].pass == Pass::update;
        if (is_update && is_last) append_update(id, number / micro_batches + 1);
        if (!is_update) append(id, {number, number / micro_batches});
      }
    }
  }

  /// The passes of every stage in its order.
  void lower_by_program(partition::PipelineProgram const& program) {
    work_.keep();
    passages_.follow(program);
    for (auto const stage : stages_.ids()) {
      auto const& orders = program.orders[stage.index()];
      for (std::size_t i = 0; i < orders.size(); ++i) {
        books_.give(stage, stages_[stage], i, orders[i], build_);
      }
    }
    build_.order_passes();
    walk(program, [this](partition::Turn const& turn) { append_turn(turn); });
  }

  void append_turn(partition::Turn const& turn) {
    auto const& [stage, replica, slot] = turn;
    auto const actions = actions_of(step_, turn);
    if (slot.pass == Pass::update) {
      for (auto const id : actions) append_update(id, slot.version);
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

  void append(ActionId id, MicroBatch micro_batch) { append(id, micro_batch, build_.at_start()); }

  /// Besides its operands the action waits for `after`.
  void append(ActionId id, MicroBatch micro_batch, Frontier after) {
    auto const& action = step_.actions[id];
    after = done_.before(action, micro_batch.number, std::move(after));
    auto done = perform(id, micro_batch, std::move(after));
    if (action.is_computation() && action.phase == Phase::backward_weight) {
      passages_.learn(action.at.stage, micro_batch);
      gradients_[id] = both(std::move(gradients_[id]), done);
    }
    done_.add(id, micro_batch.number, std::move(done));
  }

  Frontier perform(ActionId id, MicroBatch micro_batch, Frontier after) {
    auto const& action = step_.actions[id];
    if (action.to) return cross(id, micro_batch, std::move(after));
    auto const stage = action.at.stage;
    auto const replica = replica_of(stage, micro_batch);
    auto const& positions = stages_[stage].of_replica[replica];
    auto const purpose = purpose_of(action, passages_.of(action.at, micro_batch));
    if (action.conversion) return convert(id, purpose, positions, std::move(after));
    bool const learns = step_.network->at(action.op).has(Phase::update);
    if (learns && action.phase == Phase::forward && micro_batch.version > 0) {
      auto const& versions = weights_[step_.weight_holders[action.op]];
      after = both(std::move(after), versions.at(micro_batch.version));
    }
    return compute(id, micro_batch, purpose, positions, std::move(after));
  }

  /// What there is to do for a version of the weights.
  struct Update {
    ActionId action;
    std::int64_t version = 0;
    OpPhase purpose;
  };

  /// A sum of gradients, over all that were computed since the last one, or an update with it: as
  /// soon as the sums are there that it needs, of other stages, too.
  void append_update(ActionId id, std::int64_t version) {
    auto const& action = step_.actions[id];
    waiting_.push_back({id, version, purpose_of(action, passages_.of_update(action.at, version))});
    auto const next = [this] {
      return std::find_if(waiting_.begin(), waiting_.end(),
                          [this](Update const& update) { return has_sums(update); });
    };
    for (auto ready = next(); ready != waiting_.end(); ready = next()) {
      auto const update = *ready;
      waiting_.erase(ready);
      append(update);
    }
  }

  [[nodiscard]] bool has_sums(Update const& update) const {
    auto const& after = step_.actions[update.action].after;
    return std::all_of(after.begin(), after.end(), [&](ActionId before) {
      return is_gradient(before) || sums_[before].version >= update.version;
    });
  }
  [[nodiscard]] bool is_gradient(ActionId id) const {
    return step_.actions[id].pass != Pass::update;
  }

  void append(Update const& update) {
    auto const& action = step_.actions[update.action];
    auto const& positions = stages_[action.at.stage].all;
    auto ready = build_.at_start();
    for (auto const before : action.after) {
      ready = both(std::move(ready), is_gradient(before)
                                         ? std::exchange(gradients_[before], build_.at_start())
                                         : sums_[before].ready);
    }
    if (action.is_computation()) {
      auto& versions = weights_[action.op];
      auto const last = versions.find(update.version - 1);
      if (last != versions.end()) ready = both(std::move(ready), last->second);
      versions[update.version] =
          compute(update.action, {0, update.version}, update.purpose, positions, std::move(ready));
      return;
    }
    sums_[update.action] = {update.version, action.to ? send_sum(update, ready)
                                                      : convert(update.action, update.purpose,
                                                                positions, std::move(ready))};
  }

  /// To the stage that has another copy of the weights, once both have their sums.
  Frontier send_sum(Update const& update, Frontier const& ready) {
    auto const& action = step_.actions[update.action];
    auto const& from = stages_[action.at.stage];
    auto const& to = stages_[*action.to];
    auto const senders = members_of(*from.stage, from.all);
    auto const met = build_.meet(update.purpose, senders, members_of(*to.stage, to.all), ready);
    auto const crossing = crossing_of(update.action, from.holders(from.all), to.holders(to.all));
    return build_.send(update.purpose, senders, crossing.across, met);
  }

  Frontier compute(ActionId id, MicroBatch micro_batch, OpPhase purpose, Holders const& positions,
                   Frontier after) {
    auto const stage = step_.actions[id].at.stage;
    auto& work = work_.of(id, stages_[stage], positions);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      auto const* const book = books_.find(stage, positions[i]);
      if (book == nullptr) continue;
      work[i].addresses = book->operands(id, micro_batch.number, micro_batch.version);
    }
    return build_.compute(purpose, members_of(*stages_[stage].stage, positions), work,
                          std::move(after));
  }

  Frontier convert(ActionId id, OpPhase purpose, Holders const& positions, Frontier ready) {
    auto const& action = step_.actions[id];
    auto const& [stage, tiling, of_replica, all] = stages_[action.at.stage];
    auto const members = members_of(*stage, positions);
    if (exchanges_) {
      return build_.exchange(purpose, members, *exchanges_->of(id), std::move(ready));
    }
    auto const steps = merge_equal_rounds(exchanges_of(*tiling, *action.conversion, positions));
    return build_.exchange(purpose, members, on_devices(stage->mesh, steps), std::move(ready));
  }

  Frontier cross(ActionId id, MicroBatch micro_batch, Frontier ready) {
    auto const& action = step_.actions[id];
    auto const senders = holders_of(action.at.stage, micro_batch);
    auto const receivers = holders_of(*action.to, micro_batch);
    auto const& sender = *stages_[action.at.stage].stage;
    auto const crossing = crossing_of(id, senders, receivers);
    auto const sends = purpose_of(action, passages_.of(action.at, micro_batch));
    auto const receives = purpose_of(action, passages_.of_receiver(id, micro_batch));
    auto const from = members_of(sender, senders.positions);
    ready = build_.exchange(sends, from, merge_equal_rounds(crossing.before), std::move(ready));
    auto const arrived = build_.send(sends, from, crossing.across, ready);
    return build_.exchange(receives, members_of(*stages_[*action.to].stage, receivers.positions),
                           crossing.after, arrived);
  }

  [[nodiscard]] partition::Crossing crossing_of(ActionId id, MeshHolders const& senders,
                                                MeshHolders const& receivers) {
    if (exchanges_) return exchanges_->crossing(id);
    return partition::crossing_of(hierarchy_, *step_.actions[id].conversion, senders, receivers);
  }

  [[nodiscard]] MeshHolders holders_of(StageId stage, MicroBatch micro_batch) const {
    auto const& parts = stages_[stage];
    return parts.holders(parts.of_replica[replica_of(stage, micro_batch)]);
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
    members.reserve(positions.size());
    for (auto const position : positions) {
      members.push_back(build_.folding().representative(stage.mesh.devices[position]));
    }
    return members;
  }

  OpPhase purpose_of(Action const& action, Passage const& passage) {
    return {action.op, action.phase, build_.add_passage(passage)};
  }

  /// Of the gradients for a version of the weights.
  struct Sum {
    std::int64_t version = 0;
    Frontier ready;
  };

  Hierarchy hierarchy_;
  Step const& step_;
  TaskGraphBuilder build_;
  PassageNumbers passages_;
  IdVector<StageId, StageParts> stages_;
  IdVector<StageId, MeshHolders> whole_stages_;  ///< with all their positions
  std::optional<StepExchanges> exchanges_;       ///< of micro-batches, or in a folded network
  ActionWork work_;
  AddressBooks books_;
  DoneActions done_;
  IdVector<ActionId, Frontier> gradients_;                          ///< since the last update
  IdVector<ActionId, Sum> sums_;                                    ///< the last ones
  std::vector<Update> waiting_;                                     ///< for sums of other stages
  IdVector<OperatorId, std::map<std::int64_t, Frontier>> weights_;  ///< by version
};

}  // namespace

TaskGraph lower(Network const& network, arch::ArraySpec const& array, Plan const& plan,
                Folding const& folding, std::int64_t steps) {
  return lower(array, plan, partition::step_of({network, array}, plan), folding, steps);
}

TaskGraph lower(arch::ArraySpec const& array, Plan const& plan, Step const& step,
                Folding const& folding, std::int64_t steps) {
  return StepLowering{array, plan, step, folding}.lower(plan, steps);
}

TaskGraph lower(Network const& network, arch::ArraySpec const& array, Plan const& plan) {
  return lower(network, array, plan, Folding{static_cast<std::size_t>(array.accelerators)});
}

}  // namespace tessera::sim
