#include "sim/outcome/barrier_order.hpp"

namespace tessera::sim::outcome {

namespace {

/// Takes tasks in an order, each after all that it needs.
class BarrierOrder final {
 public:
  explicit BarrierOrder(TaskGraph const& graph)
      : graph_{graph}, members_{graph.barrier_members().size()}, is_taken_{graph.size()} {
    for (auto const id : graph.tasks().ids()) {
      if (graph.at(id).kind == TaskKind::barrier) members_[graph.at(id).barrier].push_back(id);
    }
    order_.reserve(graph.size());
  }

  [[nodiscard]] std::vector<TaskId> of(std::vector<TaskId> const& tasks) {
    for (auto const id : tasks) take(id);
    return std::move(order_);
  }

 private:
  /// What it needs comes on top of it, until that has been taken.
  void take(TaskId id) {
    std::vector<TaskId> open{id};
    while (!open.empty()) {
      auto const top = open.back();
      auto const before = open.size();
      for (auto const needed : graph_.after(top)) need(needed, open);
      if (open.size() > before) continue;
      open.pop_back();
      if (is_taken_[top]) continue;
      is_taken_[top] = true;
      order_.push_back(top);
    }
  }

  /// Of a barrier one member after the other.
  void need(TaskId needed, std::vector<TaskId>& open) {
    if (!is_taken_[needed]) open.push_back(needed);
    if (graph_.at(needed).kind != TaskKind::barrier) return;
    auto& members = members_[graph_.at(needed).barrier];
    while (!members.empty() && is_taken_[members.back()]) members.pop_back();
    if (!members.empty()) open.push_back(members.back());
  }

  TaskGraph const& graph_;
  IdVector<BarrierId, std::vector<TaskId>> members_;  ///< perhaps not taken yet
  IdVector<TaskId, char> is_taken_;
  std::vector<TaskId> order_;
};

/// Is somebody told of a barrier in the instant in which a member was issued?
bool is_needed(Outcome const& outcome) {
  auto const& graph = outcome.blueprint.schedule.graph();
  auto const& journal = outcome.records.journal;
  if (graph.barrier_members().size() == 0) return false;
  for (auto const id : graph.tasks().ids()) {
    if (graph.at(id).kind != TaskKind::barrier) continue;
    if (*journal.completed(id) == *journal.started(id)) return true;
  }
  return false;
}

}  // namespace

std::vector<TaskId> members_first(Outcome const& outcome, std::vector<TaskId> order) {
  if (!is_needed(outcome)) return order;
  return BarrierOrder{outcome.blueprint.schedule.graph()}.of(order);
}

}  // namespace tessera::sim::outcome
