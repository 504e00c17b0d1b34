#include <algorithm>

#include "partition/schedule/builtin/pieces.hpp"
#include "partition/schedule/builtin/schedules.hpp"

namespace tessera::partition {

std::optional<Refusal> TwoBufferedWeights::refusal(PipelineShape const& shape) const {
  if (auto refusal = refused_chunks(shape)) return refusal;
  if (auto refusal = refused_unequal_replicas(shape)) return refusal;
  auto const replicas = shape.replicas.front();
  auto const fewest = static_cast<std::int64_t>(shape.stages() * replicas);
  if (shape.micro_batches >= fewest) return {};
  return Refusal{"micro_batches",
                 std::to_string(shape.micro_batches) + " are too few for 2bw on " +
                     std::to_string(shape.stages()) + " stages" +
                     (replicas > 1 ? " of " + std::to_string(replicas) + " replicas" : "") +
                     " (with fewer than a replica has stages, two versions of the weights are not "
                     "enough); use at least " +
                     std::to_string(fewest)};
}

Order TwoBufferedWeights::order(PipelineShape const& shape, std::size_t stage,
                                std::size_t replica) const {
  auto const step_of = [&](std::int64_t micro_batch) { return micro_batch / shape.micro_batches; };
  auto const replicas = static_cast<std::int64_t>(shape.replicas[stage]);
  auto const micro_batches =
      micro_batches_of(shape, stage, replica, 0, shape.micro_batches_in_all());
  Order order;
  for (auto const& slot : one_forward_one_backward(micro_batches, stage_warm_up(shape, stage))) {
    order.push_back(slot);
    bool const ends_its_step = step_of(slot.micro_batch) != step_of(slot.micro_batch + replicas);
    if (slot.pass == Pass::backward && ends_its_step) order.push_back({Pass::update});
  }
  return on_weights(std::move(order), [&](std::int64_t micro_batch) {
    return std::max<std::int64_t>(step_of(micro_batch) - 1, 0);
  });
}

}  // namespace tessera::partition
