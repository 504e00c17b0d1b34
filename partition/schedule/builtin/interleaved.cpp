#include <algorithm>

#include "partition/schedule/builtin/pieces.hpp"
#include "partition/schedule/builtin/schedules.hpp"

namespace tessera::partition {

namespace {

/// A stage's i-th passes of one step: p micro-batches through each chunk in turn, then the next p.
class Passes final {
 public:
  Passes(std::vector<std::int64_t> const& micro_batches, PipelineShape const& shape)
      : micro_batches_{micro_batches}, stages_{shape.stages()}, chunks_{shape.chunks} {}

  [[nodiscard]] std::size_t size() const {
    return micro_batches_.size() * static_cast<std::size_t>(chunks_);
  }
  [[nodiscard]] Slot forward(std::size_t i) const {
    return {Pass::forward, micro_batch(i), chunk(i)};
  }
  [[nodiscard]] Slot backward(std::size_t i) const {
    return {Pass::backward, micro_batch(i), chunks_ - 1 - chunk(i)};
  }

 private:
  [[nodiscard]] std::int64_t chunk(std::size_t i) const {
    return static_cast<std::int64_t>(i / stages_) % chunks_;
  }
  [[nodiscard]] std::int64_t micro_batch(std::size_t i) const {
    auto const group = i / stages_ / static_cast<std::size_t>(chunks_);
    return micro_batches_[group * stages_ + i % stages_];
  }

  std::vector<std::int64_t> const& micro_batches_;
  std::size_t stages_;
  std::int64_t chunks_;
};

}  // namespace

std::optional<Refusal> Interleaved::refusal(PipelineShape const& shape) const {
  if (shape.chunks == 1) {
    return Refusal{"chunks", "interleaved-1f1b has at least 2 chunks per stage; use 1f1b for one"};
  }
  if (auto refusal = refused_unequal_replicas(shape)) return refusal;
  auto const group = static_cast<std::int64_t>(shape.stages() * shape.replicas.front());
  auto const rest = shape.micro_batches % group;
  if (rest == 0) return {};
  auto const more = shape.micro_batches - rest + group;
  auto const fewer = shape.micro_batches - rest;
  return Refusal{
      "micro_batches",
      std::to_string(shape.micro_batches) + " is not a multiple of " + std::to_string(group) +
          " (interleaved-1f1b takes as many through a chunk as there are stages, in each "
          "replica); use " +
          (fewer > 0 ? std::to_string(fewer) + " or " : "") + std::to_string(more)};
}

Order Interleaved::order(PipelineShape const& shape, std::size_t stage, std::size_t replica) const {
  auto const stages = shape.stages();
  auto const chunks = static_cast<std::size_t>(shape.chunks);
  auto const warm_up = 2 * (stages - 1 - stage) + (chunks - 1) * stages;
  return flushed(shape, stage, replica, [&](auto const& micro_batches) {
    Passes const passes{micro_batches, shape};
    auto const ahead = std::min(warm_up, passes.size());
    Order order;
    for (std::size_t i = 0; i < passes.size() + ahead; ++i) {
      if (i < passes.size()) order.push_back(passes.forward(i));
      if (i >= ahead) order.push_back(passes.backward(i - ahead));
    }
    return order;
  });
}

}  // namespace tessera::partition
