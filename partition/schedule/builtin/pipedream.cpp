#include <algorithm>

#include "partition/schedule/builtin/pieces.hpp"
#include "partition/schedule/builtin/schedules.hpp"

namespace tessera::partition {

namespace {

/// The newest weights of `stage` that have no micro-batch in them which the input stage's do not
/// have when it passes this one forward.
std::int64_t version_of_input_stage(PipelineShape const& shape, std::size_t stage,
                                    std::int64_t micro_batch) {
  auto const replicas = static_cast<std::int64_t>(shape.replicas.front());
  auto const rounds = micro_batch / replicas - stage_warm_up(shape, 0);
  return std::max<std::int64_t>(rounds, 0) * replicas /
         static_cast<std::int64_t>(shape.replicas[stage]);
}

}  // namespace

std::optional<Refusal> PipeDream::refusal(PipelineShape const& shape) const {
  return refused_chunks(shape);
}

Order PipeDream::order(PipelineShape const& shape, std::size_t stage, std::size_t replica) const {
  auto const all = shape.micro_batches_in_all();
  auto const micro_batches = micro_batches_of(shape, stage, replica, 0, all);
  Order order;
  for (auto const& slot : one_forward_one_backward(micro_batches, stage_warm_up(shape, stage))) {
    order.push_back(slot);
    if (slot.pass == Pass::backward) order.push_back({Pass::update});
  }
  bool const sits_the_last_round_out =
      micro_batches.size() < micro_batches_of(shape, stage, 0, 0, all).size();
  if (sits_the_last_round_out) order.push_back({Pass::update});

  if (vertical_sync_ == ScheduleOptions::VerticalSync::off) {
    return on_newest_weights(std::move(order));
  }
  return on_weights(std::move(order), [&](std::int64_t micro_batch) {
    return version_of_input_stage(shape, stage, micro_batch);
  });
}

}  // namespace tessera::partition
