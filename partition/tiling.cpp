#include "partition/tiling.hpp"

#include <algorithm>
#include <set>

namespace tessera::partition {

using workloads::Dim;
using workloads::OperatorId;
using workloads::TensorAccess;
using workloads::TensorId;

Elements Region::elements() const {
  Elements product{1};
  for (auto const& axis : axes) product = product * axis.size();
  return product;
}

Region Region::intersect(Region const& other) const {
  EXPECTS(axes.size() == other.axes.size(), axes.size(), other.axes.size());
  Region common;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    common.axes.push_back(axes[axis].intersect(other.axes[axis]));
  }
  return common;
}

/// Joins axes and dimensions into classes (union-find) and makes one tree of each.
class Tiling::Builder final {
 public:
  Builder(workloads::Network const& network, Plan const& plan) : network_{network}, plan_{plan} {
    number_members();
    for (auto const op : network_.operators().ids()) join_operator(op);
    for (auto const op : network_.operators().ids()) mark_splits(op);
  }

  void build(Tiling& tiling) {
    std::vector<std::size_t> tree_of(parent_.size(), 0);
    for (std::size_t member = 0; member < parent_.size(); ++member) {
      if (root(member) != member) continue;
      tree_of[member] = tiling.trees_.size();
      tiling.trees_.emplace_back(units(member), cuts(member));
    }
    auto const membership = [&](std::size_t member) {
      auto const tree = tree_of[root(member)];
      auto const class_extent = tiling.trees_[tree].extent();
      auto const divides = extent_[member] % class_extent == 0;
      return Membership{tree, divides ? extent_[member] / class_extent : 0, extent_[member]};
    };
    for (auto const tensor : network_.tensors().ids()) {
      std::vector<Membership> axes;
      for (std::size_t axis = 0; axis < network_.at(tensor).extents.size(); ++axis) {
        axes.push_back(membership(axis_member(tensor, axis)));
      }
      tiling.axes_.push_back(std::move(axes));
    }
    for (auto const op : network_.operators().ids()) {
      workloads::PerDim<Membership> dims;
      for (auto const dim : workloads::all_dims) dims[dim] = membership(dim_member(op, dim));
      tiling.loops_.push_back(dims);
    }
  }

 private:
  void number_members() {
    for (auto const& tensor : network_.tensors()) {
      first_axis_.push_back(parent_.size());
      for (auto const extent : tensor.extents) add_member(extent);
    }
    for (auto const& op : network_.operators()) {
      first_dim_.push_back(parent_.size());
      for (auto const dim : workloads::all_dims) add_member(op.extents[dim]);
    }
    split_.resize(parent_.size());
    scattered_.resize(parent_.size());
  }

  void add_member(std::int64_t extent) {
    parent_.push_back(parent_.size());
    extent_.push_back(extent);
    class_units_.push_back(0);
  }

  [[nodiscard]] std::size_t axis_member(TensorId tensor, std::size_t axis) const {
    return first_axis_[tensor.index()] + axis;
  }
  [[nodiscard]] std::size_t dim_member(OperatorId op, Dim dim) const {
    return first_dim_[op.index()] + static_cast<std::size_t>(dim);
  }

  [[nodiscard]] std::size_t root(std::size_t member) {
    while (parent_[member] != member) {
      parent_[member] = parent_[parent_[member]];
      member = parent_[member];
    }
    return member;
  }

  void join_operator(OperatorId id) {
    auto const& op = network_.at(id);
    for (auto const& input : op.inputs) join_access(id, input);
    if (op.weight) join_access(id, *op.weight);
    join_access(id, op.output);
  }

  void join_access(OperatorId op, TensorAccess const& access) {
    for (std::size_t axis = 0; axis < access.axes.size(); ++axis) {
      auto const dim = access.axes[axis].dim;
      if (!network_.at(op).can_split(dim)) continue;
      parent_[root(dim_member(op, dim))] = root(axis_member(access.tensor, axis));
    }
  }

  /// Notes the levels at which the operator's dimensions are split, and those at which partial sums
  /// are scattered over samples because nobody reads them split.
  void mark_splits(OperatorId id) {
    auto const& op = network_.at(id);
    auto const& splits = plan_.splits[id];
    for (std::size_t level = 0; level < splits.size(); ++level) {
      if (!splits[level]) continue;
      auto const member = dim_member(id, splits[level]->dim);
      split_[root(member)].insert(level);
      class_units_[member] = extent_[member];
    }
    auto const written = layout_written(op.output, splits);
    auto const& consumers = network_.at(op.output.tensor).consumers;
    if (consumers.empty()) mark_scatters(op.output.tensor, written, written);
    for (auto const consumer : consumers) {
      auto const& input = input_of(network_.at(consumer), op.output.tensor);
      mark_scatters(op.output.tensor, written, layout_read(input, plan_.splits[consumer]));
      mark_scatters(op.output.tensor, layout_written(input, plan_.splits[consumer]),
                    layout_read(op.output, splits));
    }
  }

  void mark_scatters(TensorId tensor, Layout const& written, Layout const& read) {
    for (std::size_t level = 0; level < written.size(); ++level) {
      bool const scattered_over_samples =
          written[level] == Holding::partial() && read[level].kind != Holding::Kind::split;
      if (scattered_over_samples) scattered_[root(axis_member(tensor, 0))].insert(level);
    }
  }

  /// Splits first, so that a scatter never makes a split uneven.
  [[nodiscard]] std::vector<std::size_t> cuts(std::size_t class_root) const {
    auto const& split = split_[class_root];
    std::vector<std::size_t> levels(split.begin(), split.end());
    for (auto const level : scattered_[class_root]) {
      if (split.count(level) == 0) levels.push_back(level);
    }
    return levels;
  }

  /// The extent of the class's tree: that of its coarsest member that a plan splits, else of its
  /// coarsest member.
  [[nodiscard]] std::int64_t units(std::size_t class_root) {
    std::int64_t coarsest_split = 0;
    std::int64_t coarsest = 0;
    for (std::size_t member = 0; member < parent_.size(); ++member) {
      if (root(member) != class_root) continue;
      auto const smaller = [](std::int64_t best, std::int64_t candidate) {
        return best == 0 ? candidate : std::min(best, candidate);
      };
      coarsest = smaller(coarsest, extent_[member]);
      if (class_units_[member] != 0) coarsest_split = smaller(coarsest_split, extent_[member]);
    }
    return coarsest_split != 0 ? coarsest_split : coarsest;
  }

  workloads::Network const& network_;
  Plan const& plan_;
  std::vector<std::size_t> parent_;
  std::vector<std::int64_t> extent_;
  std::vector<std::int64_t> class_units_;
  std::vector<std::set<std::size_t>> split_;      ///< levels, per class root
  std::vector<std::set<std::size_t>> scattered_;  ///< levels, per class root
  std::vector<std::size_t> first_axis_;
  std::vector<std::size_t> first_dim_;
};

Tiling::Tiling(workloads::Network const& network, Plan const& plan)
    : plan_{&plan}, levels_{static_cast<std::size_t>(plan.levels())} {
  if (auto const op = unevenly_split(plan)) {
    throw ConfigError{{},
                      "plan",
                      "the halves of '" + network.at(*op).name +
                          "' have unequal shares (simulation cuts equal halves only); plan with "
                          "--set planner.ratio=equal"};
  }
  Builder{network, plan}.build(*this);
}

bool Tiling::half(std::size_t accelerator, std::size_t level) const {
  return ((accelerator >> (levels_ - 1 - level)) & 1U) != 0;
}

std::size_t Tiling::sibling(std::size_t accelerator, std::size_t level) const {
  return accelerator ^ (std::size_t{1} << (levels_ - 1 - level));
}

bool Tiling::is_even(std::size_t level) const {
  return std::all_of(trees_.begin(), trees_.end(),
                     [level](AxisTree const& tree) { return tree.is_even(level); });
}

Region Tiling::region(TensorId tensor, Layout const& layout, std::size_t accelerator) const {
  auto const& axes = axes_[tensor];
  Region region;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    region.axes.push_back(part(
        axes[axis], [&](std::size_t level) { return layout[level] == Holding::split(axis); },
        accelerator));
  }
  return region;
}

std::int64_t Tiling::loop_extent(OperatorId op, Dim dim, std::size_t accelerator) const {
  auto const& splits = plan_->splits[op];
  return part(
             loops_[op][dim], [&](std::size_t level) { return is_over(splits[level], dim); },
             accelerator)
      .size();
}

IndexSet Tiling::part(Membership const& member, std::function<bool(std::size_t)> const& is_split,
                      std::size_t accelerator) const {
  Halves halves(levels_);
  bool whole = true;
  for (std::size_t level = 0; level < levels_; ++level) {
    if (!is_split(level)) continue;
    halves[level] = half(accelerator, level);
    whole = false;
  }
  if (whole) return IndexSet::range(0, member.extent);
  EXPECTS(member.scale > 0, member.extent);
  IndexSet scaled;
  auto const selected = trees_[member.tree].select(halves);
  for (auto const& [begin, end] : selected.ranges()) {
    scaled.append(begin * member.scale, end * member.scale);
  }
  return scaled;
}

}  // namespace tessera::partition
