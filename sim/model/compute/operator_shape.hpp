// What a processing unit needs to know of an operator: its kind and the extents of the part that it computes.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <variant>
#include <vector>

#include "sim/model/compute/fusion.hpp"
#include "sim/model/compute/gemm.hpp"
#include "workloads/operator.hpp"

namespace tessera::sim {

/// One side (rows or columns) of a convolution: output position y reads the input positions
/// y * stride + tap * dilation - padding, as far as they exist.
struct ConvSide {
  std::int64_t input = 1;
  std::int64_t output = 1;
  std::int64_t taps = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t padding = 0;

  friend bool operator<(ConvSide const& a, ConvSide const& b) {
    return std::tie(a.input, a.output, a.taps, a.stride, a.dilation, a.padding) <
           std::tie(b.input, b.output, b.taps, b.stride, b.dilation, b.padding);
  }
};

/// A convolution, or with 1 x 1 sides a fully connected layer. Channels are those of all groups.
struct ConvShape {
  std::int64_t samples = 1;
  std::int64_t filters = 1;
  std::int64_t channels = 1;
  std::int64_t groups = 1;
  ConvSide rows;
  ConvSide columns;

  friend bool operator<(ConvShape const& a, ConvShape const& b) {
    return std::tie(a.samples, a.filters, a.channels, a.groups, a.rows, a.columns) <
           std::tie(b.samples, b.filters, b.channels, b.groups, b.rows, b.columns);
  }
};

/// C = A * B where both are activations: attention's scores and contexts.
struct MatmulShape {
  Gemm gemm;

  friend bool operator<(MatmulShape const& a, MatmulShape const& b) {
    return std::tie(a.gemm.batch, a.gemm.m, a.gemm.n, a.gemm.k) <
           std::tie(b.gemm.batch, b.gemm.m, b.gemm.n, b.gemm.k);
  }
};

/// `steps` time steps of an LSTM layer: gates[4 hidden] = W [x, h]. The products with x and, in
/// backward_weight, those with h are batched over time; the recurrence is not.
struct LstmShape {
  std::int64_t steps = 1;
  std::int64_t samples = 1;
  std::int64_t inputs = 1;
  std::int64_t hidden = 1;

  friend bool operator<(LstmShape const& a, LstmShape const& b) {
    return std::tie(a.steps, a.samples, a.inputs, a.hidden) <
           std::tie(b.steps, b.samples, b.inputs, b.hidden);
  }
};

/// Element-wise work: nothing to multiply.
struct ElementwiseShape {
  enum class Work : std::uint8_t {
    combine,  ///< every output combines `inputs` elements: a sum, a pool, a row that is copied
    softmax,
    layer_norm,
  };

  std::int64_t elements = 1;
  std::int64_t inputs = 2;
  Work work = Work::combine;
  std::int64_t weights = 0;  ///< that it learns: the table of an embedding
  std::int64_t tensors = 1;  ///< that it reads
  std::int64_t read = 2;     ///< different elements of all of them
  std::int64_t rows = 1;     ///< softmax, layer_norm: each is brought together
  Fusion fusion;

  friend bool operator<(ElementwiseShape const& a, ElementwiseShape const& b) {
    return std::tie(a.elements, a.inputs, a.work, a.weights, a.tensors, a.read, a.rows,
                    a.fusion.behind_product, a.fusion.in_front_of_product) <
           std::tie(b.elements, b.inputs, b.work, b.weights, b.tensors, b.read, b.rows,
                    b.fusion.behind_product, b.fusion.in_front_of_product);
  }
};

/// Ordered by all that they hold: operators of one shape have one program (program_library.hpp).
using OperatorShape = std::variant<ConvShape, MatmulShape, LstmShape, ElementwiseShape>;

/// How the error of a convolution's input is computed.
enum class ErrorMapping {
  /// One product per residue of the input position modulo the stride: only taps that meet an error.
  by_residue,
  /// A convolution of the error with stride - 1 zeros between its elements, zeros multiplied too.
  zero_inserted,
  /// One product of error and weights for every output position, whose results are added up where
  /// they fall (col2im): exactly the forward MACs.
  scattered,
};

/// The part of `op` with these local loop extents. A split of rows or columns leaves stride *
/// extent input rows, which is what a split in whole blocks owns.
[[nodiscard]] OperatorShape shape_of(workloads::Operator const& op,
                                     workloads::PerDim<std::int64_t> const& local,
                                     Fusion const& fusion = {});

/// MACs as the literature counts them: the product of the loop bounds, padding included, the same
/// in forward, backward_data and backward_weight; twice for the two errors of a matmul.
[[nodiscard]] Macs analytical_macs(OperatorShape const& shape, workloads::Phase phase);

/// The products that make up a phase; none for update, nor for element-wise work.
///
///            m                n            k
/// forward    samples * H * W  K            C * R * S     Y = X W
/// error      samples * h * w  C            K * R * S     per residue, see ErrorMapping
/// gradient   K                C * R * S    samples * H * W
[[nodiscard]] std::vector<Gemm> gemms_of(OperatorShape const& shape, workloads::Phase phase,
                                         ErrorMapping mapping = ErrorMapping::by_residue);

/// How many of an operand's elements are different ones: windows of a convolution overlap, and a
/// core that forms them on chip loads each input once.
struct Share {
  std::int64_t distinct = 1;
  std::int64_t all = 1;

  [[nodiscard]] std::int64_t of(std::int64_t elements) const {
    return tessera::detail::multiply_divide_ceil(elements, distinct, all);
  }
};
struct OperandShares {
  Share a;
  Share b;
};

/// Of all products of a phase together.
[[nodiscard]] OperandShares distinct_shares(OperatorShape const& shape, workloads::Phase phase);

/// The input positions of one residue class of a side and the taps that meet an error there.
struct ResidueClass {
  std::int64_t positions = 0;
  std::int64_t taps = 0;
};

/// All classes of a side that have positions and taps. A class without taps is an error of zero.
[[nodiscard]] std::vector<ResidueClass> residue_classes(ConvSide const& side);

}  // namespace tessera::sim
