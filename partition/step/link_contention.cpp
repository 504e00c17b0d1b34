#include "partition/step/link_contention.hpp"

#include <algorithm>
#include <optional>

namespace tessera::partition {

using arch::LinkId;
using arch::NodeId;
using arch::Turn;

namespace {

std::vector<std::pair<std::size_t, std::size_t>> ends_of(ReshardStep const& step) {
  std::vector<std::pair<std::size_t, std::size_t>> ends;
  ends.reserve(step.exchanges.size());
  for (auto const& exchange : step.exchanges) ends.emplace_back(exchange.from, exchange.to);
  return ends;
}

/// Most rounds of a collective have the ends of the one before.
template <typename Ends, typename Value, typename WorkOut>
Value known(std::map<Ends, Value>& values, Ends ends, WorkOut work_out) {
  auto value = values.find(ends);
  if (value == values.end()) {
    auto worked_out = work_out(ends);
    value = values.emplace(std::move(ends), std::move(worked_out)).first;
  }
  return value->second;
}

}  // namespace

std::set<std::size_t> LinkContention::tied_dimensions(std::vector<ReshardStep> const& steps) {
  if (!is_tree_) {
    for (auto const& step : steps) {
      for (auto const& [from, to] : ends_of(step)) {
        if (known_.insert({from, to}).second) compare(from, to);
      }
    }
    if (uneven_.empty()) return {};
  }
  std::set<std::size_t> tied;
  for (auto const& step : steps) {
    auto const of_step =
        known(tied_, ends_of(step), [this](Ends const& it) { return tied_in(it); });
    tied.insert(of_step.begin(), of_step.end());
  }
  return tied;
}

bool LinkContention::mixes_flows(std::vector<ReshardStep> const& steps) {
  return std::any_of(steps.begin(), steps.end(), [this](ReshardStep const& step) {
    return known(mixes_, ends_of(step), [this](Ends const& it) { return mixes(it); });
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

std::set<std::size_t> LinkContention::tied_in(Ends const& ends) const {
  auto const passing = passing_in(ends);
  std::set<std::size_t> tied;
  bool is_by_sender = true;
  for (auto const& [key, senders] : passing) {
    for (std::size_t i = 0; i < grid_.dimensions(); ++i) {
      auto const place = grid_.place(senders.front(), i);
      bool const differ = std::any_of(senders.begin(), senders.end(), [&](std::size_t sender) {
        return grid_.place(sender, i) != place;
      });
      if (differ) tied.insert(i);
    }
    is_by_sender = is_by_sender && std::is_sorted(senders.begin(), senders.end());
  }
  // Shifts along dimensions in which they do not differ keep the order of their numbers.
  for (std::size_t i = 0; !is_by_sender && i < grid_.dimensions(); ++i) {
    if (tied.count(i) == 0 && !keeps_order(passing, i)) tied.insert(i);
  }
  return tied;
}

LinkContention::Passing LinkContention::passing_in(Ends const& ends) const {
  Passing passing;
  for (auto const& [from, to] : ends) {
    for (auto const turn : turns(from, to)) {
      Flow const flow{grid_.displacement(from, to), turn};
      if (!can_tie(flow)) continue;
      std::size_t hops = 0;
      for (auto const link : topology_.route(NodeId{from}, NodeId{to}, turn)) {
        passing[{flow, hops++, link}].push_back(from);
      }
    }
  }
  return passing;
}

/// Does a shift by a place map who passes a link onto who passes its image, one after another?
bool LinkContention::keeps_order(Passing const& passing, std::size_t dimension) const {
  auto const shift = grid_.along(dimension, 1);
  return std::all_of(passing.begin(), passing.end(), [&](auto const& entry) {
    auto const& [flow, hops, link] = entry.first;
    auto shifted = entry.second;
    for (auto& sender : shifted) sender = shift[sender];
    auto const from = shifted.front();
    auto const to = grid_.reached(from, flow.first);
    auto const route = topology_.route(NodeId{from}, NodeId{to}, flow.second);
    if (hops >= route.size()) return false;
    auto const image = passing.find({flow, hops, route[hops]});
    return image != passing.end() && image->second == shifted;
  });
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
