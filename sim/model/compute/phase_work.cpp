// Element-wise work by kind of operator, padding, tile rules.
#include "sim/model/compute/phase_work.hpp"

#include <algorithm>

namespace tessera::sim {

using workloads::Phase;

namespace {

ElementWork work_beside(ConvShape const& conv, Phase phase, ComputeOptions const& options) {
  auto const outputs =
      Elements{conv.samples} * conv.filters * conv.rows.output * conv.columns.output;
  auto const inputs = Elements{conv.samples} * conv.channels * conv.rows.input * conv.columns.input;
  auto const weights =
      Elements{conv.filters} * (conv.channels / conv.groups) * conv.rows.taps * conv.columns.taps;
  switch (phase) {
    case Phase::forward:
    case Phase::recompute:
      return {work_of(VectorOperation::relu), outputs};
    case Phase::backward_data:
      return {work_of(VectorOperation::relu_backward), inputs};
    case Phase::backward_weight:
      return {};
    case Phase::update:
      return {work_of(options.optimizer), weights};
  }
  return {};
}

/// Attention's softmax is an operator of its own (VectorOperation::softmax).
ElementWork work_beside(MatmulShape const& /*shape*/, Phase /*phase*/,
                        ComputeOptions const& /*options*/) {
  return {};
}

ElementWork work_beside(LstmShape const& lstm, Phase phase, ComputeOptions const& options) {
  auto const weights = Elements{4} * lstm.hidden * (lstm.inputs + lstm.hidden);
  if (phase == Phase::update) return {work_of(options.optimizer), weights};
  if (phase == Phase::backward_weight) return {};
  return {work_of(VectorOperation::lstm_gates), Elements{lstm.steps} * lstm.samples * lstm.hidden};
}

/// The error of y = softmax(x) is y (e - sum(e y)): a product and a sum, then a difference and a
/// product, in two passes.
VectorWork const softmax_error{4, 2 + 2, 1};

ElementWork work_beside(ElementwiseShape const& shape, Phase phase, ComputeOptions const& options) {
  using Work = ElementwiseShape::Work;
  auto const elements = Elements{shape.elements};
  if (phase == Phase::update) return {work_of(options.optimizer), Elements{shape.weights}};
  if (phase == Phase::backward_weight) return {};
  bool const forward = phase == Phase::forward;
  if (shape.work == Work::softmax) {
    return {forward ? work_of(VectorOperation::softmax) : softmax_error, elements};
  }
  if (shape.work == Work::layer_norm) {
    auto const backward = VectorOperation::layer_norm_backward;
    return {work_of(forward ? VectorOperation::layer_norm : backward), elements};
  }
  if (!forward) return {};
  return {{shape.inputs - 1, shape.inputs, 1}, Elements{shape.elements}};
}

}  // namespace

ElementWork element_work(OperatorShape const& shape, Phase phase, ComputeOptions const& options) {
  bool const is_product =
      phase != Phase::update && !std::holds_alternative<ElementwiseShape>(shape);
  bool const is_counted = options.activations == ComputeOptions::Activations::counted;
  if (is_product && !is_counted) return {};
  return std::visit([&](auto const& kind) { return work_beside(kind, phase, options); }, shape);
}

Padding::Padding(arch::TilePadding const& padding, OperatorShape const& shape, Phase phase)
    : padding_{padding}, phase_{phase} {
  auto const* const conv = std::get_if<ConvShape>(&shape);
  if (conv != nullptr && conv->rows.taps * conv->columns.taps > 1) {
    samples_ = {padded(conv->samples, padding.samples), conv->samples};
  }
}

Gemm Padding::operator()(Gemm gemm) const {
  auto& samples = phase_ == Phase::backward_weight ? gemm.k : gemm.m;
  samples = samples_.of(samples);
  return padded(gemm, padding_);
}

TileRules tile_rules(arch::SystolicCoreSpec const& core, OperandShares const& shares,
                     ComputeOptions const& options) {
  TileRules rules{core.scratchpad, core.padding, options.element, arch::accumulator_size, shares};
  auto const& array = core.array;
  auto& [samples, m, n, k] = rules.granule;
  bool const is_output = array.dataflow == arch::Dataflow::output_stationary;
  bool const is_input = array.dataflow == arch::Dataflow::input_stationary;
  if (is_output) m = std::max(m, array.rows);
  if (is_input) m = std::max(m, array.columns);
  if (!is_input) n = std::max(n, array.columns);
  if (!is_output) k = std::max(k, array.rows);
  return rules;
}

}  // namespace tessera::sim
