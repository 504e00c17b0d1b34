#include "partition/schedule/pipeline_program.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tessera::partition {

bool operator==(Slot const& a, Slot const& b) {
  return std::tie(a.pass, a.micro_batch, a.chunk, a.version) ==
         std::tie(b.pass, b.micro_batch, b.chunk, b.version);
}

std::size_t replica_of(PipelineShape const& shape, std::size_t stage, std::int64_t micro_batch) {
  return static_cast<std::size_t>(micro_batch) % shape.replicas.at(stage);
}

std::vector<std::int64_t> micro_batches_of(PipelineShape const& shape, std::size_t stage,
                                           std::size_t replica, std::int64_t begin,
                                           std::int64_t end) {
  std::vector<std::int64_t> found;
  for (auto batch = begin; batch < end; ++batch) {
    if (replica_of(shape, stage, batch) == replica) found.push_back(batch);
  }
  return found;
}

Order on_newest_weights(Order order) {
  std::int64_t newest = 0;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> forward_on;
  for (auto& slot : order) {
    auto const passing = std::make_pair(slot.micro_batch, slot.chunk);
    if (slot.pass == Pass::update) {
      slot.version = ++newest;
    } else if (slot.pass == Pass::forward) {
      slot.version = forward_on[passing] = newest;
    } else {
      slot.version = forward_on[passing];
    }
  }
  return order;
}

Order on_weights(Order order, std::function<std::int64_t(std::int64_t)> const& version_of) {
  std::int64_t newest = 0;
  for (auto& slot : order) {
    slot.version = slot.pass == Pass::update ? ++newest : version_of(slot.micro_batch);
  }
  return order;
}

Order repeated(Order const& order, std::int64_t micro_batches, std::int64_t steps) {
  auto const updates = std::count_if(order.begin(), order.end(),
                                     [](Slot const& slot) { return slot.pass == Pass::update; });
  Order all;
  for (std::int64_t step = 0; step < steps; ++step) {
    for (auto slot : order) {
      if (slot.pass != Pass::update) slot.micro_batch += step * micro_batches;
      slot.version += step * updates;
      all.push_back(slot);
    }
  }
  return all;
}

Order with_split_backward(Order const& order) {
  Order split;
  for (auto const& slot : order) {
    split.push_back(slot);
    if (slot.pass != Pass::backward) continue;
    split.back().pass = Pass::backward_data;
    split.push_back(slot);
    split.back().pass = Pass::backward_weight;
  }
  return split;
}

}  // namespace tessera::partition
