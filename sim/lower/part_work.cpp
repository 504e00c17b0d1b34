#include "sim/lower/part_work.hpp"

#include "partition/geometry/halo.hpp"
#include "partition/price/work.hpp"

namespace tessera::sim {

using partition::Tiling;
using workloads::Dim;
using workloads::Network;
using workloads::OperatorId;
using workloads::Phase;
using workloads::TensorAccess;

namespace {

/// A dimension's share of a phase: so many of all its indices.
struct Share {
  std::int64_t part;
  std::int64_t all;
};

class PositionShare final {
 public:
  PositionShare(Network const& network, Tiling const& tiling, OperatorId op, Phase phase,
                std::size_t position)
      : op_{network.at(op)}, tiling_{tiling}, id_{op}, phase_{phase}, position_{position} {}

  [[nodiscard]] Share of_loop(Dim dim) const {
    return {tiling_.loop_extent(id_, dim, position_, phase_), op_.extents[dim]};
  }

  /// The same where MACs are counted on the input map: as many of its rows or columns as the loop
  /// has of its own, rounded so that all shares add up.
  [[nodiscard]] Share of_input(Dim dim) const {
    if (!workloads::is_of_map(dim)) return of_loop(dim);
    auto const loop = op_.extents[dim];
    auto const all = dim == Dim::h ? op_.input_rows : op_.input_columns;
    auto const part = tiling_.loop_part(id_, dim, position_, phase_);
    std::int64_t share = 0;
    for (auto const& [begin, end] : part.ranges()) share += end * all / loop - begin * all / loop;
    return {share, all};
  }

 private:
  workloads::Operator const& op_;
  Tiling const& tiling_;
  OperatorId id_;
  Phase phase_;
  std::size_t position_;
};

/// The share of a phase's MACs: whole loop indices, so shares of a dimension that does not divide
/// are uneven.
Macs macs_of(Network const& network, arch::AcceleratorSpec const& accelerator, Tiling const& tiling,
             OperatorId id, Phase phase, std::size_t position) {
  auto const& op = network.at(id);
  bool const on_input_map = partition::counts_input_map(accelerator, phase);
  PositionShare const share_of{network, tiling, id, phase, position};
  auto macs = partition::macs_charged(accelerator, op, phase).value();
  for (auto const dim : workloads::all_dims) {
    if (phase == Phase::update && !op.weight->axis_of(dim)) continue;
    auto const share = on_input_map ? share_of.of_input(dim) : share_of.of_loop(dim);
    if (share.part == share.all) continue;
    EXPECTS(macs % share.all == 0, macs, share.all);
    macs = macs / share.all * share.part;
  }
  return Macs{macs};
}

}  // namespace

PartWork part_work(Network const& network, arch::AcceleratorSpec const& accelerator,
                   Tiling const& tiling, OperatorId id, Phase phase, std::size_t position) {
  auto const& op = network.at(id);
  if (workloads::is_a_view(op.kind)) return {};
  auto const held = [&](TensorAccess const& access) {
    auto const layout = layout_read(access, tiling.splits(id, phase));
    return tiling.region(access.tensor, layout, position).elements();
  };
  Elements inputs{0};
  for (auto const& input : op.inputs) {
    inputs += region_read(tiling, id, input, position, phase).elements();
  }
  auto const weights = op.weight ? held(*op.weight) : Elements{0};
  auto const output = held(op.output);
  PartWork part;
  part.macs = macs_of(network, accelerator, tiling, id, phase, position);
  part.op = id;
  for (auto const dim : workloads::all_dims) {
    part.extents[dim] = tiling.loop_extent(id, dim, position, phase);
  }
  switch (phase) {
    case Phase::forward:
    case Phase::recompute:
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

}  // namespace tessera::sim
