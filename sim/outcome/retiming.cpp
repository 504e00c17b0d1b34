#include "sim/outcome/retiming.hpp"

#include <algorithm>

namespace tessera::sim::outcome {

namespace {

/// As many reruns as a pass answers: 96 bytes a task.
constexpr std::size_t most_lanes = 4;
using Lanes = std::array<Time, most_lanes>;

class Retiming final {
 public:
  explicit Retiming(RerunTasks const& tasks) : tasks_{tasks}, times_(tasks.all().size()) {}

  [[nodiscard]] Lanes run(std::vector<Rerun> reruns) {
    reruns_ = std::move(reruns);
    barriers_.assign(tasks_.graph().barriers(), {});
    end_ = {};
    for (std::size_t index = 0; index < times_.size(); ++index) serve(index);
    for (auto const& reached : barriers_) {
      for (std::size_t lane = 0; lane < reruns_.size(); ++lane) {
        end_[lane] = std::max(end_[lane], reached[lane] + tasks_.blueprint().hop_latency());
      }
    }
    return end_;
  }

 private:
  using What = RerunTasks::Before::What;

  struct Times {
    Lanes end{};   ///< the dispatcher at its end hears of it
    Lanes left{};  ///< transfer: the sender's dispatcher
    Lanes free{};  ///< of the unit
  };

  void serve(std::size_t index) {
    auto const issued = issue_of(index);
    auto const& task = tasks_.all()[index];
    if (task.kind == TaskKind::barrier) return reach(task, issued);
    bool const is_transfer = task.kind == TaskKind::transfer;
    auto const* const before = task.ahead != RerunTask::none ? &times_[task.ahead] : nullptr;
    auto& times = times_[index];
    for (std::size_t lane = 0; lane < reruns_.size(); ++lane) {
      auto const& rerun = reruns_[lane];
      auto begun = task.arrival(issued[lane]);
      bool const waits = rerun.queues == Queues::as_recorded && before != nullptr;
      if (waits) begun = std::max(begun, before->free[lane]);
      auto const service = rerun.durations->service(task, begun);
      times.end[lane] = task.clock_at_end->arrival(service.served);
      if (is_transfer) times.left[lane] = task.clock->arrival(service.free);
      times.free[lane] = std::max(begun, service.free);
      end_[lane] = std::max(end_[lane], times.end[lane]);
    }
  }

  void reach(RerunTask const& member, Lanes const& issued) {
    auto& reached = barriers_[member.barrier];
    for (std::size_t lane = 0; lane < reruns_.size(); ++lane) {
      reached[lane] = std::max(reached[lane], member.clock->arrival(issued[lane]));
    }
  }

  [[nodiscard]] Lanes issue_of(std::size_t index) const {
    Lanes issued{};
    auto const* const end = tasks_.before_end(index);
    for (auto const* it = tasks_.before_begin(index); it != end; ++it) {
      bool const is_barrier = it->what == What::barrier;
      auto const& released = is_barrier                  ? barriers_[it->index]
                             : it->what == What::leaving ? times_[it->index].left
                                                         : times_[it->index].end;
      auto const heard = is_barrier ? tasks_.blueprint().hop_latency() : Time{0};
      for (std::size_t lane = 0; lane < reruns_.size(); ++lane) {
        issued[lane] = std::max(issued[lane], released[lane] + heard);
      }
    }
    return issued;
  }

  RerunTasks const& tasks_;
  std::vector<Rerun> reruns_;
  std::vector<Times> times_;     ///< in order; of every task before others ask
  std::vector<Lanes> barriers_;  ///< when the last member so far has reached it
  Lanes end_{};
};

}  // namespace

std::vector<Time> ends_of(RerunTasks const& tasks, std::vector<Rerun> const& reruns) {
  std::vector<Time> ends;
  Retiming retiming{tasks};
  for (auto from = reruns.begin(); from != reruns.end();) {
    auto const left = static_cast<std::size_t>(reruns.end() - from);
    auto const to = from + static_cast<std::ptrdiff_t>(std::min(left, most_lanes));
    auto const lanes = retiming.run({from, to});
    ends.insert(ends.end(), lanes.begin(), lanes.begin() + (to - from));
    from = to;
  }
  return ends;
}

}  // namespace tessera::sim::outcome
