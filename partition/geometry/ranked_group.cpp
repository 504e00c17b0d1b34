// Places in a grid become ranks; messages in order of their rounds.
#include "partition/geometry/ranked_group.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tessera::partition {

namespace {

constexpr std::int64_t tree_chunks = 16;  // as in probe collective

/// A group as a part of a grid: its members row by row, the first dimension fastest.
class GroupGrid final {
 public:
  GroupGrid(Holders const& members, GroupCollective const& how) {
    if (how.coordinates.empty()) return;
    auto const dimensions = how.coordinates.front().size();
    for (std::size_t i = 0; i < dimensions; ++i) {
      std::set<std::size_t> places;
      for (auto const member : members) places.insert(how.coordinates[member][i]);
      if (places.size() > 1) add(i, {places.begin(), places.end()});
    }
    std::size_t size = 1;
    for (auto const& places : places_) size *= places.size();
    is_grid_ = size == members.size();
    coordinates_ = &how.coordinates;
  }

  /// Is there a member at each place?
  [[nodiscard]] bool is_grid() const { return is_grid_; }

  [[nodiscard]] std::vector<std::int64_t> shape() const {
    std::vector<std::int64_t> extents;
    for (auto const& places : places_) extents.push_back(static_cast<std::int64_t>(places.size()));
    return extents;
  }

  [[nodiscard]] std::size_t row_by_row(std::size_t member) const {
    std::size_t index = 0;
    for (auto i = places_.size(); i-- > 0;) index = index * places_[i].size() + place(member, i);
    return index;
  }

  /// Every second row backwards, so that who follows whom is a neighbour.
  [[nodiscard]] std::size_t there_and_back(std::size_t member) const {
    std::size_t index = 0;
    for (auto i = places_.size(); i-- > 0;) {
      auto const extent = places_[i].size();
      auto const at = place(member, i);
      index = index * extent + (index % 2 == 0 ? at : extent - 1 - at);
    }
    return index;
  }

 private:
  void add(std::size_t dimension, std::vector<std::size_t> places) {
    dimensions_.push_back(dimension);
    places_.push_back(std::move(places));
  }
  [[nodiscard]] std::size_t place(std::size_t member, std::size_t i) const {
    auto const& places = places_[i];
    auto const at = (*coordinates_)[member][dimensions_[i]];
    return static_cast<std::size_t>(std::lower_bound(places.begin(), places.end(), at) -
                                    places.begin());
  }

  bool is_grid_ = false;
  std::vector<std::vector<std::size_t>> const* coordinates_ = nullptr;
  std::vector<std::size_t> dimensions_;  ///< in which members differ
  std::vector<std::vector<std::size_t>> places_;
};

}  // namespace

RankedGroup ranked(arch::CollectiveKind kind, Holders members, GroupCollective const& how) {
  arch::CollectiveSpec spec;
  spec.kind = kind;
  spec.algorithm = how.algorithm;
  spec.chunks = tree_chunks;
  auto const order = how.algorithm->rank_order();
  bool const has_dimensions = order == arch::RankOrder::dimensions;
  GroupGrid const grid{members, how};
  if (grid.is_grid() && order != arch::RankOrder::by_number) {
    std::vector<std::pair<std::size_t, std::size_t>> by_index;
    for (auto const member : members) {
      by_index.emplace_back(has_dimensions ? grid.row_by_row(member) : grid.there_and_back(member),
                            member);
    }
    std::sort(by_index.begin(), by_index.end());
    std::transform(by_index.begin(), by_index.end(), members.begin(),
                   [](auto const& entry) { return entry.second; });
  }
  if (has_dimensions) {
    spec.shape = grid.is_grid()
                     ? grid.shape()
                     : std::vector<std::int64_t>{static_cast<std::int64_t>(members.size())};
  }
  return {std::move(members), std::move(spec)};
}

RankedGroup ranked_sum(Elements gradient, Holders members, GroupCollective const& how,
                       arch::SumPieces pieces) {
  auto group = ranked(arch::CollectiveKind::all_reduce, std::move(members), how);
  auto const ranks = static_cast<std::uint32_t>(group.members.size());
  auto const count = static_cast<std::int64_t>(pieces_of(group.spec, ranks).size());
  group.spec.size = size_in(pieces, gradient.value(), count);
  return group;
}

void RoundMerger::add(RankedGroup const& group) {
  bool const is_like_last =
      last_ && last_->members.size() == group.members.size() && last_->spec == group.spec;
  if (is_like_last) return add(group.members, groups_.back().messages);
  auto const ranks = static_cast<std::uint32_t>(group.members.size());
  add(group.members, collective_messages(group.spec, ranks));
  last_ = group;
}

void RoundMerger::add(Holders members, std::vector<arch::CollectiveMessage> messages) {
  last_.reset();
  add(std::move(members), std::make_shared<Messages const>(std::move(messages)));
}

void RoundMerger::add(Holders members, std::shared_ptr<Messages const> messages) {
  for (std::size_t id = 0; id < messages->size(); ++id) {
    auto const& message = (*messages)[id];
    bool const is_moved = message.size > 0 && message.from != message.to;
    if (is_moved) order_[{message.round, !message.reduces}].push_back({groups_.size(), id});
  }
  numbers_.emplace_back(messages->size());
  groups_.push_back({std::move(members), std::move(messages)});
}

std::vector<ReshardStep> RoundMerger::steps() {
  std::vector<ReshardStep> steps;
  for (auto const& [round, messages] : order_) {
    ReshardStep step{level_, !round.second, {}, !steps.empty()};
    step.exchanges.reserve(messages.size());
    for (auto const& [group, id] : messages) step.exchanges.push_back(exchange(group, id));
    steps.push_back(std::move(step));
  }
  return steps;
}

Exchange RoundMerger::exchange(std::size_t group, std::size_t id) {
  auto const& [members, messages] = groups_[group];
  auto const& message = (*messages)[id];
  Exchange exchange{members[message.from], members[message.to], Elements{message.size}};
  if (waits_ == Waits::left_out) return exchange;
  for (auto const earlier : message.after) collect(group, earlier, exchange.after);
  numbers_[group][id] = exchanges_++;
  return exchange;
}

/// What has no elements brings nothing to wait for; who waits for a join waits for what it joins.
void RoundMerger::collect(std::size_t group, std::size_t id,
                          std::vector<std::size_t>& after) const {
  auto const& message = (*groups_[group].messages)[id];
  if (message.from == message.to) {
    for (auto const earlier : message.after) collect(group, earlier, after);
  } else if (auto const number = numbers_[group][id]) {
    after.push_back(*number);
  }
}

}  // namespace tessera::partition
