// Convolutions as matrix products, phase by phase.
#include "sim/model/compute/operator_shape.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

using workloads::Dim;
using workloads::Phase;

ConvSide side_of(workloads::Operator const& op, Dim position, Dim tap,
                 workloads::PerDim<std::int64_t> const& local, std::int64_t whole_input) {
  ConvSide side;
  side.output = local[position];
  side.taps = local[tap];
  side.input = whole_input;
  auto const axis = op.inputs.front().axis_of(position);
  if (!axis) return side;
  auto const& access = op.inputs.front().axes[*axis];
  side.stride = access.step;
  side.padding = access.before;
  if (side.taps > 1) side.dilation = (access.window - 1) / (side.taps - 1);
  if (local[position] != op.extents[position]) {
    // With its halo it needs no padding. (A part at the edge of the map has less of a halo and some
    // padding: as many positions, of which some are zeros.)
    auto const reach = std::max(access.window, access.step);
    side.input = std::min(whole_input, (side.output - 1) * side.stride + reach);
    side.padding = 0;
  }
  return side;
}

std::int64_t positions_of(ConvShape const& conv) {
  return conv.samples * conv.rows.output * conv.columns.output;
}

std::vector<Gemm> error_of(ConvShape const& conv, ErrorMapping mapping) {
  auto const filters = conv.filters / conv.groups;
  auto const channels = conv.channels / conv.groups;
  auto const taps = conv.rows.taps * conv.columns.taps;
  if (mapping == ErrorMapping::scattered) {
    return {{conv.groups, positions_of(conv), channels * taps, filters}};
  }
  if (mapping == ErrorMapping::zero_inserted) {
    auto const positions = conv.samples * conv.rows.input * conv.columns.input;
    return {{conv.groups, positions, channels, filters * taps}};
  }
  std::vector<Gemm> gemms;
  for (auto const& row : residue_classes(conv.rows)) {
    for (auto const& column : residue_classes(conv.columns)) {
      auto const positions = conv.samples * row.positions * column.positions;
      gemms.push_back({conv.groups, positions, channels, filters * row.taps * column.taps});
    }
  }
  return gemms;
}

std::vector<Gemm> gemms(ConvShape const& conv, Phase phase, ErrorMapping mapping) {
  EXPECTS(conv.filters % conv.groups == 0 && conv.channels % conv.groups == 0, conv.groups);
  auto const filters = conv.filters / conv.groups;
  auto const window = conv.channels / conv.groups * conv.rows.taps * conv.columns.taps;
  if (phase == Phase::forward) return {{conv.groups, positions_of(conv), filters, window}};
  if (phase == Phase::backward_weight) return {{conv.groups, filters, window, positions_of(conv)}};
  return error_of(conv, mapping);
}

std::vector<Gemm> gemms(MatmulShape const& matmul, Phase phase, ErrorMapping /*mapping*/) {
  auto const& [batch, m, n, k] = matmul.gemm;
  if (phase == Phase::forward) return {matmul.gemm};
  if (phase == Phase::backward_data) return {{batch, m, k, n}, {batch, k, n, m}};
  return {};
}

std::vector<Gemm> gemms(LstmShape const& lstm, Phase phase, ErrorMapping /*mapping*/) {
  auto const gates = 4 * lstm.hidden;
  auto const all = lstm.steps * lstm.samples;
  if (phase == Phase::backward_weight) {
    return {{1, gates, lstm.inputs, all}, {1, gates, lstm.hidden, all}};
  }
  bool const forward = phase == Phase::forward;
  std::vector<Gemm> products = {forward ? Gemm{1, all, gates, lstm.inputs}
                                        : Gemm{1, all, lstm.inputs, gates}};
  Gemm const step = forward ? Gemm{1, lstm.samples, gates, lstm.hidden}
                            : Gemm{1, lstm.samples, lstm.hidden, gates};
  products.insert(products.end(), static_cast<std::size_t>(lstm.steps), step);
  return products;
}

std::vector<Gemm> gemms(ElementwiseShape const& /*shape*/, Phase /*phase*/,
                        ErrorMapping /*mapping*/) {
  return {};
}

/// What a pool reads; windows overlap or leave gaps.
std::int64_t pooled(workloads::Operator const& op, workloads::PerDim<std::int64_t> const& local) {
  auto const rows = side_of(op, Dim::h, Dim::r, local, op.input_rows).input;
  auto const columns = side_of(op, Dim::w, Dim::s, local, op.input_columns).input;
  return (Macs{1} * local[Dim::n] * local[Dim::k] * rows * columns).value();
}

/// One element per output; a pool reads every position of its window.
ElementwiseShape elementwise(workloads::Operator const& op,
                             workloads::PerDim<std::int64_t> const& local, Fusion const& fusion) {
  using workloads::OperatorKind;
  ElementwiseShape shape;
  if (workloads::is_a_view(op.kind)) {
    shape.elements = shape.read = 0;
    return shape;
  }
  auto const elements = Macs{1} * local[Dim::n] * local[Dim::k] * local[Dim::h] * local[Dim::w];
  shape.elements = elements.value();
  shape.tensors = static_cast<std::int64_t>(op.inputs.size());
  shape.inputs = shape.tensors * local[Dim::r] * local[Dim::s];
  shape.read =
      op.kind == OperatorKind::pool ? pooled(op, local) : (elements * shape.tensors).value();
  shape.fusion = fusion;
  if (op.kind == OperatorKind::softmax) shape.work = ElementwiseShape::Work::softmax;
  if (op.kind == OperatorKind::layer_norm) shape.work = ElementwiseShape::Work::layer_norm;
  if (shape.work != ElementwiseShape::Work::combine) {
    shape.rows = shape.elements / local[op.output.axes.back().dim];
  }
  if (op.weight) shape.weights = local[Dim::c] * local[Dim::k];
  return shape;
}

/// Attention: one product per sample and head.
MatmulShape product_of_activations(workloads::Operator const& op,
                                   workloads::PerDim<std::int64_t> const& local) {
  EXPECTS(workloads::multiplies_activations(op.kind), op.name);
  return {{local[Dim::n] * local[Dim::k], local[Dim::h], local[Dim::w], local[Dim::c]}};
}

/// Of an LSTM only the samples are ever split.
LstmShape cells(workloads::Operator const& op, workloads::PerDim<std::int64_t> const& local) {
  auto const hidden = op.extents[Dim::k];
  return {local[Dim::h], local[Dim::n], local[Dim::c] - hidden, hidden};
}

/// The groups whose filters are all here; a part of one group, or parts of several, is one product.
std::int64_t groups_of(workloads::Operator const& op,
                       workloads::PerDim<std::int64_t> const& local) {
  auto const filters_per_group = op.extents[Dim::k] / op.groups;
  bool const whole = local[Dim::k] % filters_per_group == 0;
  return whole ? local[Dim::k] / filters_per_group : 1;
}

}  // namespace

OperatorShape shape_of(workloads::Operator const& op, workloads::PerDim<std::int64_t> const& local,
                       Fusion const& fusion) {
  if (!workloads::multiplies(op.kind)) return elementwise(op, local, fusion);
  if (op.kind == workloads::OperatorKind::lstm) return cells(op, local);
  if (workloads::multiplies_activations(op.kind)) return product_of_activations(op, local);
  ConvShape conv;
  conv.samples = local[Dim::n];
  conv.filters = local[Dim::k];
  conv.groups = groups_of(op, local);
  conv.channels = local[Dim::c] * conv.groups;
  conv.rows = side_of(op, Dim::h, Dim::r, local, op.input_rows);
  conv.columns = side_of(op, Dim::w, Dim::s, local, op.input_columns);
  return conv;
}

Macs analytical_macs(OperatorShape const& shape, Phase phase) {
  return macs(gemms_of(shape, phase, ErrorMapping::scattered));
}

std::vector<Gemm> gemms_of(OperatorShape const& shape, Phase phase, ErrorMapping mapping) {
  if (phase == Phase::update) return {};
  return std::visit([&](auto const& kind) { return gemms(kind, phase, mapping); }, shape);
}

OperandShares distinct_shares(OperatorShape const& shape, Phase phase) {
  auto const* const conv = std::get_if<ConvShape>(&shape);
  if (conv == nullptr || phase == Phase::update) return {};
  auto const inputs = conv->samples * conv->channels * conv->rows.input * conv->columns.input;
  auto const outputs = conv->filters * positions_of(*conv);
  auto const windows = positions_of(*conv) * conv->channels * conv->rows.taps * conv->columns.taps;
  if (phase == Phase::forward) return {{std::min(inputs, windows), windows}, {}};
  if (phase == Phase::backward_weight) return {{}, {std::min(inputs, windows), windows}};
  std::int64_t taken = 0;
  for (auto const& gemm : gemms_of(shape, phase)) taken += gemm.batch * gemm.m * gemm.k;
  return {{std::min(outputs, taken), taken}, {}};
}

std::vector<ResidueClass> residue_classes(ConvSide const& side) {
  std::vector<ResidueClass> classes;
  for (std::int64_t residue = 0; residue < side.stride; ++residue) {
    // Position x belongs to the class (x + padding) mod stride; its taps have tap * dilation there.
    auto const first = ((residue - side.padding) % side.stride + side.stride) % side.stride;
    ResidueClass found;
    if (first < side.input) found.positions = (side.input - 1 - first) / side.stride + 1;
    for (std::int64_t tap = 0; tap < side.taps; ++tap) {
      if (tap * side.dilation % side.stride == residue) ++found.taps;
    }
    if (found.positions > 0 && found.taps > 0) classes.push_back(found);
  }
  return classes;
}

}  // namespace tessera::sim
