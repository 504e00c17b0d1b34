#include "sim/outcome/transfer_shapes.hpp"

#include <algorithm>
#include <unordered_map>

namespace tessera::sim::outcome {

TransferShapes::TransferShapes(Outcome const& outcome, IdleTransfers& idle)
    : blueprint_{outcome.blueprint}, shape_of_{outcome.blueprint.schedule.graph().size()} {
  auto const& graph = outcome.blueprint.schedule.graph();
  std::unordered_map<Key, std::size_t, Hash> known;
  for (auto const id : graph.tasks().ids()) {
    auto const& task = graph.at(id);
    if (task.kind != TaskKind::transfer) continue;
    Key const key{task.accelerator, task.destination, end_of(task),   bytes_of_round(task),
                  int{task.level},  task.reduces,     task.rounds > 1};
    auto const [shape, is_new] = known.try_emplace(key, shapes_.size());
    if (is_new) shapes_.push_back(shape_of(task, idle));
    shape_of_[id] = shape->second;
  }
  lengths_ = lengths_with({});
}

TransferShapes::Shape TransferShapes::shape_of(Task const& example, IdleTransfers& idle) {
  Shape shape;
  shape.first_way = ways_.size();
  auto const& ways = idle.ways(example);
  auto const of_ways = idle.serialisations(example);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    auto const first = wires_.size();
    wires_.insert(wires_.end(), of_ways[i].begin(), of_ways[i].end());
    ways_.push_back({first, wires_.size(), ways[i].latency + idle.adding(example)});
    shape.rest = std::max(shape.rest, ways_.back().rest);
  }
  shape.end_way = ways_.size();
  bool const is_one = ways.size() == 1 && !ways.front().links.empty() && idle.is_exact(example);
  if (is_one) {
    shape.link = ways.front().links.front();
    shape.has_order = example.rounds == 1;
    auto const& link = blueprint_.topology.links()[*shape.link];
    shape.leaves = {link.level, bytes_of_round(example) / link.lane_bandwidth};
  }
  return shape;
}

TransferShapes::Lengths TransferShapes::lengths(Faster const& faster) const {
  return faster.is(ResourceKind::links) ? lengths_with(faster) : lengths_;
}

TransferShapes::Lengths TransferShapes::lengths_with(Faster const& faster) const {
  Lengths lengths;
  for (auto const& shape : shapes_) {
    Time whole{0};
    for (auto i = shape.first_way; i < shape.end_way; ++i) {
      auto const& way = ways_[i];
      Time wire{0};
      for (auto at = way.first; at < way.end; ++at) {
        wire = std::max(wire, faster.of_links(wires_[at].level, wires_[at].time));
      }
      whole = std::max(whole, wire + way.rest);
    }
    lengths.whole.push_back(whole);
    lengths.wire.push_back(whole - shape.rest);
    lengths.first.push_back(faster.of_links(shape.leaves.level, shape.leaves.time));
  }
  return lengths;
}

}  // namespace tessera::sim::outcome
