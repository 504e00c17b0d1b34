// From journal entries of representatives to events of everybody.
#include "sim/outcome/task_events.hpp"

#include <algorithm>

#include "sim/outcome/receivers.hpp"

namespace tessera::sim::outcome {

namespace {

/// A copy of a task with its number.
struct Happened {
  std::int64_t number = 0;
  TaskCopy copy;
};

/// Expands tasks.
class Expansion final {
 public:
  Expansion(Outcome const& outcome, std::optional<Explanation>& why)
      : outcome_{outcome},
        why_{why},
        schedule_{outcome.blueprint.schedule},
        folding_{outcome.blueprint.folding()},
        receivers_{outcome.blueprint},
        numbers_{schedule_} {}

  /// Appends the task of every copy, or of the accelerator that was simulated only.
  void expand(TaskId task, bool is_mirrored, std::vector<Happened>& into) const {
    auto const representative = schedule_.graph().at(task).accelerator.index();
    auto const add = [&](std::size_t accelerator) {
      TaskCopy const happened{task, accelerator};
      into.push_back({numbers_.of(happened), happened});
    };
    if (!is_mirrored) return add(folding_.accelerator(representative));
    for (auto const copy : folding_.copies_of(representative)) add(copy);
  }

  [[nodiscard]] traces::TaskEvent event(Happened const& happened) {
    auto const& [id, accelerator] = happened.copy;
    Task const& task = schedule_.graph().at(id);
    Journal const& journal = outcome_.records.journal;
    traces::TaskEvent event;
    event.task = happened.number;
    event.kind = static_cast<std::uint8_t>(task.kind);
    event.phase = static_cast<std::uint8_t>(task.phase);
    auto const receiver =
        task.kind == TaskKind::transfer ? receivers_.of(task, accelerator) : accelerator;
    event.level = receivers_.level_of(task, accelerator, receiver);
    event.accelerator = static_cast<std::uint32_t>(accelerator);
    event.destination = static_cast<std::uint32_t>(receiver);
    event.op = static_cast<std::uint32_t>(task.op.index());
    event.start = *journal.started(id);
    event.end = *journal.completed(id);
    event.bytes = task.bytes;
    event.macs = task.macs;
    event.rounds = task.rounds;
    Passage const& passage = schedule_.graph().passage_of(id);
    event.micro_batch = static_cast<std::uint32_t>(passage.micro_batch);
    event.step = static_cast<std::uint32_t>(passage.step);
    event.version = static_cast<std::uint32_t>(passage.version);
    event.stage = static_cast<std::uint32_t>(passage.stage);
    if (why_) why_->complete(event, happened.copy);
    return event;
  }

 private:
  Outcome const& outcome_;
  std::optional<Explanation>& why_;
  Schedule const& schedule_;
  Folding const& folding_;
  Receivers receivers_;
  TaskNumbers numbers_;
};

}  // namespace

void record_tasks(Outcome const& outcome, std::optional<Explanation>& why, traces::Sink& sink) {
  Expansion expansion{outcome, why};
  auto const& journal = outcome.records.journal;
  auto const done = journal.by_end();
  std::vector<Happened> at_once;
  for (auto task = done.begin(); task != done.end();) {
    auto const end = journal.completed(*task);
    at_once.clear();
    for (; task != done.end() && journal.completed(*task) == end; ++task) {
      expansion.expand(*task, sink.keeps_mirrored_tasks(), at_once);
    }
    std::sort(at_once.begin(), at_once.end(),
              [](auto const& a, auto const& b) { return a.number < b.number; });
    for (auto const& happened : at_once) sink.record(expansion.event(happened));
  }
}

}  // namespace tessera::sim::outcome
