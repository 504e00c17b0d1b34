#include "sim/outcome/waits.hpp"

namespace tessera::sim::outcome {

std::vector<std::string> wait_cause_names() {
  return {"none", "data", "unit", "link", "program", "barrier"};
}

Waits::Waits(Outcome const& outcome, UnitTimes const& times, TaskNumbers const& numbers)
    : graph_{outcome.blueprint.schedule.graph()},
      journal_{outcome.records.journal},
      blueprint_{outcome.blueprint},
      times_{times},
      numbers_{numbers},
      receivers_{outcome.blueprint},
      last_arrivals_{graph_.barrier_members().size()} {
  for (auto const id : graph_.tasks().ids()) {
    if (graph_.at(id).kind == TaskKind::barrier) reach(id);
  }
}

/// Of all copies of a member the first has the lowest number.
void Waits::reach(TaskId id) {
  auto const& task = graph_.at(id);
  TaskCopy const member{id, blueprint_.folding().accelerator(task.accelerator.index())};
  auto& last = last_arrivals_[task.barrier];
  auto const at = arrival(id);
  bool const is_later = !last.is_known || at > last.at;
  bool const is_tied = last.is_known && at == last.at;
  if (is_later || (is_tied && numbers_.of(member) < numbers_.of(last.member))) {
    last = {at, member, true};
  }
}

/// At the synchronizer.
Time Waits::arrival(TaskId barrier) const {
  return blueprint_.clock(graph_.at(barrier).accelerator).arrival(*journal_.started(barrier));
}

TaskCopy Waits::last_member(TaskCopy const& member) const {
  auto const& last = last_arrivals_[graph_.at(member.task).barrier];
  return arrival(member.task) == last.at ? member : last.member;
}

Time Waits::release(TaskId before, AcceleratorId at) const {
  auto const& task = graph_.at(before);
  bool const is_sent = task.kind == TaskKind::transfer && !arrives_at(task, at);
  return is_sent ? *journal_.left(before) : *journal_.completed(before);
}

TaskCopy Waits::copy_of(TaskId before, TaskCopy const& copy) const {
  auto const& task = graph_.at(before);
  if (!arrives_at(task, graph_.at(copy.task).accelerator)) return {before, copy.accelerator};
  return {before, receivers_.sender_of(task, copy.accelerator)};
}

Wait Waits::before_issue(TaskCopy const& copy) const {
  Wait last;
  auto const at = graph_.at(copy.task).accelerator;
  for (auto const before : graph_.after(copy.task)) {
    auto const released = release(before, at);
    auto const candidate = copy_of(before, copy);
    bool const is_later = !last.task || released > last.until;
    if (is_later || (released == last.until && numbers_.of(candidate) < numbers_.of(*last.task))) {
      last = {candidate, cause_of(before, copy.task), released};
    }
  }
  return last;
}

/// A pass waits for the one before it by the order of the schedule, and for updates and its own
/// micro-batch by data.
WaitCause Waits::cause_of(TaskId before, TaskId task) const {
  if (graph_.at(before).kind == TaskKind::barrier) return WaitCause::barrier;
  using workloads::Phase;
  bool const is_update =
      graph_.at(before).phase == Phase::update || graph_.at(task).phase == Phase::update;
  bool const is_transfer = graph_.at(before).kind == TaskKind::transfer;
  auto const& one = graph_.passage_of(before);
  auto const& other = graph_.passage_of(task);
  bool const is_of_another = one.micro_batch != other.micro_batch || one.chunk != other.chunk;
  return is_of_another && !is_update && !is_transfer ? WaitCause::program : WaitCause::data;
}

Wait Waits::last_wait(TaskCopy const& copy) const {
  auto const& task = graph_.at(copy.task);
  auto const& time = times_.of(copy.task);
  if (time.waited()) {
    auto const cause = task.kind == TaskKind::transfer ? WaitCause::link : WaitCause::unit;
    return {TaskCopy{*time.ahead, copy.accelerator}, cause, time.begun};
  }
  if (task.kind == TaskKind::barrier) {
    auto const last = last_member(copy);
    if (last.task != copy.task) return {last, WaitCause::barrier, last_arrivals_[task.barrier].at};
  }
  return before_issue(copy);
}

}  // namespace tessera::sim::outcome
