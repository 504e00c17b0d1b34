#include "partition/schedule/builtin/pieces.hpp"
#include "partition/schedule/builtin/schedules.hpp"

namespace tessera::partition {

std::optional<Refusal> GPipe::refusal(PipelineShape const& shape) const {
  return refused_chunks(shape);
}

Order GPipe::order(PipelineShape const& shape, std::size_t stage, std::size_t replica) const {
  return flushed(shape, stage, replica, [](auto const& micro_batches) {
    Order order;
    for (auto const batch : micro_batches) order.push_back({Pass::forward, batch});
    for (auto const batch : micro_batches) order.push_back({Pass::backward, batch});
    return order;
  });
}

}  // namespace tessera::partition
