#include "sim/outcome/round_times.hpp"

#include <map>

namespace tessera::sim::outcome {

RoundTimes::RoundTimes(Blueprint const& blueprint, TransferShapes const& shapes,
                       IdleTransfers const& idle)
    : graph_{blueprint.schedule.graph()},
      blueprint_{blueprint},
      idle_{idle},
      numbers_(graph_.size(), none) {
  std::map<std::size_t, std::uint32_t> of_shapes;
  for (auto const id : graph_.tasks().ids()) {
    if (graph_.at(id).rounds == 1) continue;
    numbers_[id] = count();
    of_shapes.try_emplace(shapes.of(id), count());
    shape_of_.push_back(shapes.of(id));
    ids_.push_back(id);
    EXPECTS(count() < none, ids_.size());
  }
  for (auto const& [shape, number] : of_shapes) first_of_shapes_.push_back(number);
  behind_.resize(ids_.size(), none);
  ahead_.resize(ids_.size(), none);
  for (std::uint32_t number = 0; number < count(); ++number) {
    auto const next = this->number(graph_.at(ids_[number]).next);
    EXPECTS(next != none && behind_[next] == none, ids_[number]);
    ahead_[number] = next;
    behind_[next] = number;
  }
  ring_of_.resize(ids_.size(), none);
  for (std::uint32_t first = 0; first < count(); ++first) {
    if (ring_of_[first] != none) continue;
    auto& ring = rings_.emplace_back();
    for (auto number = first; ring_of_[number] == none; number = ahead_[number]) {
      ring_of_[number] = static_cast<std::uint32_t>(rings_.size() - 1);
      ring.push_back(number);
    }
  }
}

RoundLengths RoundTimes::lengths(TransferShapes::Lengths const& lengths) const {
  RoundLengths all{lengths.whole, lengths.first, std::vector<Time>(lengths.whole.size())};
  for (auto const it : first_of_shapes_) {
    auto const& transfer = graph_.at(ids_[it]);
    auto const& [from, to] = std::pair{transfer.accelerator, transfer.destination};
    auto const begun = arrival_at_link(blueprint_.clock(from), idle_.router(from), Cycles{0});
    auto const& clock = blueprint_.clock(to);
    auto const heard = clock.arrival_edge(begun + lengths.whole[shape(it)]);
    all.hand_over[shape(it)] = arrival_at_link(clock, idle_.router(to), heard) - begun;
  }
  return all;
}

}  // namespace tessera::sim::outcome
