// The register-level twin of a systolic array: every PE in every cycle, with numbers that flow through it.
//
// It knows no formula. A controller feeds the array's border, as early as its registers allow; the cycles are those
// after which the last result is out, and the product is there to be compared.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/accelerator/core_spec.hpp"
#include "sim/model/compute/gemm.hpp"

namespace tessera::sim {

using Number = std::int64_t;

/// A matrix, or a batch of them, in rows.
class Matrix final {
 public:
  Matrix(std::int64_t rows, std::int64_t columns)
      : columns_{columns}, numbers_(static_cast<std::size_t>(rows * columns)) {}

  [[nodiscard]] Number& at(std::int64_t row, std::int64_t column) {
    return numbers_[static_cast<std::size_t>(row * columns_ + column)];
  }
  [[nodiscard]] Number at(std::int64_t row, std::int64_t column) const {
    return numbers_[static_cast<std::size_t>(row * columns_ + column)];
  }
  [[nodiscard]] std::int64_t rows() const {
    return static_cast<std::int64_t>(numbers_.size()) / columns_;
  }
  [[nodiscard]] std::int64_t columns() const { return columns_; }
  [[nodiscard]] Matrix transposed() const;
  [[nodiscard]] std::vector<Number>& numbers() { return numbers_; }

  friend bool operator==(Matrix const& a, Matrix const& b) {
    return a.columns_ == b.columns_ && a.numbers_ == b.numbers_;
  }

 private:
  std::int64_t columns_;
  std::vector<Number> numbers_;
};

/// The product by its definition.
[[nodiscard]] Matrix product(Matrix const& a, Matrix const& b);

struct TwinResult {
  std::int64_t cycles = 0;
  std::vector<Matrix> products;
};

/// Runs products (a[i] times b[i], all of one shape) through one array. `haste` starts everything
/// that has to wait for a register that many cycles too early: the products are then wrong.
[[nodiscard]] TwinResult run_systolic_twin(arch::SystolicArraySpec const& array,
                                           std::vector<Matrix> const& a,
                                           std::vector<Matrix> const& b, std::int64_t haste = 0);

}  // namespace tessera::sim
