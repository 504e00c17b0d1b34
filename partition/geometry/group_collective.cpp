#include "partition/geometry/group_collective.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "partition/geometry/held_parts.hpp"
#include "partition/geometry/ranked_group.hpp"

namespace tessera::partition {

using workloads::TensorId;

namespace {

using Levels = std::vector<std::size_t>;  ///< 0 = top, outermost first

/// The accelerators that differ at `levels` only.
std::vector<Holders> groups_of(Hierarchy const& hierarchy, Levels const& levels,
                               Holders const& holders) {
  std::map<std::size_t, Holders> groups;  ///< by their first member, here or not
  std::size_t size = 1;
  for (auto const level : levels) size *= hierarchy.ways(level);
  for (auto const holder : holders) groups[hierarchy.first_like(holder, levels)].push_back(holder);
  std::vector<Holders> all;
  for (auto& [first, members] : groups) {
    EXPECTS(members.size() == size, first, members.size(), size);
    all.push_back(std::move(members));
  }
  return all;
}

arch::CollectiveKind kind_of(LayoutChange const& change) {
  return change.reduces() ? arch::CollectiveKind::reduce_scatter : arch::CollectiveKind::all_gather;
}

/// The reduce-scatter or gather of the levels that changes are of.
std::vector<ReshardStep> collective_of(Tiling const& tiling, TensorId tensor,
                                       std::vector<LayoutChange> const& changes,
                                       Holders const& receivers, GroupCollective const& how,
                                       Waits waits) {
  bool const reduces = changes.front().reduces();
  auto const& whole = reduces ? changes.front().before : changes.back().after;
  auto const& in_blocks = reduces ? changes.back().after : changes.front().before;
  Levels levels;
  for (auto const& change : changes) levels.push_back(change.level);
  HeldParts held_in_blocks{tiling, tensor, in_blocks};
  HeldParts held_whole{tiling, tensor, whole};
  RoundMerger merger{*std::min_element(levels.begin(), levels.end()), waits};
  for (auto& members : groups_of(tiling.hierarchy(), levels, receivers)) {
    auto group = ranked(kind_of(changes.front()), std::move(members), how);
    for (auto const member : group.members) {
      group.spec.blocks.push_back(held_in_blocks.elements(member).value());
    }
    auto const& blocks = group.spec.blocks;
    group.spec.size = std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0});
    auto const all = held_whole.elements(group.members.front()).value();
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

Levels summed_levels(Layout const& layout) {
  Levels levels;
  for (std::size_t level = 0; level < layout.size(); ++level) {
    if (layout[level].kind == Holding::Kind::partial) levels.push_back(level);
  }
  return levels;
}

std::vector<RankedGroup> summing_groups(Tiling const& tiling, TensorId gradient,
                                        Layout const& layout, Holders const& holders,
                                        GroupCollective const& how, arch::SumPieces pieces) {
  HeldParts held{tiling, gradient, layout};
  std::vector<RankedGroup> groups;
  for (auto& members : groups_of(tiling.hierarchy(), summed_levels(layout), holders)) {
    auto const elements = held.elements(members.front());
    groups.push_back(ranked_sum(elements, std::move(members), how, pieces));
  }
  return groups;
}

std::vector<ReshardStep> rounds_of(arch::CollectiveSpec const& spec, Holders const& members) {
  RoundMerger merger{0};
  merger.add({members, spec});
  return merger.steps();
}

std::vector<ReshardStep> reshard(Tiling const& tiling, TensorId tensor, Layout const& from,
                                 Layout const& to, Holders const& receivers,
                                 GroupCollective const& how, Waits waits) {
  auto const changes = layout_changes(from, to);
  std::vector<ReshardStep> steps;
  for (std::size_t first = 0; first < changes.size();) {
    auto const run = alike(changes, first);
    first += run.size();
    bool const is_made = how.algorithm->makes(kind_of(run.front())) &&
                         (run.front().reduces() || run.front().gathers());
    if (is_made) {
      append(steps, collective_of(tiling, tensor, run, receivers, how, waits));
      continue;
    }
    for (auto const& change : run) append(steps, exchanges_at(tiling, tensor, change, receivers));
  }
  return steps;
}

std::vector<ReshardStep> all_reduce(Tiling const& tiling, TensorId gradient, Layout const& layout,
                                    Holders const& holders, GroupCollective const& how,
                                    arch::SumPieces pieces, Waits waits) {
  auto const levels = summed_levels(layout);
  if (levels.empty()) return {};
  RoundMerger merger{levels.front(), waits};
  for (auto const& group : summing_groups(tiling, gradient, layout, holders, how, pieces)) {
    merger.add(group);
  }
  return merger.steps();
}

Elements padded_piece(Tiling const& tiling, TensorId gradient, Layout const& layout,
                      GroupCollective const& how) {
  auto const levels = summed_levels(layout);
  if (levels.empty()) return Elements{0};
  auto const groups = groups_of(tiling.hierarchy(), levels, everybody(tiling.accelerators()));
  auto const elements = tiling.region(gradient, layout, groups.front().front()).elements();
  auto const group = ranked_sum(elements, groups.front(), how, arch::SumPieces::padded);
  auto const ranks = static_cast<std::uint32_t>(group.members.size());
  return Elements{pieces_of(group.spec, ranks).front()};
}

std::vector<ReshardStep> unit_all_reduce(Hierarchy const& hierarchy, Layout const& layout,
                                         GroupCollective const& how) {
  auto const levels = summed_levels(layout);
  if (levels.empty()) return {};
  RoundMerger merger{levels.front(), Waits::left_out};
  for (auto& members : groups_of(hierarchy, levels, everybody(hierarchy.accelerators()))) {
    merger.add(ranked_sum(Elements{1}, std::move(members), how, arch::SumPieces::padded));
  }
  return merger.steps();
}

}  // namespace tessera::partition
