// Max-plus algebra: times that are the latest of others plus delays, as matrices. A loop whose body is a matrix runs n
// times in log n products (Baccelli et al., "Synchronization and Linearity", 1992).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace tessera::sim {

/// (M x)[i] = max over j of M[i][j] + x[j]; `never` means that i does not wait for j.
template <std::size_t size>
class MaxPlus final {
 public:
  using Vector = std::array<std::int64_t, size>;
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min() / 4;

  /// Waits for itself alone.
  MaxPlus() {
    for (std::size_t i = 0; i < size; ++i) {
      rows_[i].fill(never);
      rows_[i][i] = 0;
    }
  }

  [[nodiscard]] Vector& operator[](std::size_t row) { return rows_[row]; }

  /// Row `row` becomes the latest of two rows, each after a delay.
  [[nodiscard]] static Vector latest(Vector const& a, Vector const& b) {
    Vector result;
    for (std::size_t j = 0; j < size; ++j) result[j] = std::max(a[j], b[j]);
    return result;
  }
  [[nodiscard]] static Vector after(Vector row, std::int64_t delay) {
    for (auto& entry : row) entry = std::max(entry + delay, never);
    return row;
  }

  [[nodiscard]] Vector operator*(Vector const& x) const {
    Vector result;
    for (std::size_t i = 0; i < size; ++i) {
      result[i] = never;
      for (std::size_t j = 0; j < size; ++j) {
        result[i] = std::max(result[i], rows_[i][j] + x[j]);
      }
    }
    return result;
  }

  /// First `earlier`, then this.
  [[nodiscard]] MaxPlus operator*(MaxPlus const& earlier) const {
    MaxPlus product;
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        auto entry = never;
        for (std::size_t k = 0; k < size; ++k) {
          entry = std::max(entry, rows_[i][k] + earlier.rows_[k][j]);
        }
        product.rows_[i][j] = entry;
      }
    }
    return product;
  }

  [[nodiscard]] MaxPlus power(std::int64_t exponent) const {
    MaxPlus result;
    for (auto square = *this; exponent > 0; exponent /= 2, square = square * square) {
      if (exponent % 2 == 1) result = square * result;
    }
    return result;
  }

 private:
  std::array<Vector, size> rows_;
};

}  // namespace tessera::sim
