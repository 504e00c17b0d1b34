#include "partition/geometry/halo.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tessera::partition {

using workloads::AxisAccess;
using workloads::Network;
using workloads::OperatorId;
using workloads::Phase;
using workloads::TensorAccess;

namespace {

/// What the windows of `loops` touch of an axis of `length` positions.
IndexSet touched(IndexSet const& loops, AxisAccess const& axis, std::int64_t length) {
  bool const leaves_gaps = axis.window < axis.step;
  IndexSet all;
  for (auto const& [begin, end] : loops.ranges()) {
    auto const together = leaves_gaps ? 1 : end - begin;
    for (auto index = begin; index < end; index += together) {
      auto const first = index * axis.step - axis.before;
      auto const last = first + (together - 1) * axis.step + axis.window;
      auto const window = IndexSet::range(std::max<std::int64_t>(0, first), std::min(length, last));
      all = all.unite(window);
    }
  }
  return all;
}

/// What an accelerator's windows touch of an axis of an operator's input.
IndexSet windows_of(Tiling const& tiling, OperatorId op, TensorAccess const& input,
                    std::size_t axis, Phase phase, std::size_t accelerator) {
  auto const loops = tiling.loop_part(op, input.axes[axis].dim, accelerator, phase);
  return touched(loops, input.axes[axis], tiling.length(input.tensor, axis));
}

/// One axis of an operator's input, dealt out to accelerators: by the layout, and as windows read
/// it.
class AxisParts final {
 public:
  AxisParts(Tiling const& tiling, OperatorId op, TensorAccess const& input, std::size_t axis)
      : tiling_{&tiling},
        op_{op},
        input_{&input},
        axis_{axis},
        layout_{layout_read(input, tiling.splits(op))},
        levels_{levels_along(input.axes[axis], tiling.splits(op))} {}

  /// Where the axis is split; empty: without halos.
  [[nodiscard]] std::vector<std::size_t> const& levels() const { return levels_; }

  [[nodiscard]] IndexSet const& own(std::size_t accelerator) {
    auto const [entry, is_new] = own_.try_emplace(accelerator);
    if (is_new) {
      entry->second = tiling_->part_of_axis(input_->tensor, axis_, layout_, accelerator);
    }
    return entry->second;
  }

  [[nodiscard]] IndexSet const& read(std::size_t accelerator) {
    if (levels_.empty()) return own(accelerator);
    auto const [entry, is_new] = read_.try_emplace(accelerator);
    if (is_new) {
      auto const windows = windows_of(*tiling_, op_, *input_, axis_, Phase::forward, accelerator);
      entry->second = own(accelerator).unite(windows);
    }
    return entry->second;
  }

 private:
  Tiling const* tiling_;
  OperatorId op_;
  TensorAccess const* input_;
  std::size_t axis_;
  Layout layout_;
  std::vector<std::size_t> levels_;
  std::map<std::size_t, IndexSet> own_;
  std::map<std::size_t, IndexSet> read_;
};

std::vector<AxisParts> parts_of(Tiling const& tiling, OperatorId op, TensorAccess const& input) {
  std::vector<AxisParts> parts;
  for (std::size_t axis = 0; axis < input.axes.size(); ++axis) {
    parts.emplace_back(tiling, op, input, axis);
  }
  return parts;
}

/// Those that differ from `accelerator` at some of `levels`, and nowhere else.
Holders others_along(Hierarchy const& hierarchy, std::vector<std::size_t> const& levels,
                     std::size_t accelerator) {
  Holders line{accelerator};
  for (auto const level : levels) {
    auto const known = line.size();
    for (std::size_t i = 0; i < known; ++i) {
      for (std::size_t turn = 1; turn < hierarchy.ways(level); ++turn) {
        line.push_back(hierarchy.sibling(line[i], level, turn));
      }
    }
  }
  line.erase(line.begin());
  return line;
}

enum class Direction { fetch, give_back };

/// Elements of one position of `axis`: on the axes before it, parts have their halos already.
Elements row_of(std::vector<AxisParts>& parts, std::size_t axis, std::size_t accelerator) {
  Elements row{1};
  for (std::size_t other = 0; other < parts.size(); ++other) {
    if (other == axis) continue;
    auto const& held =
        other < axis ? parts[other].read(accelerator) : parts[other].own(accelerator);
    row = row * held.size();
  }
  return row;
}

/// One axis' exchanges, level by level.
std::vector<ReshardStep> steps_along(std::size_t axis, Hierarchy const& hierarchy,
                                     std::vector<AxisParts>& parts, Holders const& receivers,
                                     Direction direction) {
  auto& along = parts[axis];
  std::map<std::size_t, ReshardStep> steps;
  for (auto const receiver : receivers) {
    auto const row = row_of(parts, axis, receiver);
    for (auto const sender : others_along(hierarchy, along.levels(), receiver)) {
      auto const positions = direction == Direction::fetch
                                 ? along.read(receiver).intersect(along.own(sender))
                                 : along.read(sender).intersect(along.own(receiver));
      auto const elements = row * positions.size();
      if (elements == Elements{0}) continue;
      auto const level = hierarchy.outermost_difference(sender, receiver);
      auto& step = steps[level];
      step.level = level;
      step.reduces = direction == Direction::give_back;
      step.exchanges.push_back({sender, receiver, elements});
    }
  }
  std::vector<ReshardStep> by_level;
  by_level.reserve(steps.size());
  for (auto& [level, step] : steps) by_level.push_back(std::move(step));
  return by_level;
}

}  // namespace

std::vector<std::size_t> levels_along(AxisAccess const& axis, Splits const& splits) {
  std::vector<std::size_t> levels;
  if (!workloads::is_of_map(axis.dim)) return levels;
  for (std::size_t level = 0; level < splits.size(); ++level) {
    if (is_over(splits[level], axis.dim)) levels.push_back(level);
  }
  return levels;
}

Reach reach_of(AxisAccess const& axis) {
  return {axis.before, std::max<std::int64_t>(0, axis.window - axis.step - axis.before)};
}

Region region_read(Tiling const& tiling, OperatorId op, TensorAccess const& input,
                   std::size_t accelerator, Phase phase) {
  auto const& splits = tiling.splits(op, phase);
  auto region = tiling.region(input.tensor, layout_read(input, splits), accelerator);
  for (std::size_t axis = 0; axis < input.axes.size(); ++axis) {
    if (levels_along(input.axes[axis], splits).empty()) continue;
    auto& part = region.axes[axis];
    part = part.unite(windows_of(tiling, op, input, axis, phase, accelerator));
  }
  return region;
}

bool is_split_along_windows(Tiling const& tiling, OperatorId op, TensorAccess const& input) {
  auto const& splits = tiling.splits(op);
  return std::any_of(input.axes.begin(), input.axes.end(),
                     [&](AxisAccess const& axis) { return !levels_along(axis, splits).empty(); });
}

std::vector<ReshardStep> fetch_halo(Tiling const& tiling, OperatorId op, TensorAccess const& input,
                                    Holders const& receivers) {
  auto parts = parts_of(tiling, op, input);
  std::vector<ReshardStep> steps;
  for (std::size_t axis = 0; axis < parts.size(); ++axis) {
    if (parts[axis].levels().empty()) continue;
    append(steps, steps_along(axis, tiling.hierarchy(), parts, receivers, Direction::fetch));
  }
  return steps;
}

std::vector<ReshardStep> return_halo(Tiling const& tiling, OperatorId op, TensorAccess const& input,
                                     Holders const& receivers) {
  auto parts = parts_of(tiling, op, input);
  std::vector<ReshardStep> steps;
  for (auto axis = parts.size(); axis-- > 0;) {
    if (parts[axis].levels().empty()) continue;
    auto back = steps_along(axis, tiling.hierarchy(), parts, receivers, Direction::give_back);
    std::reverse(back.begin(), back.end());
    append(steps, std::move(back));
  }
  return steps;
}

std::int64_t most_parts(workloads::Operator const& op, workloads::Dim dim) {
  if (!op.can_split(dim)) return 1;
  auto parts = op.extents[dim];
  for (auto const& input : op.inputs) {
    auto const axis = input.axis_of(dim);
    if (!axis) continue;
    auto const [back, forward] = reach_of(input.axes[*axis]);
    auto const least = std::max({back, forward, std::int64_t{1}});
    parts = std::min(parts, op.extents[dim] * input.axes[*axis].step / least);
  }
  return std::max<std::int64_t>(parts, 1);
}

}  // namespace tessera::partition
