// Writing small task graphs in a line per task.
#pragma once

#include <vector>

#include "sim/task/task_graph.hpp"
#include "traces/sink.hpp"

namespace tessera::sim {

class TaskBuilder final {
 public:
  explicit TaskBuilder(std::size_t accelerators) : graph{accelerators} {}

  TaskId compute(std::size_t accelerator, std::int64_t macs,
                 std::vector<TaskId> const& after = {}) {
    Task task = task_of(TaskKind::compute, accelerator);
    task.macs = Macs{macs};
    task.buffer_accesses = Elements{3 * macs};
    return graph.add(task, after);
  }
  TaskId load(std::size_t accelerator, std::int64_t bytes, std::vector<TaskId> const& after = {}) {
    Task task = task_of(TaskKind::load, accelerator);
    task.bytes = Bytes{bytes};
    return graph.add(task, after);
  }
  TaskId store(std::size_t accelerator, std::int64_t bytes, std::vector<TaskId> const& after = {}) {
    Task task = task_of(TaskKind::store, accelerator);
    task.bytes = Bytes{bytes};
    return graph.add(task, after);
  }
  TaskId transfer(std::size_t from, std::size_t to, std::int64_t bytes,
                  std::vector<TaskId> const& after = {}) {
    Task task = task_of(TaskKind::transfer, from);
    task.destination = AcceleratorId{to};
    task.level = 1;
    task.reduces = reduces;
    task.bytes = Bytes{bytes};
    return graph.add(task, after);
  }
  /// `members` send to the next one, in so many rounds of `bytes`, each after what it waits for.
  std::vector<TaskId> ring(std::vector<std::size_t> const& members, std::uint32_t rounds,
                           std::int64_t bytes, std::vector<std::vector<TaskId>> const& after) {
    std::vector<TaskId> sent;
    for (std::size_t i = 0; i < members.size(); ++i) {
      Task task = task_of(TaskKind::transfer, members[i]);
      task.destination = AcceleratorId{members[(i + 1) % members.size()]};
      task.level = 1;
      task.reduces = reduces;
      task.rounds = rounds;
      task.bytes = Bytes{bytes} * rounds;
      task.rank = step_ * graph.accelerators() + 1;
      sent.push_back(graph.add(task, after[i]));
    }
    step_ += rounds;
    for (std::size_t i = 0; rounds > 1 && i < members.size(); ++i) {
      graph.pass_on(sent[i], sent[(i + 1) % members.size()]);
    }
    return sent;
  }
  TaskId reach(BarrierId barrier, std::size_t accelerator, std::vector<TaskId> const& after = {}) {
    Task task = task_of(TaskKind::barrier, accelerator);
    task.barrier = barrier;
    return graph.add(task, after);
  }

  TaskGraph graph;
  workloads::OperatorId op;                            ///< of tasks added from now on
  workloads::Phase phase = workloads::Phase::forward;  ///< the same
  bool reduces = false;                                ///< of transfers: the same

 private:
  std::uint64_t step_ = 1;  ///< of the rounds of rings

  [[nodiscard]] Task task_of(TaskKind kind, std::size_t accelerator) const {
    Task task;
    task.kind = kind;
    task.accelerator = AcceleratorId{accelerator};
    task.op = op;
    task.phase = phase;
    return task;
  }
};

/// Keeps every event.
class MemorySink final : public traces::Sink {
 public:
  void begin(traces::RunDescription const& /*run*/) override {}
  void record(traces::TaskEvent const& event) override { events.push_back(event); }
  void end(traces::RunSummary const& /*summary*/) override {}

  std::vector<traces::TaskEvent> events;
};

}  // namespace tessera::sim
