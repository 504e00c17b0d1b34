// From journal entries of representatives to events of everybody.
#include "sim/outcome/task_events.hpp"

#include <algorithm>

#include "sim/outcome/receivers.hpp"

namespace tessera::sim::outcome {

namespace {

/// A task of one accelerator, who may be a copy of the one that was simulated.
struct Happened {
  std::uint32_t number = 0;
  TaskId task;
  std::size_t accelerator = 0;
};

/// Numbers and expands tasks.
class Expansion final {
 public:
  explicit Expansion(Outcome const& outcome)
      : outcome_{outcome},
        schedule_{outcome.blueprint.schedule},
        folding_{outcome.blueprint.folding()},
        receivers_{outcome.blueprint} {
    std::uint32_t next = 0;
    for (std::size_t index = 0; index < folding_.accelerators(); ++index) {
      first_.push_back(next);
      auto const tasks = schedule_.tasks_of(AcceleratorId{folding_.representative(index)});
      next += static_cast<std::uint32_t>(tasks.size());
    }
  }

  /// Appends the task of every copy.
  void expand(TaskId task, std::vector<Happened>& into) const {
    auto const place = static_cast<std::uint32_t>(schedule_.place(task));
    for (auto const copy : folding_.copies_of(schedule_.graph().at(task).accelerator.index())) {
      into.push_back({first_[copy] + place, task, copy});
    }
  }

  [[nodiscard]] traces::TaskEvent event(Happened const& happened) const {
    Task const& task = schedule_.graph().at(happened.task);
    Journal const& journal = outcome_.records.journal;
    traces::TaskEvent event;
    event.task = happened.number;
    event.kind = static_cast<std::uint8_t>(task.kind);
    event.phase = static_cast<std::uint8_t>(task.phase);
    event.level = task.level;
    event.accelerator = static_cast<std::uint16_t>(happened.accelerator);
    event.destination = static_cast<std::uint16_t>(task.kind == TaskKind::transfer
                                                       ? receivers_.of(task, happened.accelerator)
                                                       : happened.accelerator);
    event.op = static_cast<std::uint16_t>(task.op.index());
    event.start = *journal.started(happened.task);
    event.end = *journal.completed(happened.task);
    event.bytes = task.bytes;
    event.macs = task.macs;
    Passage const& passage = schedule_.graph().passage_of(happened.task);
    event.micro_batch = static_cast<std::uint32_t>(passage.micro_batch);
    event.step = static_cast<std::uint32_t>(passage.step);
    event.version = static_cast<std::uint32_t>(passage.version);
    event.stage = static_cast<std::uint16_t>(passage.stage);
    return event;
  }

 private:
  Outcome const& outcome_;
  Schedule const& schedule_;
  Folding const& folding_;
  Receivers receivers_;
  std::vector<std::uint32_t> first_;  ///< the number of the first task of each accelerator
};

}  // namespace

void record_tasks(Outcome const& outcome, traces::Sink& sink) {
  Expansion const expansion{outcome};
  auto const& journal = outcome.records.journal;
  auto const done = journal.by_end();
  std::vector<Happened> at_once;
  for (auto task = done.begin(); task != done.end();) {
    auto const end = journal.completed(*task);
    at_once.clear();
    for (; task != done.end() && journal.completed(*task) == end; ++task) {
      expansion.expand(*task, at_once);
    }
    std::sort(at_once.begin(), at_once.end(),
              [](auto const& a, auto const& b) { return a.number < b.number; });
    for (auto const& happened : at_once) sink.record(expansion.event(happened));
  }
}

}  // namespace tessera::sim::outcome
