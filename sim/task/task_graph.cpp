// Building a task graph: every rule of its header is checked as a task is added.
#include "sim/task/task_graph.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

/// Fields that the kind does not mention are zero.
void expect_fields_of_kind(Task const& task) {
  bool const computes = task.kind == TaskKind::compute;
  bool const transfers = task.kind == TaskKind::transfer;
  bool const moves = transfers || task.kind == TaskKind::load || task.kind == TaskKind::store;
  EXPECTS(task.macs >= Macs{0} && (computes || task.macs == Macs{0}), task.macs);
  EXPECTS(task.buffer_accesses >= Elements{0}, task.buffer_accesses);
  EXPECTS(computes || task.buffer_accesses == Elements{0}, task.buffer_accesses);
  EXPECTS(task.bytes >= Bytes{0} && (moves || task.bytes == Bytes{0}), task.bytes);
  EXPECTS(transfers || (task.level == 0 && !task.reduces), int{task.level}, task.reduces);
  EXPECTS(task.rounds == 1 || transfers, task.rounds);
  EXPECTS(task.rounds > 0 && task.bytes.value() % task.rounds == 0, task.rounds, task.bytes);
}

}  // namespace

char const* name(TaskKind kind) {
  switch (kind) {
    case TaskKind::load:
      return "load";
    case TaskKind::compute:
      return "compute";
    case TaskKind::store:
      return "store";
    case TaskKind::transfer:
      return "transfer";
    case TaskKind::barrier:
      return "barrier";
  }
  return "unknown";
}

bool is_empty(Part const& part) {
  return std::any_of(workloads::all_dims.begin(), workloads::all_dims.end(),
                     [&](auto const dim) { return part.extents[dim] == 0; });
}

BarrierId TaskGraph::add_barrier() {
  barrier_tasks_.push_back(std::vector<bool>(accelerators_, false));
  return barrier_members_.push_back(std::vector<bool>(accelerators_, true));
}

BarrierId TaskGraph::add_barrier(std::vector<std::size_t> const& members) {
  barrier_tasks_.push_back(std::vector<bool>(accelerators_, false));
  auto const barrier = barrier_members_.push_back(std::vector<bool>(accelerators_, false));
  for (auto const member : members) barrier_members_[barrier].at(member) = true;
  return barrier;
}

TaskId TaskGraph::add(Task task, std::vector<TaskId> const& after) {
  EXPECTS(task.accelerator.index() < accelerators_, task.accelerator, accelerators_);
  expect_fields_of_kind(task);
  if (task.kind == TaskKind::transfer) {
    EXPECTS(task.destination.index() < accelerators_, task.destination, accelerators_);
    EXPECTS(task.destination != task.accelerator || !folding_.is_trivial(), task.destination);
  }
  if (task.kind == TaskKind::barrier) {
    auto const member = task.accelerator.index();
    EXPECTS(barrier_members_[task.barrier][member], task.barrier, task.accelerator);
    EXPECTS(!barrier_tasks_[task.barrier][member], task.barrier, task.accelerator);
    barrier_tasks_[task.barrier][member] = true;
  }
  for (TaskId const id : after) {
    Task const& before = tasks_[id];
    EXPECTS(before.accelerator == task.accelerator || completes_at(before) == task.accelerator,
            tasks_.size(), id, before.accelerator, task.accelerator);
  }
  after_.add(after);
  return tasks_.push_back(task);
}

void TaskGraph::pass_on(TaskId transfer, TaskId next) {
  auto& brings = tasks_[transfer];
  auto const& sends = tasks_[next];
  EXPECTS(brings.rounds > 1 && brings.rounds == sends.rounds, brings.rounds, sends.rounds);
  EXPECTS(brings.destination == sends.accelerator, transfer, next);
  brings.next = next;
}

void TaskGraph::set_operators(IdVector<workloads::OperatorId, workloads::Operator> operators,
                              Bytes element_size) {
  operators_ = std::move(operators);
  element_size_ = element_size;
}

PartId TaskGraph::add_part(Part const& part) {
  PartKey key{static_cast<std::int64_t>(part.op.index())};
  auto* extent = key.data();
  for (auto const dim : workloads::all_dims) *++extent = part.extents[dim];
  auto const [known, is_new] = part_ids_.try_emplace(key, PartId{parts_.size()});
  if (is_new) parts_.push_back(part);
  return known->second;
}

PassageId TaskGraph::add_passage(Passage const& passage) {
  PassageKey const key{static_cast<std::int64_t>(passage.stage),
                       static_cast<std::int64_t>(passage.chunk), passage.micro_batch, passage.step,
                       passage.version};
  auto const [known, is_new] = passage_ids_.try_emplace(key, passages_.size());
  if (is_new) passages_.push_back(passage);
  has_micro_batches_ = has_micro_batches_ || passage.micro_batch > 0;
  return known->second;
}

OperandsId TaskGraph::add_operands(OperandAddresses const& addresses) {
  OperandsKey key{};
  std::transform(addresses.begin(), addresses.end(), key.begin(),
                 [](Bytes address) { return address.value(); });
  auto const [known, is_new] = operands_ids_.try_emplace(key, OperandsId{operands_.size()});
  if (is_new) operands_.push_back(addresses);
  return known->second;
}

std::string TaskGraph::describe(TaskId id) const {
  Task const& task = at(id);
  std::string const op_name = task.op.index() < operators_.size()
                                  ? operators_[task.op].name
                                  : "operator-" + std::to_string(task.op.index());
  std::string const micro_batch =
      has_micro_batches_ ? ", micro-batch " + std::to_string(passage_of(id).micro_batch) : "";
  return std::string{name(task.kind)} + ' ' + op_name + '.' + workloads::name(task.phase) +
         micro_batch + " (task " + std::to_string(id.index()) + ')';
}

std::string TaskGraph::describe(AcceleratorId id) const {
  return "accelerator-" + std::to_string(folding_.accelerator(id.index()));
}

Macs macs_of(TaskGraph const& graph) {
  Macs sum{0};
  for (Task const& task : graph.tasks()) sum += task.macs;
  return sum * static_cast<std::int64_t>(graph.folding().copies());
}

Bytes transferred_in(TaskGraph const& graph) {
  Bytes sum{0};
  for (Task const& task : graph.tasks()) {
    if (task.kind == TaskKind::transfer) sum += task.bytes;
  }
  return sum * static_cast<std::int64_t>(graph.folding().copies());
}

}  // namespace tessera::sim
