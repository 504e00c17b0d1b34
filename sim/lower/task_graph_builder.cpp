#include "sim/lower/task_graph_builder.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "sim/lower/sent_rounds.hpp"

namespace tessera::sim {

using partition::Exchange;
using partition::ReshardStep;
using workloads::Phase;

namespace {

/// Of a list that most likely ends with it.
void take_out(std::vector<TaskId>& tasks, TaskId task) {
  auto const found = std::find(tasks.rbegin(), tasks.rend(), task);
  if (found != tasks.rend()) tasks.erase(std::next(found).base());
}

}  // namespace

TaskGraphBuilder::TaskGraphBuilder(arch::ArraySpec const& array, Folding const& folding,
                                   Bytes element_size)
    : array_{&array},
      hierarchy_{array.hierarchy()},
      element_size_{element_size},
      graph_{folding},
      last_barrier_(graph_.accelerators()),
      computed_(graph_.accelerators()),
      last_pass_(graph_.accelerators()) {
  auto grid = array.fabric.packets ? std::nullopt : arch::Translations::of(array);
  if (grid) maps_.emplace(*std::move(grid), folding);
}

/// After a barrier, only what came from elsewhere since needs to be waited for; a barrier of a
/// stage stands for all of the stage's own tasks before it, but not for what other stages sent.
void TaskGraphBuilder::leave_to_barrier(std::vector<TaskId>& after, std::size_t accelerator) const {
  auto const& barrier = last_barrier_[accelerator];
  if (!barrier) return;
  auto const is_behind_it = [&](TaskId task) {
    bool const crosses = task.index() < crosses_.size() && crosses_[task.index()];
    return !(*barrier < task || crosses);
  };
  after.erase(std::remove_if(after.begin(), after.end(), is_behind_it), after.end());
  after.push_back(*barrier);
}

Frontier TaskGraphBuilder::compute(OpPhase purpose, Members const& members,
                                   std::vector<PartWork> const& work, Frontier after) {
  auto done = at_start();
  for (std::size_t i = 0; i < members.size(); ++i) {
    auto const accelerator = members[i];
    auto& ready = done[accelerator] = std::move(after[accelerator]);
    if (work[i].written == Elements{0}) continue;
    leave_to_barrier(ready, accelerator);
    auto const& last_pass = last_pass_[accelerator];
    ready.insert(ready.end(), last_pass.begin(), last_pass.end());
    auto const task = compute(purpose, work[i], accelerator, ready);
    if (orders_passes_ && purpose.phase != Phase::update) add_computed(task, ready, accelerator);
    ready.assign(1, task);
  }
  end_stage(purpose, members, done);
  return done;
}

/// Who waits for `task` need not wait for what it waited for.
void TaskGraphBuilder::add_computed(TaskId task, std::vector<TaskId> const& before,
                                    std::size_t accelerator) {
  auto& computed = computed_[accelerator];
  auto const is_before = [&](TaskId other) {
    return std::find(before.begin(), before.end(), other) != before.end();
  };
  computed.erase(std::remove_if(computed.begin(), computed.end(), is_before), computed.end());
  computed.push_back(task);
}

TaskId TaskGraphBuilder::compute(OpPhase purpose, PartWork const& part, std::size_t accelerator,
                                 std::vector<TaskId> const& after) {
  Task task;
  task.op = purpose.op;
  task.phase = purpose.phase;
  task.passage = purpose.passage;
  task.accelerator = AcceleratorId{accelerator};
  task.destination = task.accelerator;

  auto compute = task;
  compute.kind = TaskKind::compute;
  compute.part = graph_.add_part(part);
  compute.operands = graph_.add_operands(part.addresses);
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

TaskGraphBuilder::Pair const& TaskGraphBuilder::pair_of(Exchange const& exchange) {
  auto const [from, to] = std::pair{exchange.from, exchange.to};
  auto const [known, is_new] = pairs_.try_emplace(std::uint64_t{from} << 32U | to);
  if (is_new) {
    known->second = {AcceleratorId{folding().representative(from)},
                     AcceleratorId{folding().representative(to)},
                     static_cast<std::uint8_t>(1 + hierarchy_.outermost_difference(from, to)),
                     maps_ ? maps_->distance(from, to) : 0};
  }
  return known->second;
}

TaskId TaskGraphBuilder::transfer(OpPhase purpose, Exchange const& exchange, Pair const& pair,
                                  Sending const& sending, std::vector<TaskId> const& after) {
  Task task;
  task.kind = TaskKind::transfer;
  task.op = purpose.op;
  task.phase = purpose.phase;
  task.passage = purpose.passage;
  task.level = pair.level;
  task.reduces = sending.reduces;
  task.rounds = static_cast<std::uint32_t>(sending.rounds);
  task.accelerator = pair.sender;
  task.destination = pair.receiver;
  task.bytes =
      element_size_ * exchange.elements.value() * static_cast<std::int64_t>(sending.rounds);
  if (maps_) task.rank = sending.step * hierarchy_.accelerators() + pair.distance;
  if (folds_a_network()) task.receiver = AcceleratorId{exchange.to};
  return graph_.add(task, after);
}

Frontier TaskGraphBuilder::exchange(OpPhase purpose, Members const& members,
                                    std::vector<ReshardStep> const& steps, Frontier ready) {
  Frontier begun;
  SentRounds sent{graph_.accelerators()};
  std::vector<TaskId> after;  // of an exchange
  for (auto const& step : steps) {
    if (step.exchanges.empty()) continue;
    if (!step.is_later_round) {
      begun = ready;
      sent.clear();
    }
    Sending const sending{exchange_steps_ + 1, step.rounds, step.reduces};
    exchange_steps_ += step.rounds;
    auto const first = sent.size();
    for (auto const& exchange : step.exchanges) {
      auto const& pair = pair_of(exchange);
      auto const from = pair.sender.index();
      after.assign(begun[from].begin(), begun[from].end());
      for (auto const earlier : exchange.after) after.push_back(sent[earlier]);
      leave_to_barrier(after, from);
      auto const task = transfer(purpose, exchange, pair, sending, after);
      sent.add(task, pair.sender, pair.receiver, exchange.after);
      auto& arrived = ready[pair.receiver.index()];
      if (auto const before = sent.passed_on_by_last()) take_out(arrived, *before);
      arrived.push_back(task);
    }
    for (std::size_t i = 0; step.rounds > 1 && i < step.exchanges.size(); ++i) {
      graph_.pass_on(sent[first + step.behind[i]], sent[first + i]);
    }
    end_stage(purpose, members, ready);
  }
  return ready;
}

Frontier TaskGraphBuilder::send(OpPhase purpose, Members const& senders,
                                std::vector<Exchange> const& exchanges, Frontier const& ready) {
  auto arrived = ready;  // receivers that hold their part already
  auto left = at_start();
  Sending const sending{++exchange_steps_};
  for (auto const& exchange : exchanges) {
    auto const& pair = pair_of(exchange);
    auto const from = pair.sender.index();
    auto after = ready[from];
    leave_to_barrier(after, from);
    auto const sent = transfer(purpose, exchange, pair, sending, after);
    cross(sent);
    arrived[pair.receiver.index()].push_back(sent);
    left[from].push_back(sent);
  }
  end_stage(purpose, senders, left);
  return arrived;
}

Frontier TaskGraphBuilder::meet(OpPhase purpose, Members const& a, Members const& b,
                                Frontier const& ready) {
  std::set<std::size_t> members{a.begin(), a.end()};
  members.insert(b.begin(), b.end());
  auto const barrier = graph_.add_barrier({members.begin(), members.end()});
  auto met = at_start();
  for (auto const accelerator : members) {
    auto after = ready[accelerator];
    leave_to_barrier(after, accelerator);
    met[accelerator] = {reach(barrier, purpose, accelerator, after)};
    cross(met[accelerator].front());
  }
  return met;
}

void TaskGraphBuilder::cross(TaskId task) {
  crosses_.resize(graph_.size(), false);
  crosses_[task.index()] = true;
}

TaskId TaskGraphBuilder::reach(BarrierId barrier, OpPhase purpose, std::size_t accelerator,
                               std::vector<TaskId> const& after) {
  Task task;
  task.kind = TaskKind::barrier;
  task.op = purpose.op;
  task.phase = purpose.phase;
  task.passage = purpose.passage;
  task.accelerator = AcceleratorId{accelerator};
  task.destination = task.accelerator;
  task.barrier = barrier;
  return graph_.add(task, after);
}

void TaskGraphBuilder::end_pass(Members const& members) {
  for (auto const accelerator : members) {
    if (computed_[accelerator].empty()) continue;
    last_pass_[accelerator] = std::move(computed_[accelerator]);
    computed_[accelerator].clear();
  }
}

Frontier TaskGraphBuilder::computed(Members const& members) const {
  auto frontier = at_start();
  for (auto const accelerator : members) {
    frontier[accelerator] = computed_[accelerator];
  }
  return frontier;
}

/// Without overlap: everybody waits until everybody is done.
void TaskGraphBuilder::end_stage(OpPhase purpose, Members const& members, Frontier const& done) {
  if (array_->execution.overlap == arch::ExecutionSpec::Overlap::communication) return;
  auto const barrier = graph_.add_barrier(members);
  std::vector<TaskId> reached;
  for (auto const accelerator : members) {
    auto after = done[accelerator];
    if (last_barrier_[accelerator]) after.push_back(*last_barrier_[accelerator]);
    reached.push_back(reach(barrier, purpose, accelerator, after));
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    last_barrier_[members[i]] = reached[i];
    auto& computed = computed_[members[i]];
    if (!computed.empty()) computed = {reached[i]};  // which stands for them
  }
}

Frontier both(Frontier a, Frontier b) {
  EXPECTS(a.size() == b.size(), a.size(), b.size());
  for (std::size_t accelerator = 0; accelerator < a.size(); ++accelerator) {
    auto& tasks = a[accelerator];
    auto& more = b[accelerator];
    if (tasks.empty()) tasks.swap(more);
    if (more.empty() || tasks == more) continue;
    std::vector<TaskId> all;
    all.reserve(tasks.size() + more.size());
    std::set_union(tasks.begin(), tasks.end(), more.begin(), more.end(), std::back_inserter(all));
    tasks = std::move(all);
  }
  return a;
}

}  // namespace tessera::sim
