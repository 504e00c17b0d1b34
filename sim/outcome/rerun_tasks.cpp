#include "sim/outcome/rerun_tasks.hpp"

namespace tessera::sim::outcome {

RerunTasks::RerunTasks(Outcome const& outcome, UnitTimes& times)
    : graph_{outcome.blueprint.schedule.graph()},
      blueprint_{outcome.blueprint},
      idle_{times.idle_transfers()} {
  EXPECTS(graph_.size() < RerunTask::none, graph_.size());
  IdVector<TaskId, std::uint32_t> places{graph_.size()};
  std::uint32_t next = 0;
  for (auto const id : times.in_order()) places[id] = next++;
  tasks_.reserve(graph_.size());
  before_.reserve(blueprint_.schedule.dependencies());
  for (auto const id : times.in_order()) tasks_.push_back(made(id, times.of(id), places));
}

RerunTask RerunTasks::made(TaskId id, UnitTime const& time,
                           IdVector<TaskId, std::uint32_t> const& places) {
  auto const& task = graph_.at(id);
  RerunTask made;
  made.id = id;
  made.kind = task.kind;
  made.runs_at = task.accelerator;
  made.ends_at = completes_at(task);
  made.served = time.served - time.begun;
  made.free = time.free - time.begun;
  if (time.ahead) made.ahead = places[*time.ahead];
  if (task.kind == TaskKind::barrier) {
    made.barrier = static_cast<std::uint32_t>(task.barrier.index());
  }
  EXPECTS(before_.size() < RerunTask::none, before_.size());
  made.first_before = static_cast<std::uint32_t>(before_.size());
  for (auto const before : graph_.after(id)) {
    auto const& other = graph_.at(before);
    if (other.kind == TaskKind::barrier) {
      before_.push_back({static_cast<std::uint32_t>(other.barrier.index()), Before::What::barrier});
      continue;
    }
    bool const is_sent = other.kind == TaskKind::transfer && !arrives_at(other, task.accelerator);
    before_.push_back({places[before], is_sent ? Before::What::leaving : Before::What::end});
  }
  return made;
}

}  // namespace tessera::sim::outcome
