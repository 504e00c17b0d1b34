#include "partition/schedule/builtin/pieces.hpp"

#include <algorithm>
#include <numeric>

namespace tessera::partition {

Order flushed(PipelineShape const& shape, std::size_t stage, std::size_t replica,
              StepOrder const& step) {
  Order order;
  for (std::int64_t k = 0; k < shape.steps; ++k) {
    auto const passes = step(micro_batches_of(shape, stage, replica, k * shape.micro_batches,
                                              (k + 1) * shape.micro_batches));
    order.insert(order.end(), passes.begin(), passes.end());
    order.push_back({Pass::update});
  }
  return on_newest_weights(std::move(order));
}

std::int64_t stage_warm_up(PipelineShape const& shape, std::size_t stage) {
  auto const begin = shape.replicas.begin() + static_cast<std::ptrdiff_t>(stage);
  auto const from_here = std::accumulate(begin, shape.replicas.end(), std::size_t{0});
  return static_cast<std::int64_t>((from_here - 1) / *begin);
}

Order one_forward_one_backward(std::vector<std::int64_t> const& micro_batches,
                               std::int64_t warm_up) {
  Order order;
  auto const ahead = std::min(static_cast<std::size_t>(warm_up), micro_batches.size());
  for (std::size_t i = 0; i < micro_batches.size() + ahead; ++i) {
    if (i < micro_batches.size()) order.push_back({Pass::forward, micro_batches[i]});
    if (i >= ahead) order.push_back({Pass::backward, micro_batches[i - ahead]});
  }
  return order;
}

Order zero_bubble(std::vector<std::int64_t> const& micro_batches, std::size_t ahead,
                  std::size_t later) {
  auto const count = micro_batches.size();
  Order order;
  std::size_t forwards = 0;
  std::size_t weights = 0;
  while (forwards < std::min(ahead, count)) {
    order.push_back({Pass::forward, micro_batches[forwards++]});
  }
  for (std::size_t i = 0; i < count; ++i) {
    order.push_back({Pass::backward_data, micro_batches[i]});
    if (i >= later) order.push_back({Pass::backward_weight, micro_batches[weights++]});
    if (forwards < count) order.push_back({Pass::forward, micro_batches[forwards++]});
  }
  while (weights < count) order.push_back({Pass::backward_weight, micro_batches[weights++]});
  return order;
}

std::optional<Refusal> refused_chunks(PipelineShape const& shape) {
  if (shape.chunks == 1) return {};
  return Refusal{"chunks", "this schedule has one chunk per stage; use interleaved-1f1b for " +
                               std::to_string(shape.chunks)};
}

std::optional<Refusal> refused_unequal_replicas(PipelineShape const& shape) {
  auto const& replicas = shape.replicas;
  auto const other = std::find_if(replicas.begin(), replicas.end(),
                                  [&](std::size_t count) { return count != replicas.front(); });
  if (other == replicas.end()) return {};
  return Refusal{"replicas", "stage " + std::to_string(other - replicas.begin()) + " has " +
                                 std::to_string(*other) + " and stage 0 has " +
                                 std::to_string(replicas.front()) +
                                 " (this schedule's stages have equally many); use gpipe, 1f1b or "
                                 "pipedream for unequal ones"};
}

}  // namespace tessera::partition
