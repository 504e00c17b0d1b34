#include "partition/step/link_contention.hpp"

#include <algorithm>
#include <optional>

namespace tessera::partition {

using arch::LinkId;
using arch::NodeId;
using arch::Turn;

bool LinkContention::can_tie(std::vector<ReshardStep> const& steps) {
  std::set<std::pair<std::size_t, std::size_t>> ends;
  for (auto const& step : steps) {
    for (auto const& exchange : step.exchanges) ends.insert({exchange.from, exchange.to});
  }
  for (auto const& [from, to] : ends) {
    if (known_.insert({from, to}).second) compare(from, to);
  }
  Passing passing;
  return std::any_of(ends.begin(), ends.end(),
                     [&](auto const& pair) { return meets(pair.first, pair.second, passing); });
}

bool LinkContention::mixes_flows(std::vector<ReshardStep> const& steps) {
  return std::any_of(steps.begin(), steps.end(), [this](ReshardStep const& step) {
    Ends ends;
    for (auto const& exchange : step.exchanges) ends.emplace_back(exchange.from, exchange.to);
    auto known = mixes_.find(ends);
    if (known == mixes_.end()) {
      bool const mixes = this->mixes(ends);
      known = mixes_.emplace(std::move(ends), mixes).first;
    }
    return known->second;
  });
}

std::vector<Turn> LinkContention::turns(std::size_t from, std::size_t to) const {
  return topology_.has_two_ways(NodeId{from}, NodeId{to})
             ? std::vector<Turn>{Turn::positive, Turn::negative}
             : std::vector<Turn>{Turn::positive};
}

void LinkContention::compare(std::size_t from, std::size_t to) {
  for (auto const turn : turns(from, to)) {
    Path path;
    for (auto const link : topology_.route(NodeId{from}, NodeId{to}, turn)) {
      path.push_back(grid_.displacement(from, topology_.links()[link].to.index()));
    }
    Flow const flow{grid_.displacement(from, to), turn};
    auto const& first = paths_.try_emplace(flow, path).first->second;
    if (first != path) uneven_.insert(flow);
  }
}

bool LinkContention::meets(std::size_t from, std::size_t to, Passing& passing) const {
  if (uneven_.empty()) return false;
  for (auto const turn : turns(from, to)) {
    Flow const flow{grid_.displacement(from, to), turn};
    if (uneven_.count(flow) == 0) continue;
    std::size_t hops = 0;
    for (auto const link : topology_.route(NodeId{from}, NodeId{to}, turn)) {
      auto const [sender, is_first] = passing.try_emplace({flow, hops++, link}, from);
      if (!is_first && sender->second != from) return true;
    }
  }
  return false;
}

bool LinkContention::mixes(Ends const& ends) const {
  IdVector<LinkId, std::optional<Flow>> passing(topology_.links().size());
  for (auto const& [from, to] : ends) {
    for (auto const turn : turns(from, to)) {
      Flow const flow{grid_.displacement(from, to), turn};
      for (auto const link : topology_.route(NodeId{from}, NodeId{to}, turn)) {
        auto& first = passing[link];
        if (first && *first != flow) return true;
        first = flow;
      }
    }
  }
  return false;
}

}  // namespace tessera::partition
