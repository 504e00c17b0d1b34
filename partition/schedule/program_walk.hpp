// A walk over a pipeline's program: every slot of every replica once, each after all that it needs (order_check.hpp says what).
#pragma once

#include <functional>

#include "partition/schedule/pipeline_program.hpp"

namespace tessera::partition {

/// A slot whose turn it is.
struct Turn {
  std::size_t stage = 0;
  std::size_t replica = 0;  ///< of an update 0: it is one of all replicas
  Slot slot;
};

/// Calls `visit` with one slot after another: stages in turn, each as far as it gets. The k-th
/// update of a stage's replicas is one turn; where weights are tied over stages, what is on its
/// weights comes after those of all of them. Requires a program without a deadlock.
void walk(PipelineProgram const& program, std::function<void(Turn const&)> const& visit);

}  // namespace tessera::partition
