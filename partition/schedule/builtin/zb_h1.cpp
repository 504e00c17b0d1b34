#include "partition/schedule/builtin/pieces.hpp"
#include "partition/schedule/builtin/schedules.hpp"

namespace tessera::partition {

std::optional<Refusal> ZeroBubbleH1::refusal(PipelineShape const& shape) const {
  auto refusal = refused_chunks(shape);
  return refusal ? refusal : refused_unequal_replicas(shape);
}

Order ZeroBubbleH1::order(PipelineShape const& shape, std::size_t stage,
                          std::size_t replica) const {
  return flushed(shape, stage, replica, [&](auto const& micro_batches) {
    return zero_bubble(micro_batches, shape.stages() - stage, stage);
  });
}

}  // namespace tessera::partition
