#include "partition/schedule/builtin/pieces.hpp"
#include "partition/schedule/builtin/schedules.hpp"

namespace tessera::partition {

std::optional<Refusal> OneForwardOneBackward::refusal(PipelineShape const& shape) const {
  return refused_chunks(shape);
}

Order OneForwardOneBackward::order(PipelineShape const& shape, std::size_t stage,
                                   std::size_t replica) const {
  return flushed(shape, stage, replica, [&](auto const& micro_batches) {
    return one_forward_one_backward(micro_batches, stage_warm_up(shape, stage));
  });
}

}  // namespace tessera::partition
