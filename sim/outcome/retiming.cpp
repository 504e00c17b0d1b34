#include "sim/outcome/retiming.hpp"

#include <algorithm>

namespace tessera::sim::outcome {

namespace {

/// As many reruns as a pass answers: 96 bytes a task.
constexpr std::size_t most_lanes = 4;
using Lanes = std::array<Time, most_lanes>;

class Retiming final {
 public:
  Retiming(Outcome const& outcome, UnitTimes& times, std::vector<Rerun> reruns)
      : graph_{outcome.blueprint.schedule.graph()},
        blueprint_{outcome.blueprint},
        times_{times},
        reruns_{std::move(reruns)},
        tasks_{graph_.size()},
        barriers_{graph_.barriers()} {}

  [[nodiscard]] Lanes run() {
    for (auto const id : times_.in_order()) serve(id);
    for (auto const& reached : barriers_) {
      for (std::size_t lane = 0; lane < reruns_.size(); ++lane) {
        end_[lane] = std::max(end_[lane], reached[lane] + blueprint_.hop_latency());
      }
    }
    return end_;
  }

 private:
  struct Times {
    Lanes end{};   ///< the dispatcher at its end hears of it
    Lanes left{};  ///< transfer: the sender's dispatcher
    Lanes free{};  ///< of the unit
  };

  void serve(TaskId id) {
    auto const issued = issue_of(id);
    auto const& task = graph_.at(id);
    if (task.kind == TaskKind::barrier) return reach(task, issued);
    bool const is_transfer = task.kind == TaskKind::transfer;
    auto const& clock = blueprint_.clock(task.accelerator);
    auto const& clock_at_end = blueprint_.clock(completes_at(task));
    auto const& ahead = times_.of(id).ahead;
    auto const* const before = ahead ? &tasks_[*ahead] : nullptr;
    auto& times = tasks_[id];
    for (std::size_t lane = 0; lane < reruns_.size(); ++lane) {
      auto const& rerun = reruns_[lane];
      auto begun = is_transfer ? times_.idle_transfers().arrival_at_link(task, issued[lane])
                               : clock.arrival(issued[lane]);
      bool const waits = rerun.queues == Queues::as_recorded && before != nullptr;
      if (waits) begun = std::max(begun, before->free[lane]);
      auto const service = rerun.durations->service(id, begun);
      times.end[lane] = clock_at_end.arrival(service.served);
      if (is_transfer) times.left[lane] = clock.arrival(service.free);
      times.free[lane] = std::max(begun, service.free);
      end_[lane] = std::max(end_[lane], times.end[lane]);
    }
  }

  void reach(Task const& member, Lanes const& issued) {
    auto const& clock = blueprint_.clock(member.accelerator);
    auto& reached = barriers_[member.barrier];
    for (std::size_t lane = 0; lane < reruns_.size(); ++lane) {
      reached[lane] = std::max(reached[lane], clock.arrival(issued[lane]));
    }
  }

  [[nodiscard]] Lanes issue_of(TaskId id) const {
    auto const at = graph_.at(id).accelerator;
    Lanes issued{};
    for (auto const before : graph_.after(id)) {
      auto const& task = graph_.at(before);
      bool const is_barrier = task.kind == TaskKind::barrier;
      bool const is_sent = task.kind == TaskKind::transfer && !arrives_at(task, at);
      auto const& times = tasks_[before];
      auto const& released = is_barrier ? barriers_[task.barrier]
                             : is_sent  ? times.left
                                        : times.end;
      auto const heard = is_barrier ? blueprint_.hop_latency() : Time{0};
      for (std::size_t lane = 0; lane < reruns_.size(); ++lane) {
        issued[lane] = std::max(issued[lane], released[lane] + heard);
      }
    }
    return issued;
  }

  TaskGraph const& graph_;
  Blueprint const& blueprint_;
  UnitTimes& times_;
  std::vector<Rerun> reruns_;
  IdVector<TaskId, Times> tasks_;
  IdVector<BarrierId, Lanes> barriers_;  ///< when the last member so far has reached it
  Lanes end_{};
};

}  // namespace

std::vector<Time> ends_of(Outcome const& outcome, UnitTimes& times,
                          std::vector<Rerun> const& reruns) {
  std::vector<Time> ends;
  for (auto from = reruns.begin(); from != reruns.end();) {
    auto const left = static_cast<std::size_t>(reruns.end() - from);
    auto const to = from + static_cast<std::ptrdiff_t>(std::min(left, most_lanes));
    auto const lanes = Retiming{outcome, times, {from, to}}.run();
    ends.insert(ends.end(), lanes.begin(), lanes.begin() + (to - from));
    from = to;
  }
  return ends;
}

}  // namespace tessera::sim::outcome
