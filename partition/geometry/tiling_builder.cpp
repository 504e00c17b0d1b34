// Which classes a plan makes of a network's axes and loop dimensions, and where each is cut.
#include "partition/geometry/tiling.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace tessera::partition {

using workloads::Dim;
using workloads::OperatorId;
using workloads::Phase;
using workloads::TensorAccess;
using workloads::TensorId;

/// Joins axes and dimensions into classes (union-find) and makes one tree of each.
class Tiling::Builder final {
 public:
  /// `is_here` says which operators are cut, by OperatorId.
  Builder(workloads::Network const& network, Plan const& plan, Hierarchy const& hierarchy,
          std::vector<bool> const& is_here)
      : network_{network}, plan_{plan}, hierarchy_{hierarchy}, is_here_{is_here} {
    number_members();
    for_each_operator([this](OperatorId op) { join_operator(op); });
    for_each_operator([this](OperatorId op) { mark_windows(op); });
    for_each_operator([this](OperatorId op) { mark_splits(op); });
  }

  void build(Tiling& tiling) {
    std::vector<std::size_t> class_of(parent_.size(), 0);
    auto const all_units = units();
    for (std::size_t member = 0; member < parent_.size(); ++member) {
      if (root(member) != member) continue;
      bool const slides = sliding_.count(member) != 0;
      auto const extent = slides ? all_units[member].most : all_units[member].extent();
      class_of[member] =
          tiling.classes_.number_of({AxisTree{extent, cuts(member, slides)}, slides});
    }
    auto const membership = [&](std::size_t member) {
      return Membership{class_of[root(member)], extent_[member]};
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
  template <typename Visit>
  void for_each_operator(Visit visit) {
    for (auto const op : network_.operators().ids()) {
      if (is_here(op)) visit(op);
    }
  }
  [[nodiscard]] bool is_here(OperatorId op) const { return is_here_[op.index()]; }

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
    is_split_.push_back(false);
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
    auto const can_split = splittable(op);
    auto const join = [&](TensorAccess const& access) {
      for (std::size_t axis = 0; axis < access.axes.size(); ++axis) {
        auto const dim = access.axes[axis].dim;
        if (can_split[dim])
          parent_[root(dim_member(id, dim))] = root(axis_member(access.tensor, axis));
      }
    };
    for (auto const& input : op.inputs) join(input);
    if (op.weight) join(*op.weight);
    join(op.output);
  }

  /// Asked once for an operator: the answer looks through all of its inputs.
  [[nodiscard]] static workloads::PerDim<bool> splittable(workloads::Operator const& op) {
    workloads::PerDim<bool> can_split;
    for (auto const dim : workloads::all_dims) can_split[dim] = op.can_split(dim);
    return can_split;
  }

  /// Notes the classes over which the operator slides windows that are no blocks, or leave a rest.
  void mark_windows(OperatorId id) {
    auto const& op = network_.at(id);
    auto const can_split = splittable(op);
    for (auto const& input : op.inputs) {
      for (std::size_t axis = 0; axis < input.axes.size(); ++axis) {
        auto const& access = input.axes[axis];
        auto const length = network_.at(input.tensor).extents[axis];
        bool const in_blocks =
            access.in_whole_blocks() && op.extents[access.dim] * access.step == length;
        if (!in_blocks && can_split[access.dim]) sliding_.insert(root(dim_member(id, access.dim)));
      }
    }
  }

  /// Notes the levels at which the operator's dimensions are split, and those at which partial sums
  /// are scattered over samples because nobody reads them split.
  void mark_splits(OperatorId id) {
    mark_splits(id, plan_.splits[id]);
    for (auto const& [key, splits] : plan_.phase_splits) {
      if (key.first == id) mark_splits(id, splits);
    }
    mark_output(id);
    mark_inputs_from_elsewhere(id);
  }

  void mark_splits(OperatorId id, Splits const& splits) {
    for (std::size_t level = 0; level < splits.size(); ++level) {
      if (!splits[level]) continue;
      auto const member = dim_member(id, splits[level]->dim);
      split_[root(member)][level].insert(splits[level]->first);
      is_split_[member] = true;
    }
  }

  void mark_output(OperatorId id) {
    auto const& output = network_.at(id).output;
    auto const written = layout_written(output, plan_.splits[id]);
    auto const& consumers = network_.at(output.tensor).consumers;
    if (consumers.empty()) mark_scatters(output.tensor, written, written);
    for (auto const consumer : consumers) {
      if (!is_here(consumer)) {
        mark_scatters(output.tensor, written, written);
        continue;
      }
      auto const& input = input_of(network_.at(consumer), output.tensor);
      mark_scatters(output.tensor, written, layout_read(input, plan_.splits[consumer]));
      mark_scatters(
          output.tensor, layout_written(input, plan_.splits_of(consumer, Phase::backward_data)),
          layout_read(output, plan_.splits_of(id, network_.at(id).first_backward_phase())));
    }
  }

  /// Errors leave as they are, but partial sums are scattered first.
  void mark_inputs_from_elsewhere(OperatorId id) {
    for (auto const& input : network_.at(id).inputs) {
      auto const producer = network_.at(input.tensor).producer;
      if (!producer || is_here(*producer)) continue;
      auto const written = layout_written(input, plan_.splits_of(id, Phase::backward_data));
      mark_scatters(input.tensor, written, written);
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
  [[nodiscard]] std::vector<Cut> cuts(std::size_t class_root, bool slides) const {
    auto const& scattered = scattered_[class_root];
    std::vector<Cut> cuts;
    for (auto [level, shares] : split_[class_root]) {
      if (scattered.count(level) != 0) shares.insert(0.5);
      cuts.push_back({level, {shares.begin(), shares.end()}, hierarchy_.ways(level)});
    }
    for (auto const level : scattered) {
      if (split_[class_root].count(level) == 0)
        cuts.push_back({level, {0.5}, hierarchy_.ways(level)});
    }
    if (slides) std::reverse(cuts.begin(), cuts.end());
    return cuts;
  }

  /// What the extent of a class's tree can be.
  struct Units {
    std::int64_t common = 0;           ///< the largest of which every member is a multiple
    std::int64_t common_of_split = 0;  ///< the same of those that a plan splits; 0 of none
    std::int64_t most = 0;             ///< of those, or of all

    /// Most often the coarsest member's.
    [[nodiscard]] std::int64_t extent() const {
      return common_of_split > 0 ? common_of_split : common;
    }
  };

  /// By class root. Where windows slide the extent is that of the finest member, to which coarser
  /// ones round.
  [[nodiscard]] std::vector<Units> units() {
    std::vector<Units> all(parent_.size());
    for (std::size_t member = 0; member < parent_.size(); ++member) {
      auto& [common, common_of_split, most] = all[root(member)];
      common = std::gcd(common, extent_[member]);
      if (is_split_[member] == (common_of_split > 0)) most = std::max(most, extent_[member]);
      if (!is_split_[member]) continue;
      if (common_of_split == 0) most = extent_[member];
      common_of_split = std::gcd(common_of_split, extent_[member]);
    }
    return all;
  }

  workloads::Network const& network_;
  Plan const& plan_;
  Hierarchy hierarchy_;
  std::vector<bool> const& is_here_;
  std::vector<std::size_t> parent_;
  std::vector<std::int64_t> extent_;
  std::vector<bool> is_split_;
  std::set<std::size_t> sliding_;                               ///< class roots
  std::vector<std::map<std::size_t, std::set<double>>> split_;  ///< levels: shares; by class root
  std::vector<std::set<std::size_t>> scattered_;                ///< levels, by class root
  std::vector<std::size_t> first_axis_;
  std::vector<std::size_t> first_dim_;
};

namespace {

std::vector<bool> all_operators(workloads::Network const& network) {
  return std::vector<bool>(network.operators().size(), true);
}

std::vector<bool> operators_of(workloads::Network const& network, Stage const& stage) {
  std::vector<bool> is_here(network.operators().size(), false);
  for (auto const& chunk : stage.chunks) {
    for (auto const op : chunk) is_here[op.index()] = true;
  }
  return is_here;
}

}  // namespace

Tiling::Tiling(workloads::Network const& network, Plan const& plan)
    : Tiling{network, plan, plan.hierarchy(), all_operators(network)} {
  EXPECTS(!plan.pipeline, plan.planner);
}

Tiling::Tiling(workloads::Network const& network, Plan const& plan, Stage const& stage)
    : Tiling{network, plan, stage.mesh.hierarchy(), operators_of(network, stage)} {}

Tiling::Tiling(workloads::Network const& network, Plan const& plan, Hierarchy const& hierarchy,
               std::vector<bool> const& is_here)
    : plan_{&plan}, hierarchy_{hierarchy} {
  Builder{network, plan, hierarchy, is_here}.build(*this);
}

}  // namespace tessera::partition
