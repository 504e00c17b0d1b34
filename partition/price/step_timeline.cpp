#include "partition/price/step_timeline.hpp"

#include <algorithm>
#include <utility>

#include "partition/price/action_key.hpp"
#include "partition/step/step.hpp"

namespace tessera::partition {

using workloads::Network;
using workloads::OperatorId;
using workloads::Phase;

namespace {

/// Is anything that the action makes done when what it reads is?
bool passes_on(TaskPiece const& piece) {
  return std::any_of(piece.done.begin(), piece.done.end(),
                     [](auto const& done) { return !done.second.operands_of.empty(); });
}

}  // namespace

/// From one plan to the next.
class StepTimeline::Following final {
 public:
  Following(StepTimeline& timeline, Plan plan)
      : it_{timeline},
        network_{it_.problem_.network},
        old_plan_{std::exchange(*it_.plan_, std::move(plan))},
        old_places_{std::move(it_.places_)},
        step_{step_of(it_.problem_, *it_.plan_)} {
    if (it_.trial_) it_.trial_->plan = old_plan_;
    if (it_.trial_) it_.trial_->places = old_places_;
    find_places();
    find_keys();
  }

  std::size_t run() {
    find_new();
    for (auto const id : step_.actions.ids()) {
      if (!is_new_[id.index()]) unlink(id);
    }
    remove_old();
    for (auto const id : step_.actions.ids()) {
      if (is_new_[id.index()]) {
        add(id);
      } else {
        link_to_new(id);
      }
    }
    if (old_places_.empty() || it_.make_.takes_turns()) {
      it_.timeline_.simulate();
      return it_.timeline_.size();
    }
    return it_.timeline_.update();
  }

 private:
  using Actions = std::vector<ActionId>;

  void find_places() {
    it_.places_ = Places{network_.operators().size()};
    for (auto const& stage : step_.stages) {
      auto const& operators = stage.chunks.front();
      if (operators.empty()) continue;
      auto place = known_place(stage);
      if (!place) {
        auto const shared = std::make_shared<Stage const>(stage);
        place = Place{shared, std::make_shared<Tiling const>(network_, *it_.plan_, *shared)};
      }
      for (auto const op : operators) it_.places_[op] = *place;
    }
  }

  /// Of the same operators, split alike.
  [[nodiscard]] std::optional<Place> known_place(Stage const& stage) const {
    if (old_places_.empty()) return std::nullopt;
    auto const& operators = stage.chunks.front();
    auto const& known = old_places_[operators.front()];
    bool const is_same = known.stage->mesh == stage.mesh && known.stage->chunks == stage.chunks;
    if (!is_same || !std::all_of(operators.begin(), operators.end(), [&](OperatorId op) {
          return are_split_alike(old_plan_, *it_.plan_, op);
        })) {
      return std::nullopt;
    }
    return known;
  }

  void find_keys() {
    std::unordered_map<Key, std::size_t> repeats;
    for (auto const& action : step_.actions) {
      auto const key = key_of(network_, action);
      auto const repeat = repeats[key]++;
      EXPECTS(repeat < (std::size_t{1} << ActionKey::repeat_bits), repeat);
      keys_.push_back(key + repeat);
    }
  }

  [[nodiscard]] std::vector<Key> keys_of(Actions const& actions) const {
    std::vector<Key> keys;
    keys.reserve(actions.size());
    for (auto const action : actions) keys.push_back(keys_[action]);
    return keys;
  }

  /// Is it split, placed and cut as before?
  [[nodiscard]] bool stays(OperatorId op) const {
    if (old_places_.empty()) return false;
    auto const& [stage, tiling] = it_.places_[op];
    auto const& [old_stage, old_tiling] = old_places_[op];
    if (tiling == old_tiling) return true;
    return stage->mesh == old_stage->mesh && are_split_alike(old_plan_, *it_.plan_, op) &&
           are_cut_alike(network_, op, *tiling, *old_tiling);
  }

  /// Which actions need new tasks.
  void find_new() {
    std::vector<bool> stay;
    for (auto const op : network_.operators().ids()) stay.push_back(stays(op));
    is_new_.assign(step_.actions.size(), false);
    for (auto const id : step_.actions.ids()) {
      auto const& action = step_.actions[id];
      auto const others = others_of(network_, action);
      auto const known = it_.placed_.find(keys_[id]);
      bool const is_known = !it_.make_.takes_turns() && stay[action.op.index()] &&
                            std::all_of(others.begin(), others.end(),
                                        [&](OperatorId op) { return stay[op.index()]; }) &&
                            known != it_.placed_.end() &&
                            known->second.after == keys_of(action.after);
      is_new_[id.index()] = !is_known || (known->second.passes_on && has_new_operand(action));
    }
  }

  [[nodiscard]] bool has_new_operand(Action const& action) const {
    return std::any_of(action.after.begin(), action.after.end(),
                       [this](ActionId before) { return is_new_[before.index()]; });
  }

  template <typename Visit>
  void for_each_entry(Placed const& placed, Visit visit) const {
    for (std::size_t i = 0; i < placed.tasks.size(); ++i) {
      for (auto const accelerator : placed.piece.tasks[i].operands_of) {
        visit(placed.tasks[i], accelerator);
      }
    }
  }

  /// From operands whose tasks will be others.
  void unlink(ActionId id) {
    auto const& placed = it_.placed_.at(keys_[id]);
    for (auto const before : step_.actions[id].after) {
      if (!is_new_[before.index()]) continue;
      auto const operand = it_.placed_.find(keys_[before]);
      if (operand == it_.placed_.end()) continue;
      for_each_entry(placed, [&](TimelineTaskId task, std::size_t accelerator) {
        auto const done = operand->second.done.find(accelerator);
        if (done == operand->second.done.end()) return;
        for (auto const port : done->second) it_.timeline_.disconnect(port, task);
      });
    }
  }

  void link_to_new(ActionId id) {
    auto const& placed = it_.placed_.at(keys_[id]);
    for (auto const before : step_.actions[id].after) {
      if (is_new_[before.index()]) link(placed, before);
    }
  }

  void link(Placed const& placed, ActionId before) {
    auto const& operand = it_.placed_.at(keys_[before]);
    for_each_entry(placed, [&](TimelineTaskId task, std::size_t accelerator) {
      auto const done = operand.done.find(accelerator);
      if (done == operand.done.end()) return;
      for (auto const port : done->second) it_.timeline_.connect(port, task);
    });
  }

  void remove_old() {
    std::unordered_map<Key, bool> is_kept;
    for (auto const id : step_.actions.ids()) {
      if (!is_new_[id.index()]) is_kept[keys_[id]] = true;
    }
    std::vector<Key> old;
    for (auto const& [key, placed] : it_.placed_) {
      if (is_kept.count(key) == 0) old.push_back(key);
    }
    std::sort(old.begin(), old.end());
    for (auto const key : old) {
      auto const found = it_.placed_.find(key);
      for (auto const task : found->second.tasks) it_.timeline_.remove(task);
      if (it_.trial_) it_.trial_->placed.emplace_back(key, std::move(found->second));
      it_.placed_.erase(found);
    }
  }

  void add(ActionId id) {
    auto const& action = step_.actions[id];
    Placed placed{keys_of(action.after), piece_of(action), {}, {}};
    for (auto const& task : placed.piece.tasks) add_task(placed, keys_[id], task);
    auto const key = keys_[id];
    if (it_.make_.takes_turns()) {
      for_each_entry(placed, [this](TimelineTaskId task, std::size_t /*accelerator*/) {
        if (turn_) it_.timeline_.connect(*turn_, task);
      });
      if (!placed.tasks.empty()) turn_ = placed.tasks.back();
    } else {
      for (auto const before : action.after) link(placed, before);
    }
    find_done(placed, action.after);
    placed.passes_on = passes_on(placed.piece);
    if (it_.trial_) it_.trial_->placed.emplace_back(key, std::nullopt);
    it_.placed_.emplace(key, std::move(placed));
  }

  void add_task(Placed& placed, Key key, TaskPiece::Task const& task) {
    auto const index = placed.tasks.size();
    auto const bits = ActionKey::task_bits(network_);
    EXPECTS(index < (std::size_t{1} << bits), index);
    auto const resource = task.resource ? std::optional{ResourceId{*task.resource}} : std::nullopt;
    auto const id = it_.timeline_.add(task.time, resource, (key << bits) | index);
    for (auto const before : task.after) it_.timeline_.connect(placed.tasks[before], id);
    placed.tasks.push_back(id);
  }

  /// By what the accelerators' parts are done.
  void find_done(Placed& placed, Actions const& after) const {
    for (auto const& [accelerator, done] : placed.piece.done) {
      auto& tasks = placed.done[accelerator];
      for (auto const index : done.after) tasks.push_back(placed.tasks[index]);
      for (auto const from : done.operands_of) {
        for (auto const before : after) {
          auto const& operand = it_.placed_.at(keys_[before]).done;
          auto const found = operand.find(from);
          if (found == operand.end()) continue;
          tasks.insert(tasks.end(), found->second.begin(), found->second.end());
        }
      }
      std::sort(tasks.begin(), tasks.end());
      tasks.erase(std::unique(tasks.begin(), tasks.end()), tasks.end());
    }
  }

  [[nodiscard]] TaskPiece piece_of(Action const& action) const {
    auto const& [stage, tiling] = it_.places_[action.op];
    if (action.is_computation()) return it_.make_.computation(action, *stage, *tiling);
    if (!action.to) return it_.make_.conversion(*action.conversion, *stage, *tiling);
    auto const& to = step_.stages[*action.to];
    auto const& [receiver, receivers_tiling] = it_.places_[to.chunks.front().front()];
    return it_.make_.crossing(*action.conversion, all_holders(*tiling, stage->mesh),
                              all_holders(*receivers_tiling, receiver->mesh));
  }

  StepTimeline& it_;
  Network const& network_;
  Plan old_plan_;
  Places old_places_;
  Step step_;
  IdVector<ActionId, Key> keys_;
  std::vector<bool> is_new_;            ///< by action: needs new tasks
  std::optional<TimelineTaskId> turn_;  ///< where actions take turns: the end of the last one
};

bool StepTimeline::is_for(Plan const& plan) {
  return !plan.pipeline ||
         (plan.pipeline->schedule == Pipeline::layerwise && plan.pipeline->micro_batches == 1);
}

StepTimeline::StepTimeline(Problem const& problem, Plan plan, OperatorTimes times)
    : problem_{problem},
      times_{std::move(times)},
      make_{problem_, times_},
      timeline_{make_.resources()},
      plan_{std::make_unique<Plan>()} {
  follow(std::move(plan));
}

StepTimeline::~StepTimeline() = default;

std::size_t StepTimeline::follow(Plan plan) {
  EXPECTS(is_for(plan), plan.planner);
  return Following{*this, std::move(plan)}.run();
}

void StepTimeline::begin_trial() {
  timeline_.begin_trial();
  trial_.emplace(Trial{*plan_, places_, {}});
}

void StepTimeline::keep_trial() {
  timeline_.keep_trial();
  trial_.reset();
}

void StepTimeline::undo_trial() {
  EXPECTS(trial_.has_value(), plan_->planner);
  timeline_.undo_trial();
  *plan_ = std::move(trial_->plan);
  places_ = std::move(trial_->places);
  for (auto change = trial_->placed.rbegin(); change != trial_->placed.rend(); ++change) {
    placed_.erase(change->first);
    if (change->second) placed_.emplace(change->first, std::move(*change->second));
  }
  trial_.reset();
}

TimelinePrice StepTimeline::price() const {
  std::vector<Time> busy(make_.resources(), Time{0});
  for (auto const& [key, placed] : placed_) {
    for (auto const& task : placed.piece.tasks) {
      if (task.resource) busy[*task.resource] += task.time;
    }
  }
  auto const cores = busy.begin() + static_cast<std::ptrdiff_t>(make_.cores());
  TimelinePrice price;
  price.step = length();
  price.busiest_core = *std::max_element(busy.begin(), cores);
  if (cores != busy.end()) price.busiest_lane = *std::max_element(cores, busy.end());
  price.tasks = timeline_.size();
  return price;
}

std::vector<std::pair<Time, Time>> StepTimeline::starts_and_ends() const {
  auto const bits = ActionKey::task_bits(problem_.network);
  std::vector<std::pair<Key, TimelineTaskId>> ranked;
  for (auto const& [key, placed] : placed_) {
    for (std::size_t i = 0; i < placed.tasks.size(); ++i) {
      ranked.emplace_back((key << bits) | i, placed.tasks[i]);
    }
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::pair<Time, Time>> times;
  times.reserve(ranked.size());
  for (auto const& [rank, task] : ranked) {
    times.emplace_back(timeline_.start(task), timeline_.end(task));
  }
  return times;
}

}  // namespace tessera::partition
