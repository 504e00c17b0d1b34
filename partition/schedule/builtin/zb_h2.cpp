#include "partition/schedule/builtin/pieces.hpp"
#include "partition/schedule/builtin/schedules.hpp"

namespace tessera::partition {

std::optional<Refusal> ZeroBubbleH2::refusal(PipelineShape const& shape) const {
  auto refusal = refused_chunks(shape);
  return refusal ? refusal : refused_unequal_replicas(shape);
}

Order ZeroBubbleH2::order(PipelineShape const& shape, std::size_t stage,
                          std::size_t replica) const {
  return flushed(shape, stage, replica, [&](auto const& micro_batches) {
    return zero_bubble(micro_batches, 2 * (shape.stages() - stage) - 1, 2 * stage);
  });
}

}  // namespace tessera::partition
