#include "sim/lower/lower.hpp"

#include <optional>

#include "partition/halo.hpp"
#include "partition/step/exchanges.hpp"
#include "partition/step/step.hpp"
#include "partition/work.hpp"
#include "sim/lower/lowering.hpp"

namespace tessera::sim {

using partition::layout_read;
using partition::Plan;
using partition::Splits;
using partition::Tiling;
using workloads::Dim;
using workloads::Network;
using workloads::Operator;
using workloads::OperatorId;
using workloads::Phase;
using workloads::TensorAccess;
using workloads::TensorId;

namespace {

/// One training step: the tasks of each of its actions, in order.
class StepLowering final {
 public:
  StepLowering(Network const& network, arch::ArraySpec const& array, Plan const& plan,
               Folding const& folding)
      : network_{network},
        array_{array},
        plan_{plan},
        tiling_{network, plan},
        append_{array, folding, network.element_size()} {
    for (std::size_t i = 0; i < folding.representatives(); ++i) {
      accelerators_.push_back(folding.accelerator(i));
    }
  }

  TaskGraph lower(partition::Step const& step) {
    for (auto const& action : step.actions) done_.push_back(append(action));
    auto tasks = append_.take();
    tasks.set_operators(network_.operators(), network_.element_size());
    return tasks;
  }

 private:
  Ready append(partition::Action const& action) {
    Purpose const purpose{action.op, action.phase};
    auto const ready = operands_of(action);
    return action.conversion
               ? append_.exchange(purpose, exchanges_of(tiling_, *action.conversion, accelerators_),
                                  ready)
               : append_.compute(purpose, work(action.op, action.phase), ready);
  }

  /// Everything that the action waits for.
  Ready operands_of(partition::Action const& action) const {
    auto ready = append_.at_start();
    for (auto const before : action.after) ready = both(std::move(ready), done_[before]);
    return ready;
  }

  /// Every representative's part of a phase.
  std::vector<Work> work(OperatorId id, Phase phase) const {
    std::vector<Work> parts;
    for (auto const accelerator : accelerators_) parts.push_back(part_of(id, phase, accelerator));
    return parts;
  }

  Work part_of(OperatorId id, Phase phase, std::size_t accelerator) const {
    auto const& op = network_.at(id);
    if (workloads::is_a_view(op.kind)) return {};
    auto const held = [&](TensorAccess const& access) {
      return tiling_.region(access.tensor, layout_read(access, plan_.splits[id]), accelerator)
          .elements();
    };
    Elements inputs{0};
    for (auto const& input : op.inputs) {
      inputs += region_read(tiling_, id, input, accelerator).elements();
    }
    auto const weights = op.weight ? held(*op.weight) : Elements{0};
    auto const output = held(op.output);
    Work part;
    part.macs = macs_of(id, phase, accelerator);
    part.op = id;
    for (auto const dim : workloads::all_dims) {
      part.extents[dim] = tiling_.loop_extent(id, dim, accelerator);
    }
    switch (phase) {
      case Phase::forward:
        part.read = inputs + (op.kind == workloads::OperatorKind::embedding ? output : weights);
        part.written = output;
        break;
      case Phase::backward_data:
        part.read = output + weights;
        if (workloads::error_needs_inputs(op.kind)) part.read += inputs;
        part.written = inputs;
        break;
      case Phase::backward_weight:
        part.read = inputs + output;
        part.written = weights;
        break;
      case Phase::update:
        part.read = weights + weights;  // the weight and its gradient
        part.written = weights;
        break;
    }
    return part;
  }

  /// A dimension's share of a phase: so many of all its indices.
  struct Share {
    std::int64_t part;
    std::int64_t all;
  };

  Share loop_share(OperatorId id, Dim dim, std::size_t accelerator) const {
    return {tiling_.loop_extent(id, dim, accelerator), network_.at(id).extents[dim]};
  }

  /// The same where MACs are counted on the input map: as many of its rows or columns as the loop
  /// has of its own, rounded so that all shares add up.
  Share input_share(OperatorId id, Dim dim, std::size_t accelerator) const {
    if (!workloads::is_of_map(dim)) return loop_share(id, dim, accelerator);
    auto const& op = network_.at(id);
    auto const loop = op.extents[dim];
    auto const all = dim == Dim::h ? op.input_rows : op.input_columns;
    auto const part = tiling_.loop_part(id, dim, accelerator);
    std::int64_t share = 0;
    for (auto const& [begin, end] : part.ranges()) share += end * all / loop - begin * all / loop;
    return {share, all};
  }

  /// The share of a phase's MACs: whole loop indices, so shares of a dimension that does not divide
  /// are uneven.
  Macs macs_of(OperatorId id, Phase phase, std::size_t accelerator) const {
    auto const& op = network_.at(id);
    auto const& unit = array_.accelerator(accelerator);
    bool const on_input_map = partition::counts_input_map(unit, phase);
    auto macs = partition::macs_charged(unit, op, phase).value();
    for (auto const dim : workloads::all_dims) {
      if (phase == Phase::update && !op.weight->axis_of(dim)) continue;
      auto const share =
          on_input_map ? input_share(id, dim, accelerator) : loop_share(id, dim, accelerator);
      if (share.part == share.all) continue;
      EXPECTS(macs % share.all == 0, macs, share.all);
      macs = macs / share.all * share.part;
    }
    return Macs{macs};
  }

  Network const& network_;
  arch::ArraySpec const& array_;
  Plan const& plan_;
  Tiling tiling_;
  partition::Holders accelerators_;  ///< those that have tasks
  Appender append_;
  IdVector<partition::ActionId, Ready> done_;
};

}  // namespace

TaskGraph lower(Network const& network, arch::ArraySpec const& array, Plan const& plan,
                Folding const& folding) {
  return StepLowering{network, array, plan, folding}.lower(partition::step_of(network, plan));
}

TaskGraph lower(Network const& network, arch::ArraySpec const& array, Plan const& plan) {
  Folding const whole{static_cast<std::size_t>(array.accelerators)};
  return lower(network, array, plan, whole);
}

}  // namespace tessera::sim
