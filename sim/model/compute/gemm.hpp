// Matrix multiplications: what every multiplying phase of every operator becomes on a systolic array.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "arch/base/quantity.hpp"

namespace tessera::sim {

/// `batch` independent products C[m, n] = sum over k of A[m, k] * B[k, n].
struct Gemm {
  std::int64_t batch = 1;
  std::int64_t m = 1;
  std::int64_t n = 1;
  std::int64_t k = 1;

  [[nodiscard]] Macs macs() const { return Macs{batch} * m * n * k; }

  /// C^T = B^T * A^T: the same products with the operands' roles exchanged.
  [[nodiscard]] Gemm transposed() const { return {batch, n, m, k}; }

  friend bool operator==(Gemm const& a, Gemm const& b) {
    return a.batch == b.batch && a.m == b.m && a.n == b.n && a.k == b.k;
  }
};

[[nodiscard]] inline Macs macs(std::vector<Gemm> const& gemms) {
  Macs sum{0};
  for (auto const& gemm : gemms) sum += gemm.macs();
  return sum;
}

/// ceil(a / b) of counts.
[[nodiscard]] constexpr std::int64_t ceil_divide(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

}  // namespace tessera::sim
