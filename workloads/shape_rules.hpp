// How each kind's loop nest and output follow from what it reads; one overload per kind. Private to shape inference.
#pragma once

#include <array>
#include <vector>

#include "workloads/network_spec.hpp"
#include "workloads/shapes.hpp"

namespace tessera::workloads::detail {

/// An axis that a dimension indexes one by one.
[[nodiscard]] inline AxisAccess plain(Dim dim) { return {dim, 1, 1, 0}; }

/// An axis of which any index may touch any position.
[[nodiscard]] inline AxisAccess anywhere(Dim dim, std::int64_t length) {
  return {dim, 0, length, 0};
}

/// An operator of a kind with all extents 1.
[[nodiscard]] Operator operator_of(OperatorKind kind);

/// The dimension of each axis of an element-wise operator's tensors: [n, k], [n, h, k] or
/// [n, k, h, w].
[[nodiscard]] std::vector<Dim> axes_of(Shape const& shape);

/// An operator that leaves a tensor of the first input's shape, element by element.
[[nodiscard]] ShapedOperator element_by_element(OperatorKind kind,
                                                std::vector<Shape> const& inputs);

/// Throws unless `shape`, the first input's, is a feature map; `who` needs one.
void expect_feature_map(OperatorSpec const& spec, Shape const& shape, char const* who);

// shape_map.cpp: what slides a window over a feature map.
[[nodiscard]] ShapedOperator shape(OperatorSpec const& spec, ConvSpec const& conv,
                                   std::vector<Shape> const& inputs);
[[nodiscard]] ShapedOperator shape(OperatorSpec const& spec, PoolingSpec const& pooling,
                                   std::vector<Shape> const& inputs);

// shape_plain.cpp: what knows no neighbours.
[[nodiscard]] ShapedOperator shape(OperatorSpec const& spec, LinearSpec const& linear,
                                   std::vector<Shape> const& inputs);
[[nodiscard]] ShapedOperator shape(OperatorSpec const& spec, AddSpec const& add,
                                   std::vector<Shape> const& inputs);
[[nodiscard]] ShapedOperator shape(OperatorSpec const& spec, RecastSpec const& recast,
                                   std::vector<Shape> const& inputs);

[[nodiscard]] ShapedOperator shape(OperatorSpec const& spec, ConcatSpec const& concat,
                                   std::vector<Shape> const& inputs);
[[nodiscard]] ShapedOperator shape(OperatorSpec const& spec, SoftmaxSpec const& softmax,
                                   std::vector<Shape> const& inputs);
[[nodiscard]] ShapedOperator shape(OperatorSpec const& spec, LayerNormSpec const& norm,
                                   std::vector<Shape> const& inputs);

[[nodiscard]] ShapedOperator shape(OperatorSpec const& spec, ProfiledSpec const& profiled,
                                   std::vector<Shape> const& inputs);

// shape_sequence.cpp: what works on positions.
[[nodiscard]] ShapedOperator shape(OperatorSpec const& spec, EmbeddingSpec const& embedding,
                                   std::vector<Shape> const& inputs);
[[nodiscard]] ShapedOperator shape(OperatorSpec const& spec, LstmSpec const& lstm,
                                   std::vector<Shape> const& inputs);
[[nodiscard]] ShapedOperator shape(OperatorSpec const& spec, ScoresSpec const& scores,
                                   std::vector<Shape> const& inputs);
[[nodiscard]] ShapedOperator shape(OperatorSpec const& spec, ContextSpec const& context,
                                   std::vector<Shape> const& inputs);

}  // namespace tessera::workloads::detail
