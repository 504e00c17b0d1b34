// A pipeline's orders against the clock, event by event: the twin of what runs them for real. It knows stages, times and messages,
// and nothing of tensors, tasks or memories.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/schedule/pipeline_program.hpp"

namespace tessera::test {

/// In any unit, of one micro-batch in one chunk.
struct PassTimes {
  std::int64_t forward = 0;
  std::int64_t backward_data = 0;
  std::int64_t backward_weight = 0;
  std::int64_t update = 0;

  /// Of everything that a micro-batch needs.
  [[nodiscard]] std::int64_t sum() const { return forward + backward_data + backward_weight; }
};

struct PipelineTimes {
  std::vector<PassTimes> stages;
  std::int64_t transfer = 0;  ///< from one stage to another
  /// Before that, how long a message takes to leave, on a link for each way between two replicas
  /// that has one at a time.
  std::int64_t leaving = 0;
  enum class Transfers {
    beside_computation,
    before_computation,          ///< the sender goes on when its message has arrived
    leaving_before_computation,  ///< or when it has left
  };
  Transfers transfers = Transfers::beside_computation;
  enum class Updates {
    in_order,       ///< the passes after one wait for it
    beside_passes,  ///< only those wait that are on its weights; it takes no time. Stages that the
                    ///< shape ties wait for messages of each other's, too
  };
  Updates updates = Updates::in_order;
  std::vector<std::int64_t> tied = {};  ///< the parts whose weights those ties are of
};

struct TimedSlot {
  partition::Slot slot;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

using Timeline = std::vector<std::vector<std::vector<TimedSlot>>>;  ///< per stage and replica

/// As far as it goes: an order that deadlocks stays shorter.
[[nodiscard]] Timeline run_pipeline(partition::PipelineProgram const& program,
                                    PipelineTimes const& times);

/// From the first begin to the last end of all.
[[nodiscard]] std::int64_t makespan(Timeline const& timeline);

/// The longest time from a replica's first begin to its last end, of all.
[[nodiscard]] std::int64_t longest_span(Timeline const& timeline);

}  // namespace tessera::test
