// Element-wise work by kind of operator, padding, tile rules.
#include "sim/model/compute/phase_work.hpp"

#include <algorithm>

#include "arch/base/clock.hpp"

namespace tessera::sim {

using workloads::Phase;

namespace {

using Passes = std::vector<VectorPass>;

Passes passes_of(ConvShape const& conv, Phase phase, ComputeOptions const& options) {
  auto const outputs =
      Elements{conv.samples} * conv.filters * conv.rows.output * conv.columns.output;
  auto const inputs = Elements{conv.samples} * conv.channels * conv.rows.input * conv.columns.input;
  auto const weights =
      Elements{conv.filters} * (conv.channels / conv.groups) * conv.rows.taps * conv.columns.taps;
  switch (phase) {
    case Phase::forward:
    case Phase::recompute:
      return {pass_over(work_of(VectorOperation::relu), outputs)};
    case Phase::backward_data:
      return {pass_over(work_of(VectorOperation::relu_backward), inputs)};
    case Phase::backward_weight:
      return {};
    case Phase::update:
      return {pass_over(work_of(options.optimizer), weights)};
  }
  return {};
}

/// Attention's softmax is an operator of its own.
Passes passes_of(MatmulShape const& /*shape*/, Phase /*phase*/, ComputeOptions const& /*options*/) {
  return {};
}

Passes passes_of(LstmShape const& lstm, Phase phase, ComputeOptions const& options) {
  auto const weights = Elements{4} * lstm.hidden * (lstm.inputs + lstm.hidden);
  if (phase == Phase::update) return {pass_over(work_of(options.optimizer), weights)};
  if (phase == Phase::backward_weight) return {};
  auto const cells = Elements{lstm.steps} * lstm.samples * lstm.hidden;
  return {pass_over(work_of(VectorOperation::lstm_gates), cells)};
}

/// The maximum is taken as the product's sums leave, the quotient as the next product's tiles
/// arrive; their slots are counted with the pass that is left.
Passes fused_softmax(ElementwiseShape const& shape) {
  auto passes = softmax_passes(Elements{shape.elements}, shape.rows);
  if (shape.fusion.in_front_of_product) {
    passes[1].work.alu += passes[2].work.alu;
    passes.pop_back();
  }
  if (shape.fusion.behind_product) {
    passes[1].work.alu += passes[0].work.alu;
    passes[1].reduced_rows += passes[0].reduced_rows;
    passes.erase(passes.begin());
  }
  return passes;
}

/// Of a sum behind a product, the product's result is there and the sum is stored in its stead.
Passes combination(ElementwiseShape const& shape) {
  VectorPass pass;
  pass.work = {shape.inputs - 1, shape.inputs, 1};
  pass.elements = pass.writes = Elements{shape.elements};
  auto const first = Elements{shape.read / shape.tensors};
  pass.reads = {first, Elements{shape.read} - first};
  if (shape.fusion.behind_product && shape.tensors > 1) {
    pass.reads[0] = pass.writes = Elements{0};
    pass.starts_kernel = false;
  }
  return {pass};
}

Passes passes_of(ElementwiseShape const& shape, Phase phase, ComputeOptions const& options) {
  using Work = ElementwiseShape::Work;
  auto const elements = Elements{shape.elements};
  if (shape.elements == 0) return {};
  if (phase == Phase::update) {
    return {pass_over(work_of(options.optimizer), Elements{shape.weights})};
  }
  if (phase == Phase::backward_weight) return {};
  bool const forward = phase == Phase::forward;
  switch (shape.work) {
    case Work::softmax:
      return forward ? fused_softmax(shape) : softmax_error_passes(elements, shape.rows);
    case Work::layer_norm:
      return forward ? layer_norm_passes(elements, shape.rows)
                     : layer_norm_error_passes(elements, shape.rows);
    case Work::combine:
      return forward ? combination(shape) : Passes{};
  }
  return {};
}

}  // namespace

std::vector<VectorPass> vector_passes(OperatorShape const& shape, Phase phase,
                                      ComputeOptions const& options) {
  bool const is_product =
      phase != Phase::update && !std::holds_alternative<ElementwiseShape>(shape);
  bool const is_counted = options.activations == ComputeOptions::Activations::counted;
  if (is_product && !is_counted) return {};
  return std::visit([&](auto const& kind) { return passes_of(kind, phase, options); }, shape);
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

Cycles kernel_start(arch::CoreSpec const& spec) {
  return Clock{spec.clock}.edge_at_or_after(spec.kernel_start);
}

}  // namespace tessera::sim
