#include "sim/outcome/slack.hpp"

#include <algorithm>
#include <utility>

namespace tessera::sim::outcome {

namespace {

/// From the last task to the first.
class SlackPass final {
 public:
  SlackPass(Outcome const& outcome, UnitTimes const& times, RecordedRounds const& rounds,
            Waits const& waits)
      : schedule_{outcome.blueprint.schedule},
        graph_{schedule_.graph()},
        journal_{outcome.records.journal},
        times_{times},
        rounds_{rounds},
        waits_{waits},
        slacks_{graph_.size()},
        is_settled_{graph_.size()},
        barriers_{graph_.barrier_members().size(), journal_.end()} {
    for (auto const id : graph_.tasks().ids()) slacks_[id] = journal_.end() - end(id);
  }

  [[nodiscard]] IdVector<TaskId, Time> run() {
    auto const& order = times_.in_order();
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
      settle(*id);
      if (graph_.at(*id).kind == TaskKind::barrier) share(*id);
      delay_ahead(*id);
    }
    for (auto const id : graph_.tasks().ids()) {
      if (graph_.at(id).kind == TaskKind::barrier) allow(id, barriers_[graph_.at(id).barrier]);
    }
    return std::move(slacks_);
  }

 private:
  [[nodiscard]] Time end(TaskId id) const { return *journal_.completed(id); }
  void allow(TaskId id, Time slack) { slacks_[id] = std::min(slacks_[id], slack); }

  /// Once all that waits for it has been.
  void settle(TaskId id) {
    if (!std::exchange(is_settled_[id], true)) allow(id, for_successors(id));
  }

  [[nodiscard]] Time for_successors(TaskId id) {
    auto least = slacks_[id];
    for (auto const next : schedule_.successors(id)) {
      auto const released = waits_.release(id, graph_.at(next).accelerator);
      least = std::min(least, *journal_.started(next) - released + of_issue(next));
    }
    return least;
  }

  /// How much later a task may be issued.
  [[nodiscard]] Time of_issue(TaskId id) {
    auto const& task = graph_.at(id);
    if (task.kind == TaskKind::barrier) {
      auto const last = waits_.last_member({id, 0}).task;
      auto const early = *journal_.started(last) - *journal_.started(id);
      return std::max(early, Time{0}) + barriers_[task.barrier];
    }
    if (task.rounds > 1) return of_rounds(rounds_.times().number(id));
    auto const& time = times_.of(id);
    return time.begun - time.arrived + slacks_[id];
  }

  /// How much later the first round of a transfer may be sent.
  [[nodiscard]] Time of_rounds(std::uint32_t number) {
    auto const& times = rounds_.times();
    auto const begun = times_.of(times.id(number)).begun;
    auto least = journal_.end();
    times.for_each_ahead(number, rounds_.lengths(), [&](std::uint32_t ahead, Time later) {
      settle(times.id(ahead));
      auto const early = std::max(rounds_.last(ahead).begun - (begun + later), Time{0});
      least = std::min(least, early + slacks_[times.id(ahead)]);
    });
    return least;
  }

  void share(TaskId id) {
    auto& shared = barriers_[graph_.at(id).barrier];
    shared = std::min(shared, slacks_[id]);
  }

  /// The unit takes up `id` when it is done with the task ahead.
  void delay_ahead(TaskId id) {
    auto const& time = times_.of(id);
    if (!time.ahead) return;
    auto const idle = time.begun - times_.of(*time.ahead).free;
    allow(*time.ahead, std::max(idle, Time{0}) + slacks_[id]);
  }

  Schedule const& schedule_;
  TaskGraph const& graph_;
  Journal const& journal_;
  UnitTimes const& times_;
  RecordedRounds const& rounds_;
  Waits const& waits_;
  IdVector<TaskId, Time> slacks_;
  IdVector<TaskId, char> is_settled_;
  IdVector<BarrierId, Time> barriers_;  ///< of all members
};

}  // namespace

IdVector<TaskId, Time> slacks(Outcome const& outcome, UnitTimes const& times,
                              RecordedRounds const& rounds, Waits const& waits) {
  return SlackPass{outcome, times, rounds, waits}.run();
}

}  // namespace tessera::sim::outcome
