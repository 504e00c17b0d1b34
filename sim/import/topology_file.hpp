// SCALE-Sim's topology files (github.com/scalesim-project/SCALE-Sim, topologies/): layers as lines of a CSV file.
//
//   Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,
//   Conv1, 224, 224, 7, 7, 3, 64, 2,
// or
//   Layer, M, N, K,
//   fc1, 256, 128, 1024,
//
// The first line names the columns, in any order; upper and lower case, blanks and a comma at the end do not matter. Instead
// of Strides there may be Stride Height and Stride Width. As in SCALE-Sim there is one sample and no padding, and where a
// stride does not divide the last window hangs over the edge.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/compute/operator_shape.hpp"

namespace tessera::sim {

struct NamedShape {
  std::string name;
  OperatorShape shape;
};

/// C[m, n] = A[m, k] * B[k, n] as a fully connected layer: m samples, k inputs, n outputs.
[[nodiscard]] ConvShape linear_shape(std::int64_t m, std::int64_t n, std::int64_t k);

/// Throws ConfigError.
[[nodiscard]] std::vector<NamedShape> topology_from(std::string_view text, std::string const& name);
[[nodiscard]] std::vector<NamedShape> read_topology(std::string const& path);

/// The largest extent that a layer may have, and the most multiplications: keeps every count in
/// range.
inline constexpr std::int64_t largest_extent = 1'000'000'000;
inline constexpr std::int64_t most_macs = 1'000'000'000'000'000;

/// Is a product with these extents within the limits?
[[nodiscard]] bool is_countable(Gemm const& gemm);

}  // namespace tessera::sim
