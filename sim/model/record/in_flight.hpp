// What an accelerator had in flight, measured from when its tasks were under way.
//
// A chunk of a micro-batch is in flight from the start of the first task of its forward pass to the end of the last one of its backward
// passes; a version of the weights from the start of the update that makes it (the first: from the start of the run) to the end of the
// last pass on it. Versions are counted operator by operator: the update of one layer may run before that of another of the round before.
#pragma once

#include "sim/model/control/schedule.hpp"
#include "sim/model/record/journal.hpp"

namespace tessera::sim {

/// At most at a time.
struct InFlight {
  std::int64_t activations = 0;      ///< chunks of micro-batches
  std::int64_t weight_versions = 0;  ///< of the operator that has most
};

/// Of an accelerator in a stage. Requires a run that is complete.
[[nodiscard]] InFlight in_flight(Schedule const& schedule, Journal const& journal,
                                 AcceleratorId accelerator, std::size_t stage);

/// Does a task work on tensors of its own accelerator? Else it moves something between two, or
/// waits.
[[nodiscard]] bool is_local(Task const& task);

}  // namespace tessera::sim
