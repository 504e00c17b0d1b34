// Operators: loop nests whose dimensions have names, and which of them index each tensor.
//
// Convolution and matrix multiplication, with the dimensions' usual letters:
//   Y[n, k, h, w] = sum over c, r, s of X[n, c, h + r, w + s] * W[k, c, r, s]        (a matmul has h = w = r = s = 1)
// Every other operator is described the same way, so planners and lowering know dimensions, not kinds; what each letter means
// to a kind stands where the kind's shape is inferred (shape_*.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workloads/tensor.hpp"

namespace tessera::workloads {

/// A named loop dimension.
enum class Dim : std::uint8_t {
  n,  ///< sample
  k,  ///< output channel
  c,  ///< input channel (reduced over)
  h,  ///< output row
  w,  ///< output column
  r,  ///< filter row (reduced over)
  s,  ///< filter column (reduced over)
};
inline constexpr std::size_t dim_count = 7;
inline constexpr std::array<Dim, dim_count> all_dims = {Dim::n, Dim::k, Dim::c, Dim::h,
                                                        Dim::w, Dim::r, Dim::s};
[[nodiscard]] char const* name(Dim dim);

/// Rows or columns: what windows slide over.
[[nodiscard]] constexpr bool is_of_map(Dim dim) { return dim == Dim::h || dim == Dim::w; }

/// A value per dimension.
template <typename T>
class PerDim {
 public:
  [[nodiscard]] T& operator[](Dim dim) { return values_[static_cast<std::size_t>(dim)]; }
  [[nodiscard]] T const& operator[](Dim dim) const {
    return values_[static_cast<std::size_t>(dim)];
  }
  friend bool operator==(PerDim const& a, PerDim const& b) { return a.values_ == b.values_; }

 private:
  std::array<T, dim_count> values_{};
};

/// The phases of a training step.
enum class Phase : std::uint8_t {
  forward,          ///< Y from X and W
  backward_data,    ///< the error of X from the error of Y and W
  backward_weight,  ///< the gradient of W from X and the error of Y
  update,           ///< W from its gradient
  recompute,        ///< Y once more, because what the backward phases need of it was not kept
};
inline constexpr std::array<Phase, 5> all_phases = {
    Phase::forward, Phase::backward_data, Phase::backward_weight, Phase::update, Phase::recompute};
/// Those of every step; what is recomputed is up to a plan.
inline constexpr std::array<Phase, 4> own_phases = {Phase::forward, Phase::backward_data,
                                                    Phase::backward_weight, Phase::update};
[[nodiscard]] char const* name(Phase phase);

/// The phase of which it is the work: recomputing is forward work.
[[nodiscard]] constexpr Phase computed_as(Phase phase) {
  return phase == Phase::recompute ? Phase::forward : phase;
}

enum class OperatorKind : std::uint8_t {
  conv,        ///< convolution, with its activation and pooling folded in
  linear,      ///< fully connected, with its activation folded in
  add,         ///< element-wise sum of several inputs
  pool,        ///< maximum or average of windows: the same to us, neither multiplies
  recast,      ///< its input taken as another shape, for published tables whose layers do not meet
  concat,      ///< its inputs one behind the other along their channels or features
  softmax,     ///< over the last axis
  layer_norm,  ///< over the features
  embedding,   ///< a row of a table per id
  lstm,        ///< a layer of LSTM cells over all time steps
  scores,      ///< attention: queries times keys, per head
  context,     ///< attention: probabilities times values, per head
  profiled,    ///< whatever it was that was measured: sizes only, its times are in a profile
};
inline constexpr std::array<OperatorKind, 13> all_operator_kinds = {
    OperatorKind::conv,      OperatorKind::linear, OperatorKind::add,     OperatorKind::pool,
    OperatorKind::recast,    OperatorKind::concat, OperatorKind::softmax, OperatorKind::layer_norm,
    OperatorKind::embedding, OperatorKind::lstm,   OperatorKind::scores,  OperatorKind::context,
    OperatorKind::profiled};
[[nodiscard]] char const* name(OperatorKind kind);

/// Does the kind multiply in its forward pass? Sums, maxima and exponentials are not MACs.
[[nodiscard]] bool multiplies(OperatorKind kind);

/// Does it multiply two activations? Then it has an error for each, as many MACs again.
[[nodiscard]] bool multiplies_activations(OperatorKind kind);

/// Does the error of its inputs depend on their values? (A product's with weights does not.)
[[nodiscard]] bool error_needs_inputs(OperatorKind kind);

/// Does it only name what lies in memory already, at no cost?
[[nodiscard]] bool is_a_view(OperatorKind kind);

/// How one axis of a tensor follows a loop dimension: index i of `dim` touches positions
/// [i * step - before, i * step - before + window) of the axis, clipped to it. A plain axis has
/// step = window = 1, before = 0. The channel axis of a flattened feature map has step = window =
/// rows * columns. Rows and columns behind a folded pool, and the input channels of a grouped
/// convolution, have step = 0 and window = the whole axis: several indices share a position, or one
/// index touches several, so any may touch any.
struct AxisAccess {
  Dim dim = Dim::n;
  std::int64_t step = 1;
  std::int64_t window = 1;
  std::int64_t before = 0;

  /// Do consecutive indices own consecutive blocks of the axis?
  [[nodiscard]] bool in_whole_blocks() const { return step == window && before == 0; }

  /// Do the windows of consecutive indices follow each other along the axis? They may overlap.
  [[nodiscard]] bool slides() const { return step > 0; }
};

/// One tensor of an operator and the dimension that indexes each of its axes.
struct TensorAccess {
  TensorId tensor;
  std::vector<AxisAccess> axes;  ///< one per axis of the tensor

  /// The axis that `dim` indexes, if any.
  [[nodiscard]] std::optional<std::size_t> axis_of(Dim dim) const;
};

struct Operator {
  std::string name;
  OperatorKind kind = OperatorKind::conv;
  PerDim<std::int64_t> extents;        ///< loop bounds; dimensions that it lacks are 1
  std::vector<TensorAccess> inputs;    ///< activations read, at least one
  std::optional<TensorAccess> weight;  ///< none: nothing to learn
  TensorAccess output;
  std::int64_t input_rows = 1;  ///< of X, before padding; HyPar counts MACs on the input map
  std::int64_t input_columns = 1;
  std::int64_t groups = 1;  ///< of a convolution: c counts the input channels of one group
  bool propagates_error =
      true;  ///< false: the error of its inputs is not computed (first layer, unless asked for)

  /// Multiply-accumulates of one phase of the whole batch, counted on the output map: the product
  /// of all loop bounds for the three multiplying phases (twice that for the two errors of a
  /// product of activations), one per weight for update (w -= rate * gradient), 0 where the phase
  /// does not exist. Kinds that do not multiply() have none but those of an update.
  [[nodiscard]] Macs macs(Phase phase) const;

  /// Does the operator have this phase at all? (No weight: no backward_weight, no update.)
  [[nodiscard]] bool has(Phase phase) const;
  /// The one that reads the error of the output first.
  [[nodiscard]] Phase first_backward_phase() const {
    return has(Phase::backward_data) ? Phase::backward_data : Phase::backward_weight;
  }

  /// Can `dim` be cut so that every part reads and writes boxes? It must index the output unless it
  /// is reduced over (c), and activations plainly or by whole blocks: no two parts share one. Only
  /// the windows of rows and columns may overlap or leave a rest; parts then need some of their
  /// neighbours' positions (partition/geometry/halo.hpp). Never r and s, which only shift a window.
  [[nodiscard]] bool can_split(Dim dim) const;

  /// The dimensions that a partition may split: those with an extent over 1 that can_split().
  [[nodiscard]] std::vector<Dim> splittable_dims() const;
};

}  // namespace tessera::workloads
