// The task graph: the contract between planning and simulation. What every accelerator does in one training step, and what must be
// done before it. Built by sim/lower, run by sim/shell; neither knows the other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arch/base/folding.hpp"
#include "arch/base/hash.hpp"
#include "arch/base/id.hpp"
#include "arch/base/quantity.hpp"
#include "sim/task/task_rows.hpp"
#include "workloads/operator.hpp"

namespace tessera::sim {

using AcceleratorId = Id<struct AcceleratorTag>;
using BarrierId = Id<struct BarrierTag>;
using PartId = Id<struct PartTag>;
using PassageId = Id<struct PassageTag>;
using OperandsId = Id<struct OperandsTag>;

enum class TaskKind : std::uint8_t {
  load,      ///< memory -> buffer, `bytes`
  compute,   ///< `macs` on the processing unit
  store,     ///< buffer -> memory, `bytes`
  transfer,  ///< `bytes` to `destination`; done when the last byte has arrived there
  barrier,   ///< done when all members of `barrier` have reached their tasks of it
};
[[nodiscard]] char const* name(TaskKind kind);

/// The share of an operator that an accelerator computes: the operator, with these loop bounds.
/// Accelerators with equal shares have the same part.
struct Part {
  workloads::OperatorId op;
  workloads::PerDim<std::int64_t> extents;

  friend bool operator==(Part const& a, Part const& b) {
    return a.op == b.op && a.extents == b.extents;
  }
};

/// No loop iteration is left: its accelerator's share of some dimension is nothing.
[[nodiscard]] bool is_empty(Part const& part);

/// A micro-batch on its way through a stage: what tasks are part of. Without stages the whole array
/// is one, and a step is one micro-batch.
struct Passage {
  std::size_t stage = 0;
  std::size_t chunk = 0;
  std::int64_t micro_batch = 0;  ///< of all steps; sum, update: the last whose gradients it takes
  std::int64_t step = 0;         ///< that the micro-batch is of
  std::int64_t version = 0;      ///< weights after so many updates; sum, update: those it makes
};

/// Where the matrices of a computation lie in its accelerator's memory
/// (sim/lower/address_book.hpp):
///                    a                  b         c
///   forward          input              weight    output
///   backward_data    error of output    weight    error of input
///   backward_weight  error of output    input     gradient of the weight
///   update           weight             gradient  new weight
/// where b of a product of two activations is the second. (A row-stationary array reads the two of
/// backward_weight the other way round, in the same way.)
using OperandAddresses = std::array<Bytes, 3>;

/// One piece of work of one accelerator. Fields that its kind does not mention are zero.
struct Task {
  TaskKind kind = TaskKind::compute;
  workloads::Phase phase = workloads::Phase::forward;
  std::uint8_t level = 0;       ///< transfer: hierarchy level, 1 at the top; else 0
  bool reduces = false;         ///< transfer: the receiver adds what arrives to what it has
  AcceleratorId accelerator;    ///< where it runs; transfer: the sender
  AcceleratorId destination;    ///< transfer: the receiver
  workloads::OperatorId op;     ///< on whose behalf
  BarrierId barrier;            ///< barrier only
  PartId part;                  ///< compute: what exactly, for units that model it; may be zero
  PassageId passage;            ///< of which micro-batch, in which stage
  OperandsId operands;          ///< compute: where, for units that model it; may be zero
  Macs macs{0};                 ///< compute
  Elements buffer_accesses{0};  ///< compute: elements read from and written to the on-chip buffer
  Bytes bytes{0};               ///< load, store, transfer: of all its rounds
  /// Transfer: it goes in so many messages of one size, of which each but the first waits for one
  /// that comes to its sender.
  std::uint32_t rounds = 1;
  TaskId next;  ///< of several rounds: what its destination sends on when one has come
  /// Transfer in a grid or a tree: of two that reach a link at once, the lower one goes first;
  /// later exchange steps have higher ranks, and of a step those that go equally far in one
  /// direction have one (where reflections or swaps are what it is folded by, in either direction).
  std::uint64_t rank = 0;
  /// Transfer in a folded network: the accelerator of the whole array to which its representative
  /// sends, of which `destination` is the representative.
  std::optional<AcceleratorId> receiver = {};
};

/// Tasks and their dependencies. Ids are a valid order: a task only depends on tasks with smaller
/// ids, except that the tasks of one barrier complete together. A task waits only for tasks of its
/// own accelerator and for transfers whose destination that is. The sender of a transfer is done
/// with it when the last byte has left, so that is what a later task of the sender waits for.
///
/// A pass round a ring is one transfer of each member, of several rounds: the first one goes when
/// the task is issued, each later one when what the member behind sent in the round before has
/// come. Others wait for all rounds.
///
/// The graph of a folded array has the tasks of the representatives only; every task stands for
/// those of all copies. A transfer between two copies of one representative is one to itself there:
/// what the representative sends is, mirrored, what it receives, and who waits for it waits for the
/// arrival.
class TaskGraph final {
 public:
  explicit TaskGraph(std::size_t accelerators) : TaskGraph{Folding{accelerators}} {}
  explicit TaskGraph(Folding const& folding)
      : folding_{folding}, accelerators_{folding.representatives()}, addressed_(accelerators_) {}

  /// Room for so many tasks: adding them moves none.
  void reserve(std::size_t tasks) {
    tasks_.reserve(tasks);
    after_.reserve(tasks);
  }
  /// Appends a task. Each predecessor must exist already and be local to the task's accelerator
  /// (see above); duplicates are merged. A transfer goes to another accelerator, or to a copy over
  /// the switch of its level; at most one task per member belongs to a barrier.
  TaskId add(Task task, std::vector<TaskId> const& after);
  /// Transfers of equally many rounds: what `transfer` brings, its destination sends on with
  /// `next`.
  void pass_on(TaskId transfer, TaskId next);
  /// Of all accelerators, each of which has one task of it.
  [[nodiscard]] BarrierId add_barrier();
  /// Of some.
  [[nodiscard]] BarrierId add_barrier(std::vector<std::size_t> const& members);
  /// The operators behind OperatorId and the size of their tensors' elements: names for describe(),
  /// which otherwise writes numbers, and what units need that model their mapping.
  void set_operators(IdVector<workloads::OperatorId, workloads::Operator> operators,
                     Bytes element_size);
  /// A part of an operator; one that is there already keeps its id.
  PartId add_part(Part const& part);
  /// One that is there already keeps its id. Id 0 is of what nobody added: a graph of one step.
  PassageId add_passage(Passage const& passage);
  /// Likewise. Number zero is of those that lie nowhere in particular: all at address 0.
  OperandsId add_operands(OperandAddresses const& addresses);
  /// The end of the addresses that the tensors of an accelerator take; 0 where none are given.
  void set_addressed(AcceleratorId accelerator, Bytes end) {
    addressed_.at(accelerator.index()) = end;
  }

  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  /// Those that the ids of accelerators count: of a folded array, the representatives.
  [[nodiscard]] std::size_t accelerators() const { return accelerators_; }
  [[nodiscard]] Folding const& folding() const { return folding_; }
  /// By accelerator.
  [[nodiscard]] IdVector<BarrierId, std::vector<bool>> const& barrier_members() const {
    return barrier_members_;
  }
  [[nodiscard]] Task const& at(TaskId id) const { return tasks_[id]; }
  [[nodiscard]] Part const& part(PartId id) const { return parts_[id]; }
  [[nodiscard]] Passage const& passage_of(TaskId id) const { return passages_[at(id).passage]; }
  [[nodiscard]] IdVector<PassageId, Passage> const& passages() const { return passages_; }
  [[nodiscard]] OperandAddresses const& operands(OperandsId id) const { return operands_[id]; }
  [[nodiscard]] Bytes addressed(AcceleratorId accelerator) const {
    return addressed_.at(accelerator.index());
  }
  [[nodiscard]] workloads::Operator const& operation(workloads::OperatorId id) const {
    return operators_[id];
  }
  [[nodiscard]] IdVector<workloads::OperatorId, workloads::Operator> const& operators() const {
    return operators_;
  }
  [[nodiscard]] Bytes element_size() const { return element_size_; }
  [[nodiscard]] IdVector<TaskId, Task> const& tasks() const { return tasks_; }
  /// What `id` waits for, in id order; valid until the next task is added.
  [[nodiscard]] TaskRange after(TaskId id) const { return after_.row(id.index()); }
  /// "transfer conv1.backward_weight (task 17)", and where there are several micro-batches
  /// "transfer conv1.backward_weight, micro-batch 3 (task 17)"
  [[nodiscard]] std::string describe(TaskId id) const;

  /// "accelerator-3", by its place in the whole array.
  [[nodiscard]] std::string describe(AcceleratorId id) const;

 private:
  using PartKey = std::array<std::int64_t, 1 + workloads::dim_count>;  ///< operator, extents
  using PassageKey = std::array<std::int64_t, 5>;                      ///< all of it
  using OperandsKey = std::array<std::int64_t, 3>;                     ///< likewise
  template <typename Key, typename Number>
  using Numbers = std::unordered_map<Key, Number, HashOfWords>;

  Folding folding_;
  std::size_t accelerators_;
  IdVector<TaskId, Task> tasks_;
  TaskRows after_;                                          ///< by task
  IdVector<BarrierId, std::vector<bool>> barrier_members_;  ///< by accelerator
  IdVector<BarrierId, std::vector<bool>> barrier_tasks_;    ///< by accelerator: has its task
  IdVector<PartId, Part> parts_;
  Numbers<PartKey, PartId> part_ids_;
  IdVector<PassageId, Passage> passages_{1};
  Numbers<PassageKey, PassageId> passage_ids_;
  bool has_micro_batches_ = false;  ///< several
  IdVector<OperandsId, OperandAddresses> operands_{1};
  Numbers<OperandsKey, OperandsId> operands_ids_{{OperandsKey{}, OperandsId{}}};
  std::vector<Bytes> addressed_;  ///< by accelerator
  IdVector<workloads::OperatorId, workloads::Operator> operators_;
  Bytes element_size_{0};
};

// Totals over all copies, for conservation laws.
[[nodiscard]] Macs macs_of(TaskGraph const& graph);
[[nodiscard]] Bytes transferred_in(TaskGraph const& graph);

/// Whether an accelerator receives something with a task: a transfer to it.
[[nodiscard]] inline bool arrives_at(Task const& task, AcceleratorId accelerator) {
  return task.kind == TaskKind::transfer && task.destination == accelerator;
}

/// Of a transfer: what a message of it carries.
[[nodiscard]] inline Bytes bytes_of_round(Task const& transfer) {
  return Bytes{transfer.bytes.value() / transfer.rounds};
}

/// Where a transfer ends: in a folded network in the whole array, else at its destination.
[[nodiscard]] inline AcceleratorId end_of(Task const& transfer) {
  return transfer.receiver.value_or(transfer.destination);
}

/// The accelerator whose dispatcher learns first that `task` is done: the destination of a
/// transfer, else where it runs.
[[nodiscard]] inline AcceleratorId completes_at(Task const& task) {
  return task.kind == TaskKind::transfer ? task.destination : task.accelerator;
}

}  // namespace tessera::sim
