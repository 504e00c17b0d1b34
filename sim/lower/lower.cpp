#include "sim/lower/lower.hpp"

#include <optional>

#include "partition/halo.hpp"
#include "partition/work.hpp"
#include "sim/lower/lowering.hpp"

namespace tessera::sim {

using partition::input_of;
using partition::Layout;
using partition::layout_read;
using partition::layout_written;
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

/// One training step: forward in order, then per operator in reverse its error, its gradient, the
/// sum of the gradient, the update.
class StepLowering final {
 public:
  StepLowering(Network const& network, arch::ArraySpec const& array, Plan const& plan,
               Folding const& folding)
      : network_{network},
        array_{array},
        plan_{plan},
        tiling_{network, plan},
        append_{array, folding, network.element_size()},
        features_(network.operators().size()),
        errors_(network.operators().size()) {
    for (std::size_t i = 0; i < folding.representatives(); ++i) {
      accelerators_.push_back(folding.accelerator(i));
    }
  }

  TaskGraph lower() {
    auto const order = network_.operators().ids();
    for (auto const op : order) forward(op);
    for (auto op = order.rbegin(); op != order.rend(); ++op) backward(*op);
    auto tasks = append_.take();
    tasks.set_operators(network_.operators(), network_.element_size());
    return tasks;
  }

 private:
  void forward(OperatorId id) {
    auto const& op = network_.at(id);
    auto ready = append_.at_start();
    for (auto const& input : op.inputs) {
      auto const producer = network_.at(input.tensor).producer;
      if (!producer) continue;  // the batch lies in memory as its reader needs it
      auto const from = layout_written(network_.at(*producer).output, plan_.splits[*producer]);
      auto const to = layout_read(input, plan_.splits[id]);
      auto steps = reshard(tiling_, input.tensor, from, to, accelerators_);
      append(steps, fetch_halo(tiling_, id, input, accelerators_));
      ready = both(std::move(ready),
                   append_.exchange({*producer, Phase::forward}, steps, features_[*producer]));
    }
    features_[id] = append_.compute({id, Phase::forward}, work(id, Phase::forward), ready);
  }

  void backward(OperatorId id) {
    auto const& op = network_.at(id);
    auto const error = error_of_output(id);
    if (op.has(Phase::backward_data)) {
      errors_[id] =
          append_.compute({id, Phase::backward_data}, work(id, Phase::backward_data), error);
    }
    if (op.has(Phase::backward_weight)) learn(id, error);
  }

  void learn(OperatorId id, Ready const& error) {
    auto const& weight = *network_.at(id).weight;
    auto const gradient =
        append_.compute({id, Phase::backward_weight}, work(id, Phase::backward_weight), error);
    auto const summed = append_.exchange(
        {id, Phase::backward_weight},
        all_reduce(tiling_, weight.tensor, layout_written(weight, plan_.splits[id]), accelerators_),
        gradient);
    static_cast<void>(append_.compute({id, Phase::update}, work(id, Phase::update), summed));
  }

  /// The error of an operator's output, in the layout in which its backward phases read it: the sum
  /// over its readers, or what the loss makes of the output.
  Ready error_of_output(OperatorId id) {
    auto const& output = network_.at(id).output;
    auto const wanted = layout_read(output, plan_.splits[id]);
    auto const& consumers = network_.at(output.tensor).consumers;
    if (consumers.empty()) return error_from_loss(id, output, wanted);
    auto ready = append_.at_start();
    for (auto const consumer : consumers) {
      auto const& input = input_of(network_.at(consumer), output.tensor);
      auto const from = layout_written(input, plan_.splits[consumer]);
      auto steps = return_halo(tiling_, consumer, input, accelerators_);
      append(steps, reshard(tiling_, output.tensor, from, wanted, accelerators_));
      ready = both(std::move(ready),
                   append_.exchange({consumer, Phase::backward_data}, steps, errors_[consumer]));
    }
    return ready;
  }

  Ready error_from_loss(OperatorId id, TensorAccess const& output, Layout const& wanted) {
    auto const written = layout_written(output, plan_.splits[id]);
    auto const loss = partition::layout_of_loss(written);
    auto const scattered = append_.exchange(
        {id, Phase::forward}, reshard(tiling_, output.tensor, written, loss, accelerators_),
        features_[id]);
    return append_.exchange({id, Phase::backward_data},
                            reshard(tiling_, output.tensor, loss, wanted, accelerators_),
                            scattered);
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
  IdVector<OperatorId, Ready> features_;  ///< of each operator's output
  IdVector<OperatorId, Ready> errors_;    ///< of each operator's inputs
};

}  // namespace

TaskGraph lower(Network const& network, arch::ArraySpec const& array, Plan const& plan,
                Folding const& folding) {
  return StepLowering{network, array, plan, folding}.lower();
}

TaskGraph lower(Network const& network, arch::ArraySpec const& array, Plan const& plan) {
  Folding const whole{static_cast<std::size_t>(array.accelerators)};
  return lower(network, array, plan, whole);
}

}  // namespace tessera::sim
