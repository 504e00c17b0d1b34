#include "sim/lower/lowering.hpp"

namespace tessera::sim {

using partition::ReshardStep;

Appender::Appender(arch::ArraySpec const& array, Folding const& folding, Bytes element_size)
    : array_{&array}, element_size_{element_size}, graph_{folding} {}

std::vector<TaskId> Appender::predecessors(std::vector<TaskId> const& data,
                                           std::size_t accelerator) const {
  if (last_barrier_.empty()) return data;
  return {last_barrier_[accelerator]};  // the barrier stands for all that came before it
}

Ready Appender::compute(Purpose purpose, std::vector<Work> const& work, Ready const& after) {
  Ready done = after;
  for (std::size_t accelerator = 0; accelerator < work.size(); ++accelerator) {
    auto const& part = work[accelerator];
    if (part.written == Elements{0}) continue;
    done[accelerator] = {
        compute(purpose, part, accelerator, predecessors(after[accelerator], accelerator))};
  }
  end_stage(purpose, done);
  return done;
}

TaskId Appender::compute(Purpose purpose, Work const& part, std::size_t accelerator,
                         std::vector<TaskId> const& after) {
  Task task;
  task.op = purpose.op;
  task.phase = purpose.phase;
  task.accelerator = AcceleratorId{accelerator};
  task.destination = task.accelerator;

  auto compute = task;
  compute.kind = TaskKind::compute;
  compute.part = graph_.add_part(part);
  compute.macs = part.macs;
  compute.buffer_accesses = part.read + part.written;
  auto const& spec = array_->accelerator(graph_.folding().accelerator(accelerator));
  if (spec.computes_from_memory()) return graph_.add(compute, after);

  auto load = task;
  load.kind = TaskKind::load;
  load.bytes = element_size_ * part.read.value();
  auto store = task;
  store.kind = TaskKind::store;
  store.bytes = element_size_ * part.written.value();
  auto const loaded = graph_.add(load, after);
  return graph_.add(store, {graph_.add(compute, {loaded})});
}

Ready Appender::exchange(Purpose purpose, std::vector<ReshardStep> const& steps, Ready ready) {
  for (auto const& step : steps) {
    if (step.exchanges.empty()) continue;
    Ready next = ready;
    for (auto const& exchange : step.exchanges) {
      auto const from = graph_.folding().representative(exchange.from);
      auto const to = graph_.folding().representative(exchange.to);
      Task task;
      task.kind = TaskKind::transfer;
      task.op = purpose.op;
      task.phase = purpose.phase;
      task.level = static_cast<std::uint8_t>(step.level + 1);
      task.reduces = step.reduces;
      task.accelerator = AcceleratorId{from};
      task.destination = AcceleratorId{to};
      task.bytes = element_size_ * exchange.elements.value();
      next[to].push_back(graph_.add(task, predecessors(ready[from], from)));
    }
    ready = std::move(next);
    end_stage(purpose, ready);
  }
  return ready;
}

/// Without overlap: everybody waits until everybody is done.
void Appender::end_stage(Purpose purpose, Ready const& done) {
  if (array_->execution.overlap == arch::ExecutionSpec::Overlap::communication) return;
  auto const barrier = graph_.add_barrier();
  std::vector<TaskId> reached;
  for (std::size_t accelerator = 0; accelerator < done.size(); ++accelerator) {
    Task task;
    task.kind = TaskKind::barrier;
    task.op = purpose.op;
    task.phase = purpose.phase;
    task.accelerator = AcceleratorId{accelerator};
    task.destination = task.accelerator;
    task.barrier = barrier;
    auto after = done[accelerator];
    if (!last_barrier_.empty()) after.push_back(last_barrier_[accelerator]);
    reached.push_back(graph_.add(task, after));
  }
  last_barrier_ = std::move(reached);
}

Ready both(Ready a, Ready const& b) {
  EXPECTS(a.size() == b.size(), a.size(), b.size());
  for (std::size_t accelerator = 0; accelerator < a.size(); ++accelerator) {
    a[accelerator].insert(a[accelerator].end(), b[accelerator].begin(), b[accelerator].end());
  }
  return a;
}

}  // namespace tessera::sim
