#include "sim/outcome/rerun_tasks.hpp"

#include <algorithm>
#include <variant>

#include "sim/outcome/accelerator_summary.hpp"

namespace tessera::sim::outcome {

RerunTasks::RerunTasks(Outcome const& outcome, UnitTimes& times, RecordedRounds const& rounds)
    : outcome_{outcome},
      graph_{outcome.blueprint.schedule.graph()},
      blueprint_{outcome.blueprint},
      idle_{times.idle_transfers()},
      shapes_{times.transfer_shapes()},
      rounds_{rounds},
      units_{2 * graph_.accelerators() + blueprint_.topology.links().size()} {
  auto const ends = number_ends(times);
  tasks_.reserve(graph_.size());
  before_.reserve(blueprint_.schedule.dependencies());
  auto const& all = graph_.tasks();
  auto const is_computation = [](Task const& task) { return task.kind == TaskKind::compute; };
  computations_.reserve(
      static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_computation)));
  for (auto const id : times.in_order()) tasks_.push_back(made(id, times, ends));
  add_rounds();
}

void RerunTasks::add_rounds() {
  auto const& times = rounds_.times();
  if (times.count() == 0) return;
  IdVector<TaskId, std::uint32_t> leaving{graph_.size(), RerunTask::none};
  for (auto const& task : tasks_) leaving[task.id] = task.leaving;
  rounds_of_.reserve(times.count());
  for (std::uint32_t number = 0; number < times.count(); ++number) {
    auto const& transfer = graph_.at(times.id(number));
    auto& rounds = rounds_of_.emplace_back();
    rounds.sender = transfer.accelerator;
    rounds.receiver = transfer.destination;
    rounds.shape = static_cast<std::uint32_t>(times.shape(number));
    rounds.ring = times.ring_of(number);
    rounds.rounds = transfer.rounds;
    if (auto const others = rounds_.left_after(number)) rounds.left_after = leaving[*others];
  }
}

std::uint32_t RerunTasks::add_leaving(TaskId id) {
  if (rounds_.times().count() == 0) return RerunTask::none;
  auto const leaving = LinkQueues::leaving(graph_.at(id), id, shapes_);
  if (!leaving) return RerunTask::none;
  leaving_.push_back(*leaving);
  return static_cast<std::uint32_t>(leaving_.size() - 1);
}

/// Does `task` wait until its accelerator has sent `before`?
bool RerunTasks::is_leaving(TaskId before, TaskId task) const {
  auto const& other = graph_.at(before);
  return other.kind == TaskKind::transfer && !arrives_at(other, graph_.at(task).accelerator);
}

/// In order, so that those lie near each other that are asked for together.
RerunTasks::EndTable RerunTasks::number_ends(UnitTimes const& times) {
  EndTable ends{graph_.size()};
  for (auto const id : graph_.tasks().ids()) {
    for (auto const before : graph_.after(id)) {
      if (is_leaving(before, id)) ends[before].has_leaving = true;
    }
  }
  for (auto const id : times.in_order()) {
    auto const& task = graph_.at(id);
    auto& [first, has_leaving] = ends[id];
    if (task.kind == TaskKind::barrier) {
      first = static_cast<std::uint32_t>(task.barrier.index());
    } else if (task.rounds > 1) {
      first = rounds_.times().number(id);
    } else {
      first = static_cast<std::uint32_t>(ends_);
      ends_ += has_leaving ? 2 : 1;
    }
  }
  EXPECTS(ends_ < RerunTask::none / 4, ends_);
  return ends;
}

RerunTask RerunTasks::made(TaskId id, UnitTimes const& times, EndTable const& ends) {
  auto const& task = graph_.at(id);
  auto const& time = times.of(id);
  RerunTask made;
  made.id = id;
  made.kind = task.kind;
  made.runs_at = task.accelerator;
  made.ends_at = completes_at(task);
  made.served = time.served - time.begun;
  made.free = time.free - time.begun;
  made.end = ends[id].first;
  if (task.rounds > 1) made.rounds = made.end;
  made.has_leaving = ends[id].has_leaving;
  made.unit = unit_of(id, times);
  made.waits = time.ahead.has_value();
  if (task.kind == TaskKind::compute) {
    made.computation = static_cast<std::uint32_t>(computations_.size());
    computations_.push_back(computation_of(id, time));
  }
  if (task.kind == TaskKind::transfer) made.leaving = add_leaving(id);
  EXPECTS(before_.size() < RerunTask::none, before_.size());
  made.first_before = static_cast<std::uint32_t>(before_.size());
  for (auto const before : graph_.after(id)) before_.push_back(this->before(before, id, ends));
  return made;
}

RerunComputation RerunTasks::computation_of(TaskId id, UnitTime const& time) const {
  auto const accelerator = graph_.at(id).accelerator;
  auto const& spec = blueprint_.spec(accelerator);
  auto const& clock = blueprint_.clock(accelerator).clock();
  auto const& work = outcome_.work[id];
  RerunComputation it;
  it.has_tiles = std::holds_alternative<arch::CoreUnitSpec>(spec.processing_unit);
  it.computed = it.has_tiles
                    ? work.computed
                    : clock.edge_at_or_after(time.served) - clock.edge_at_or_after(time.begun);
  it.kernel_starts = work.kernel_starts;
  it.starts = clock.length(work.kernel_starts);
  it.behind = clock.length(work.behind_loads);
  it.waited = outcome_.records.journal.waited(id);
  it.moved = at_peak(accelerator, work.memory);
  return it;
}

Time RerunTasks::at_peak(AcceleratorId accelerator, Bytes bytes) const {
  auto const peak = peak_of(blueprint_.spec(accelerator).memory);
  return peak ? bytes / *peak : Time{0};
}

RerunTasks::Before RerunTasks::before(TaskId id, TaskId task, EndTable const& ends) const {
  using Kind = Before::Kind;
  auto const number = ends[id].first;
  auto const& it = graph_.at(id);
  if (it.kind == TaskKind::barrier) return {number, Kind::barrier};
  bool const leaves = is_leaving(id, task);
  if (it.rounds > 1) return {number, leaves ? Kind::rounds_left : Kind::rounds};
  return {number + (leaves ? 1 : 0), Kind::end};
}

/// Processing units and memories by accelerator, then the lanes of links.
std::uint32_t RerunTasks::unit_of(TaskId id, UnitTimes const& times) const {
  auto const& task = graph_.at(id);
  switch (task.kind) {
    case TaskKind::compute:
    case TaskKind::load:
    case TaskKind::store: {
      auto const is_memory = task.kind == TaskKind::compute ? 0U : 1U;
      return static_cast<std::uint32_t>(2 * task.accelerator.index()) + is_memory;
    }
    case TaskKind::transfer: {
      auto const link = times.transfer_shapes().first_link(id);
      if (!link) return RerunTask::none;
      return static_cast<std::uint32_t>(2 * graph_.accelerators() + link->index());
    }
    case TaskKind::barrier:
      break;
  }
  return RerunTask::none;
}

}  // namespace tessera::sim::outcome
