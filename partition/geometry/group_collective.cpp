#include "partition/geometry/group_collective.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace tessera::partition {

using workloads::TensorId;

namespace {

constexpr std::int64_t tree_chunks = 16;  // as in probe collective

using Levels = std::vector<std::size_t>;  ///< 0 = top, outermost first

/// The accelerators that differ at `levels` only.
std::vector<Holders> groups_of(Hierarchy const& hierarchy, Levels const& levels,
                               Holders const& holders) {
  std::map<std::size_t, Holders> groups;  ///< by their first member, here or not
  std::size_t size = 1;
  for (auto const level : levels) size *= hierarchy.ways(level);
  for (auto const holder : holders) {
    auto first = holder;
    for (auto const level : levels) {
      first -= hierarchy.part(holder, level) * hierarchy.group_size(level + 1);
    }
    groups[first].push_back(holder);
  }
  std::vector<Holders> all;
  for (auto& [first, members] : groups) {
    EXPECTS(members.size() == size, first, members.size(), size);
    all.push_back(std::move(members));
  }
  return all;
}

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

/// A collective and who is which of its ranks.
struct RankedGroup {
  Holders members;
  CollectiveSpec spec;
};

RankedGroup ranked(CollectiveKind kind, Holders members, GroupCollective const& how) {
  CollectiveSpec spec;
  spec.kind = kind;
  spec.algorithm = how.algorithm;
  spec.chunks = tree_chunks;
  bool const goes_round = how.algorithm == CollectiveAlgorithm::ring ||
                          how.algorithm == CollectiveAlgorithm::bidirectional_ring;
  bool const is_torus = how.algorithm == CollectiveAlgorithm::torus;
  GroupGrid const grid{members, how};
  if (grid.is_grid() && (goes_round || is_torus)) {
    auto const index = [&](std::size_t member) {
      return is_torus ? grid.row_by_row(member) : grid.there_and_back(member);
    };
    std::sort(members.begin(), members.end(),
              [&](std::size_t a, std::size_t b) { return index(a) < index(b); });
  }
  if (is_torus) {
    spec.shape = grid.is_grid()
                     ? grid.shape()
                     : std::vector<std::int64_t>{static_cast<std::int64_t>(members.size())};
  }
  return {std::move(members), std::move(spec)};
}

/// Merges the rounds of groups that go at the same time.
class RoundMerger final {
 public:
  /// `level` is what the steps say of themselves.
  explicit RoundMerger(std::size_t level) : level_{level} {}

  void add(RankedGroup const& group) {
    auto const ranks = static_cast<std::uint32_t>(group.members.size());
    auto messages = collective_messages(group.spec, ranks);
    for (std::size_t id = 0; id < messages.size(); ++id) {
      auto const& message = messages[id];
      bool const is_moved = message.size > 0 && message.from != message.to;
      if (is_moved) order_[{message.round, !message.reduces}].push_back({groups_.size(), id});
    }
    numbers_.emplace_back(messages.size());
    groups_.push_back({group.members, std::move(messages)});
  }

  [[nodiscard]] std::vector<ReshardStep> steps() {
    std::vector<ReshardStep> steps;
    for (auto const& [round, messages] : order_) {
      ReshardStep step{level_, !round.second, {}, !steps.empty()};
      for (auto const& [group, id] : messages) step.exchanges.push_back(exchange(group, id));
      steps.push_back(std::move(step));
    }
    return steps;
  }

 private:
  struct Group {
    Holders members;
    std::vector<CollectiveMessage> messages;
  };

  Exchange exchange(std::size_t group, std::size_t id) {
    auto const& [members, messages] = groups_[group];
    auto const& message = messages[id];
    Exchange exchange{members[message.from], members[message.to], Elements{message.size}};
    for (auto const earlier : message.after) collect(group, earlier, exchange.after);
    numbers_[group][id] = exchanges_++;
    return exchange;
  }

  /// What has no elements brings nothing to wait for; who waits for a join waits for what it joins.
  void collect(std::size_t group, std::size_t id, std::vector<std::size_t>& after) const {
    auto const& message = groups_[group].messages[id];
    if (message.from == message.to) {
      for (auto const earlier : message.after) collect(group, earlier, after);
    } else if (auto const number = numbers_[group][id]) {
      after.push_back(*number);
    }
  }

  using Round = std::pair<std::uint32_t, bool>;  ///< number; does not reduce
  std::size_t level_;
  std::vector<Group> groups_;
  std::vector<std::vector<std::optional<std::size_t>>> numbers_;  ///< of exchanges, by message
  std::map<Round, std::vector<std::pair<std::size_t, std::size_t>>> order_;
  std::size_t exchanges_ = 0;
};

/// The reduce-scatter or gather of the levels that `first` to `last` change.
std::vector<ReshardStep> collective_of(Tiling const& tiling, TensorId tensor,
                                       std::vector<LayoutChange> const& changes,
                                       Holders const& receivers, GroupCollective const& how) {
  bool const reduces = changes.front().reduces();
  auto const kind = reduces ? CollectiveKind::reduce_scatter : CollectiveKind::all_gather;
  auto const& whole = reduces ? changes.front().before : changes.back().after;
  auto const& in_blocks = reduces ? changes.back().after : changes.front().before;
  Levels levels;
  for (auto const& change : changes) levels.push_back(change.level);
  RoundMerger merger{*std::min_element(levels.begin(), levels.end())};
  for (auto& members : groups_of(tiling.hierarchy(), levels, receivers)) {
    auto group = ranked(kind, std::move(members), how);
    for (auto const member : group.members) {
      group.spec.blocks.push_back(tiling.region(tensor, in_blocks, member).elements().value());
    }
    auto const& blocks = group.spec.blocks;
    group.spec.size = std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0});
    auto const all = tiling.region(tensor, whole, group.members.front()).elements().value();
    ENSURES(group.spec.size == all, group.spec.size, all);
    merger.add(group);
  }
  return merger.steps();
}

/// The changes from the first on that are of one collective.
std::vector<LayoutChange> alike(std::vector<LayoutChange> const& changes, std::size_t first) {
  auto const& one = changes[first];
  std::vector<LayoutChange> run;
  for (auto i = first; i < changes.size(); ++i) {
    bool const is_same = changes[i].reduces() == one.reduces() &&
                         (one.reduces() || changes[i].gathers() == one.gathers());
    if (!is_same) break;
    run.push_back(changes[i]);
  }
  return run;
}

}  // namespace

std::vector<ReshardStep> rounds_of(CollectiveSpec const& spec, Holders const& members) {
  RoundMerger merger{0};
  merger.add({members, spec});
  return merger.steps();
}

std::vector<ReshardStep> reshard(Tiling const& tiling, TensorId tensor, Layout const& from,
                                 Layout const& to, Holders const& receivers,
                                 GroupCollective const& how) {
  auto const changes = layout_changes(from, to);
  std::vector<ReshardStep> steps;
  for (std::size_t first = 0; first < changes.size();) {
    auto const run = alike(changes, first);
    first += run.size();
    bool const is_made = makes(how.algorithm, CollectiveKind::all_gather) &&
                         (run.front().reduces() || run.front().gathers());
    if (is_made) {
      append(steps, collective_of(tiling, tensor, run, receivers, how));
      continue;
    }
    for (auto const& change : run) append(steps, exchanges_at(tiling, tensor, change, receivers));
  }
  return steps;
}

std::vector<ReshardStep> all_reduce(Tiling const& tiling, TensorId gradient, Layout const& layout,
                                    Holders const& holders, GroupCollective const& how) {
  Levels levels;
  for (std::size_t level = 0; level < layout.size(); ++level) {
    if (layout[level].kind == Holding::Kind::partial) levels.push_back(level);
  }
  if (levels.empty()) return {};
  RoundMerger merger{levels.front()};
  for (auto& members : groups_of(tiling.hierarchy(), levels, holders)) {
    auto group = ranked(CollectiveKind::all_reduce, std::move(members), how);
    group.spec.size = tiling.region(gradient, layout, group.members.front()).elements().value();
    merger.add(group);
  }
  return merger.steps();
}

}  // namespace tessera::partition
