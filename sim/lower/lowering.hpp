// The state of a lowering: which tasks have to be done before each accelerator's part of a tensor is there, and how computations and
// exchanges are appended.
#pragma once

#include <vector>

#include "arch/array_spec.hpp"
#include "partition/reshard.hpp"
#include "sim/task/task_graph.hpp"
#include "workloads/network.hpp"

namespace tessera::sim {

/// Per accelerator (of a folded array: per representative): the tasks after which its part of
/// something is there.
using Ready = std::vector<std::vector<TaskId>>;

/// On whose behalf tasks are added.
struct Purpose {
  workloads::OperatorId op;
  workloads::Phase phase = workloads::Phase::forward;
};

/// What one accelerator's part of a phase amounts to.
struct Work : Part {
  Macs macs{0};
  Elements read{0};     ///< elements of the tensors that the phase reads
  Elements written{0};  ///< elements of the tensor that it computes
};

/// Appends tasks to a graph. Without overlap every computation and every exchange ends with a
/// barrier and begins after the last one (HyPar: computation, then communication, level by level);
/// with overlap a task waits for its data only.
class Appender final {
 public:
  /// Appends the tasks of the representatives of `folding` only.
  Appender(arch::ArraySpec const& array, Folding const& folding, Bytes element_size);

  /// A load, a computation and a store on every accelerator that has work; on one that
  /// computes from memory, the computation alone.
  [[nodiscard]] Ready compute(Purpose purpose, std::vector<Work> const& work, Ready const& after);

  /// The steps of a reshard or an all-reduce, one after another.
  [[nodiscard]] Ready exchange(Purpose purpose, std::vector<partition::ReshardStep> const& steps,
                               Ready ready);

  /// Nothing to wait for.
  [[nodiscard]] Ready at_start() const { return Ready(graph_.accelerators()); }

  [[nodiscard]] TaskGraph take() { return std::move(graph_); }

 private:
  [[nodiscard]] TaskId compute(Purpose purpose, Work const& part, std::size_t accelerator,
                               std::vector<TaskId> const& after);
  [[nodiscard]] std::vector<TaskId> predecessors(std::vector<TaskId> const& data,
                                                 std::size_t accelerator) const;
  void end_stage(Purpose purpose, Ready const& done);

  arch::ArraySpec const* array_;
  Bytes element_size_;
  TaskGraph graph_;
  std::vector<TaskId> last_barrier_;  ///< per accelerator; empty before the first, and with overlap
};

/// Everything in `a` and everything in `b`.
[[nodiscard]] Ready both(Ready a, Ready const& b);

}  // namespace tessera::sim
