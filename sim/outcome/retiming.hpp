// Goes through the tasks of a run once more, in the order in which they were issued, with other durations.
#pragma once

#include <algorithm>
#include <optional>

#include "sim/outcome/durations.hpp"

namespace tessera::sim::outcome {

/// Does a task wait for what its unit served before it?
enum class Queues : std::uint8_t { ignored, as_recorded };

/// `Durations` has service(task, begun).
template <typename Durations>
class Retiming final {
 public:
  Retiming(Outcome const& outcome, UnitTimes& times, Durations const& durations, Queues queues)
      : graph_{outcome.blueprint.schedule.graph()},
        blueprint_{outcome.blueprint},
        times_{times},
        durations_{durations},
        queues_{queues},
        tasks_{graph_.size()},
        barriers_{graph_.barriers()} {}

  /// When the last task ends.
  [[nodiscard]] Time run() {
    Time end{0};
    for (auto const id : times_.in_order()) serve(id);
    for (auto const id : times_.in_order()) end = std::max(end, this->end(id));
    return end;
  }

 private:
  struct Times {
    Time end{0};   ///< the dispatcher at its end hears of it
    Time left{0};  ///< transfer: the sender's dispatcher
    Time free{0};  ///< of the unit
  };

  void serve(TaskId id) {
    auto const& task = graph_.at(id);
    auto const issued = issue_of(id);
    auto const& idle = times_.idle_transfers();
    auto const& clock = idle.clock(task.accelerator);
    if (task.kind == TaskKind::barrier) {
      auto& reached = barriers_[task.barrier];
      reached = std::max(reached, clock.arrival(issued));
      return;
    }
    bool const is_transfer = task.kind == TaskKind::transfer;
    auto begun = is_transfer ? idle.arrival_at_link(task, issued) : clock.arrival(issued);
    auto const& ahead = times_.of(id).ahead;
    if (queues_ == Queues::as_recorded && ahead) begun = std::max(begun, tasks_[*ahead].free);
    auto const service = durations_.service(id, begun);
    auto& times = tasks_[id];
    times.end = idle.clock(completes_at(task)).arrival(service.served);
    if (is_transfer) times.left = clock.arrival(service.free);
    times.free = std::max(begun, service.free);
  }

  [[nodiscard]] Time end(TaskId id) const {
    auto const& task = graph_.at(id);
    if (task.kind != TaskKind::barrier) return tasks_[id].end;
    return barriers_[task.barrier] + blueprint_.hop_latency();
  }

  [[nodiscard]] Time issue_of(TaskId id) const {
    auto const at = graph_.at(id).accelerator;
    Time issued{0};
    for (auto const before : graph_.after(id)) {
      auto const& task = graph_.at(before);
      bool const is_sent = task.kind == TaskKind::transfer && !arrives_at(task, at);
      issued = std::max(issued, is_sent ? tasks_[before].left : end(before));
    }
    return issued;
  }

  TaskGraph const& graph_;
  Blueprint const& blueprint_;
  UnitTimes& times_;
  Durations const& durations_;
  Queues queues_;
  IdVector<TaskId, Times> tasks_;
  IdVector<BarrierId, Time> barriers_;  ///< when the last member so far has reached it
};

}  // namespace tessera::sim::outcome
