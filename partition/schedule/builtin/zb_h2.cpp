#include <algorithm>

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
    auto const count = micro_batches.size();
    auto const ahead = std::min(2 * (shape.stages() - stage) - 1, count);
    Order order;
    std::size_t weights = 0;
    for (std::size_t i = 0; i < ahead; ++i) order.push_back({Pass::forward, micro_batches[i]});
    for (std::size_t i = 0; i < count; ++i) {
      order.push_back({Pass::backward_data, micro_batches[i]});
      if (i >= 2 * stage) order.push_back({Pass::backward_weight, micro_batches[weights++]});
      if (i + ahead < count) order.push_back({Pass::forward, micro_batches[i + ahead]});
    }
    while (weights < count) order.push_back({Pass::backward_weight, micro_batches[weights++]});
    return order;
  });
}

}  // namespace tessera::partition
