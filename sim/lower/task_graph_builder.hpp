// Appends the tasks of computations and exchanges, and keeps account of which tasks must be done before each accelerator's part of a
// tensor is there.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "arch/array/array_spec.hpp"
#include "arch/array/folding_maps.hpp"
#include "partition/geometry/reshard.hpp"
#include "sim/lower/part_work.hpp"
#include "sim/task/task_graph.hpp"

namespace tessera::sim {

/// Per accelerator (of a folded array: per representative): the tasks after which its part of
/// something is there, in ascending order, each once.
using Frontier = std::vector<std::vector<TaskId>>;

/// Everything in `a` and everything in `b`.
[[nodiscard]] Frontier both(Frontier a, Frontier b);

/// Accelerators (representatives), by number.
using Members = std::vector<std::size_t>;

/// On whose behalf tasks are added.
struct OpPhase {
  workloads::OperatorId op;
  workloads::Phase phase = workloads::Phase::forward;
  PassageId passage = {};
};

/// Without overlap every computation and every exchange of a stage ends with a barrier and begins
/// after the last one (HyPar: computation, then communication, level by level); with overlap a task
/// waits for its data only. Either way computations wait for those of the pass before, where an
/// accelerator has an order of passes.
class TaskGraphBuilder final {
 public:
  /// Appends the tasks of the representatives of `folding` only.
  TaskGraphBuilder(arch::ArraySpec const& array, Folding const& folding, Bytes element_size);

  /// A load, a computation and a store on every member that has work (`work` is in the order of
  /// `members`); on one that computes from memory, the computation alone. The result is there for
  /// members only.
  [[nodiscard]] Frontier compute(OpPhase purpose, Members const& members,
                                 std::vector<PartWork> const& work, Frontier after);

  /// The steps of a reshard or a sum between `members`, one after another; with overlap, exchanges
  /// in later rounds of a collective wait for those that they name only. Exchanges are between
  /// accelerators of the whole array; in a folded network, representatives send them.
  [[nodiscard]] Frontier exchange(OpPhase purpose, Members const& members,
                                  std::vector<partition::ReshardStep> const& steps, Frontier ready);

  /// The exchanges from `senders` to others, all at once: what is there afterwards.
  [[nodiscard]] Frontier send(OpPhase purpose, Members const& senders,
                              std::vector<partition::Exchange> const& exchanges,
                              Frontier const& ready);

  /// A barrier of the members of two stages, each of which reaches it when it has what is `ready`,
  /// beside whatever else it does.
  [[nodiscard]] Frontier meet(OpPhase purpose, Members const& a, Members const& b,
                              Frontier const& ready);

  /// Accelerators have an order of passes: end_pass() will be called. Updates are in none.
  void order_passes() { orders_passes_ = true; }

  /// Ends a pass of `members`: their computations from now on wait for those up to now.
  void end_pass(Members const& members);

  /// What the pass of `members` has computed up to now, for those who wait until it is over.
  [[nodiscard]] Frontier computed(Members const& members) const;

  [[nodiscard]] PassageId add_passage(Passage const& passage) {
    return graph_.add_passage(passage);
  }

  /// The tensors of a member take the addresses up to `end`.
  void set_addressed(std::size_t accelerator, Bytes end) {
    graph_.set_addressed(AcceleratorId{accelerator}, end);
  }
  [[nodiscard]] Bytes addressed(std::size_t accelerator) const {
    return graph_.addressed(AcceleratorId{accelerator});
  }

  /// So many tasks are going to be added, or more.
  void expect(std::size_t tasks) { graph_.reserve(tasks); }

  /// Nothing to wait for.
  [[nodiscard]] Frontier at_start() const { return Frontier(graph_.accelerators()); }

  [[nodiscard]] Folding const& folding() const { return graph_.folding(); }
  /// Then exchanges are sent by representatives, and say whom in the whole array they reach.
  [[nodiscard]] bool folds_a_network() const {
    return !folding().is_trivial() && array_->fabric.topology != arch::FabricSpec::Topology::htree;
  }
  /// How accelerators lie in a grid or a tree whose links carry whole messages.
  [[nodiscard]] arch::Translations const* grid() const { return maps_ ? &maps_->grid() : nullptr; }
  [[nodiscard]] TaskGraph take() { return std::move(graph_); }

 private:
  /// Two accelerators of the whole array between whom something is exchanged.
  struct Pair {
    AcceleratorId sender;        ///< of the graph
    AcceleratorId receiver;      ///< likewise
    std::uint8_t level = 0;      ///< Task::level
    std::uint64_t distance = 0;  ///< in a grid or a tree
  };

  /// An exchange step, or several rounds of one.
  struct Sending {
    std::uint64_t step = 0;  ///< the number of the first, from 1 on
    std::size_t rounds = 1;
    bool reduces = false;
  };

  [[nodiscard]] TaskId compute(OpPhase purpose, PartWork const& part, std::size_t accelerator,
                               std::vector<TaskId> const& after);
  [[nodiscard]] Pair const& pair_of(partition::Exchange const& exchange);
  [[nodiscard]] TaskId transfer(OpPhase purpose, partition::Exchange const& exchange,
                                Pair const& pair, Sending const& sending,
                                std::vector<TaskId> const& after);
  void add_computed(TaskId task, std::vector<TaskId> const& before, std::size_t accelerator);
  void leave_to_barrier(std::vector<TaskId>& after, std::size_t accelerator) const;
  TaskId reach(BarrierId barrier, OpPhase purpose, std::size_t accelerator,
               std::vector<TaskId> const& after);
  void cross(TaskId task);
  void end_stage(OpPhase purpose, Members const& members, Frontier const& done);

  arch::ArraySpec const* array_;
  Hierarchy hierarchy_;
  Bytes element_size_;
  TaskGraph graph_;
  std::optional<arch::FoldingMaps> maps_;  ///< whose links carry whole messages
  std::uint64_t exchange_steps_ = 0;       ///< that have begun
  std::unordered_map<std::uint64_t, Pair> pairs_;
  std::vector<bool> crosses_;  ///< per task, as far as any does: waits for another stage
  std::vector<std::optional<TaskId>> last_barrier_;  ///< per accelerator; none with overlap
  bool orders_passes_ = false;
  std::vector<std::vector<TaskId>> computed_;   ///< per accelerator: what ends its pass, up to now
  std::vector<std::vector<TaskId>> last_pass_;  ///< per accelerator: what ended it
};

}  // namespace tessera::sim
