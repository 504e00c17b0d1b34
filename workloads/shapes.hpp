// Shape inference: from what an operator is and the shapes it reads to its loop nest and the shape
// it writes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workloads/network_spec.hpp"
#include "workloads/operator.hpp"

namespace tessera::workloads {

/// Extents of a tensor: [n, features], a sequence [n, positions, features] or a feature map
/// [n, channels, rows, columns]. Attention's scores are a map: [n, heads, queries, keys].
using Shape = std::vector<std::int64_t>;

[[nodiscard]] bool is_feature_map(Shape const& shape);
[[nodiscard]] bool is_sequence(Shape const& shape);

/// [n, k, h, w] as [n, k * h * w]. Requires a feature map.
[[nodiscard]] Shape flat(Shape const& shape);

/// "[256, 3, 224, 224]"
[[nodiscard]] std::string to_text(Shape const& shape);

/// The product of positive factors, or none when it exceeds `limit`.
[[nodiscard]] std::optional<std::int64_t> bounded_product(std::vector<std::int64_t> const& factors,
                                                          std::int64_t limit);

/// An operator whose tensors have axes but no ids yet, and their shapes.
struct ShapedOperator {
  Operator op;
  Shape weight;  ///< empty: none
  Shape output;
};

/// Throws ConfigError at the operator when the shapes do not fit.
[[nodiscard]] ShapedOperator shape_operator(OperatorSpec const& spec,
                                            std::vector<Shape> const& inputs);

/// Makes the output flat; channel k becomes its block of h * w features.
void flatten_output(ShapedOperator& shaped);

}  // namespace tessera::workloads
