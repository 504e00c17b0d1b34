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

/// What an accelerator has of a phase, where MACs are counted on the input map: as many of its rows
/// or columns as the loop has of its own, rounded so that all shares add up.
std::int64_t share_of_map(workloads::Operator const& op, Dim dim,
                          partition::IndexSet const& loop_part) {
  auto const loop = op.extents[dim];
  auto const all = dim == Dim::h ? op.input_rows : op.input_columns;
  std::int64_t share = 0;
  for (auto const& [begin, end] : loop_part.ranges()) {
    share += end * all / loop - begin * all / loop;
  }
  return share;
}

/// The share of a phase's MACs that `part` has: whole loop indices, so shares of a dimension that
/// does not divide are uneven.
Macs macs_of(Network const& network, arch::AcceleratorSpec const& accelerator, Tiling const& tiling,
             Part const& part, Phase phase, std::size_t position) {
  auto const& op = network.at(part.op);
  bool const on_input_map = partition::counts_input_map(accelerator, phase);
  auto macs = partition::macs_charged(accelerator, op, phase).value();
  for (auto const dim : workloads::all_dims) {
    if (phase == Phase::update && !op.weight->axis_of(dim)) continue;
    auto share = part.extents[dim];
    auto all = op.extents[dim];
    if (on_input_map && workloads::is_of_map(dim)) {
      share = share_of_map(op, dim, tiling.loop_part(part.op, dim, position, phase));
      all = dim == Dim::h ? op.input_rows : op.input_columns;
    }
    if (share == all) continue;
    EXPECTS(macs % all == 0, macs, all);
    macs = macs / all * share;
  }
  return Macs{macs};
}

}  // namespace

PartWork part_work(Network const& network, arch::AcceleratorSpec const& accelerator,
                   Tiling const& tiling, OperatorId id, Phase phase, std::size_t position) {
  auto const& op = network.at(id);
  PartWork part;
  part.op = id;
  if (workloads::is_a_view(op.kind)) return part;
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
  for (auto const dim : workloads::all_dims) {
    part.extents[dim] = tiling.loop_extent(id, dim, position, phase);
  }
  part.macs = macs_of(network, accelerator, tiling, part, phase, position);
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
