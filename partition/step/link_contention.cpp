#include "partition/step/link_contention.hpp"

#include <algorithm>
#include <iterator>
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
Value const& known(std::map<Ends, Value>& values, Ends ends, WorkOut work_out) {
  auto value = values.find(ends);
  if (value == values.end()) {
    auto worked_out = work_out(ends);
    value = values.emplace(std::move(ends), std::move(worked_out)).first;
  }
  return value->second;
}

}  // namespace

LinkContention::Ties LinkContention::ties(std::vector<ReshardStep> const& steps) {
  Ties all;
  if (!has_switches_) {
    for (auto const& step : steps) {
      for (auto const& [from, to] : ends_of(step)) {
        if (known_.insert({from, to}).second) compare(from, to);
      }
    }
    if (uneven_.empty()) return all;
  }
  for (auto const& step : steps) {
    auto const& of_step =
        known(ties_, ends_of(step), [this](Ends const& it) { return ties_in(it); });
    all.dimensions.insert(of_step.dimensions.begin(), of_step.dimensions.end());
    if (!of_step.out_of_order.empty()) all.out_of_order.push_back(&of_step.out_of_order);
  }
  return all;
}

bool LinkContention::keeps_order(Ties const& ties, std::vector<std::size_t> const& map) const {
  // Of those who do not differ along its dimensions it keeps the order of their numbers.
  auto const& passing = ties.out_of_order;
  return std::all_of(passing.begin(), passing.end(),
                     [&](Passing const* of_step) { return keeps_order(*of_step, map); });
}

bool LinkContention::keeps_displacements(std::vector<ReshardStep> const& steps,
                                         std::vector<std::size_t> const& map) const {
  return std::all_of(steps.begin(), steps.end(), [&](ReshardStep const& step) {
    return std::all_of(step.exchanges.begin(), step.exchanges.end(), [&](Exchange const& it) {
      return grid_.displacement(map[it.from], map[it.to]) == grid_.displacement(it.from, it.to);
    });
  });
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

LinkContention::TiesOfStep LinkContention::ties_in(Ends const& ends) const {
  TiesOfStep ties;
  auto passing = passing_in(ends);
  bool is_by_sender = true;
  for (auto entry = passing.begin(); entry != passing.end();) {
    auto const& senders = entry->second;
    for (std::size_t i = 0; i < grid_.dimensions(); ++i) {
      auto const place = grid_.place(senders.front(), i);
      bool const differ = std::any_of(senders.begin(), senders.end(), [&](std::size_t sender) {
        return grid_.place(sender, i) != place;
      });
      if (differ) ties.dimensions.insert(i);
    }
    is_by_sender = is_by_sender && std::is_sorted(senders.begin(), senders.end());
    entry = senders.size() > 1 ? std::next(entry) : passing.erase(entry);
  }
  if (!is_by_sender) ties.out_of_order = std::move(passing);
  return ties;
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

/// Does a map take those who pass a link to those who pass its image, one after another?
bool LinkContention::keeps_order(Passing const& passing,
                                 std::vector<std::size_t> const& map) const {
  return std::all_of(passing.begin(), passing.end(), [&](auto const& entry) {
    auto const& [flow, hops, link] = entry.first;
    auto senders = entry.second;
    auto const to = map[grid_.reached(senders.front(), flow.first)];
    for (auto& sender : senders) sender = map[sender];
    auto const from = senders.front();
    auto const route = topology_.route(NodeId{from}, NodeId{to}, flow.second);
    if (hops >= route.size()) return false;
    auto const image =
        passing.find({{grid_.displacement(from, to), flow.second}, hops, route[hops]});
    return image != passing.end() && image->second == senders;
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
