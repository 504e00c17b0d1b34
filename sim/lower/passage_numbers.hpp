// Numbers for tasks: which micro-batch, of which step, on which version of the weights (sim/task/task_graph.hpp: Passage).
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "partition/plan/plan.hpp"
#include "partition/step/step.hpp"
#include "sim/task/task_graph.hpp"

namespace tessera::sim {

/// Which micro-batch, and on which of the weights that updates have made.
struct MicroBatch {
  std::int64_t number = 0;
  std::int64_t version = 0;
};

class PassageNumbers final {
 public:
  PassageNumbers(partition::Step const& step, partition::Plan const& plan);

  /// Stages have the versions of a program. Else all have those that are asked with.
  void follow(partition::PipelineProgram const& program);

  [[nodiscard]] Passage of(partition::StagePart const& at, MicroBatch micro_batch) const;
  /// Where a conversion to another stage arrives.
  [[nodiscard]] Passage of_receiver(partition::ActionId id, MicroBatch micro_batch) const;

  /// Gradients of a micro-batch are there.
  void learn(partition::StageId stage, MicroBatch micro_batch);
  /// Of the gradients up to now.
  [[nodiscard]] Passage of_update(partition::StagePart const& at, std::int64_t version) const;

 private:
  using Key = std::tuple<std::size_t, std::int64_t, std::int64_t>;  // stage, chunk, micro-batch

  std::int64_t micro_batches_;                                     ///< of a step
  IdVector<partition::ActionId, partition::StagePart> receivers_;  ///< of conversions
  IdVector<partition::StageId, std::int64_t> learned_;             ///< micro-batches
  std::map<Key, std::int64_t> versions_;
};

}  // namespace tessera::sim
