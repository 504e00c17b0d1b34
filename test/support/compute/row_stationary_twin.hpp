// The word-level twin of one pass on a row-stationary array: every word on every network in every cycle, every PE's
// scratchpads, and one multiplication per PE and cycle.
//
// Time goes by in slots: while all PEs work on one position, the input words of the next one arrive and the sums of the
// last one leave; the slot ends when all three are done. Filters come before the first slot.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/model/compute/row_stationary.hpp"

namespace tessera::sim {

/// Numbers with four indices.
class Tensor4 final {
 public:
  using Index = std::int64_t;

  Tensor4(Index a, Index b, Index c, Index d)
      : b_{b}, c_{c}, d_{d}, numbers_(static_cast<std::size_t>(a * b * c * d)) {}

  [[nodiscard]] std::int64_t& at(Index a, Index b, Index c, Index d) {
    return numbers_[static_cast<std::size_t>(((a * b_ + b) * c_ + c) * d_ + d)];
  }
  [[nodiscard]] std::int64_t at(Index a, Index b, Index c, Index d) const {
    return numbers_[static_cast<std::size_t>(((a * b_ + b) * c_ + c) * d_ + d)];
  }
  [[nodiscard]] std::vector<std::int64_t>& numbers() { return numbers_; }
  friend bool operator==(Tensor4 const& a, Tensor4 const& b) { return a.numbers_ == b.numbers_; }

 private:
  Index b_;
  Index c_;
  Index d_;
  std::vector<std::int64_t> numbers_;
};

/// What a pass works on.
struct PassNumbers {
  Tensor4 filters;  ///< p t, q r, R, S
  Tensor4 inputs;   ///< n, q r, row, column
  Tensor4 sums;     ///< n, p t, e, f: before and after
};

struct PassTwinResult {
  std::int64_t cycles = 0;
  std::int64_t filter_words = 0;
  std::int64_t input_words = 0;
  std::int64_t sum_words = 0;  ///< read and written
  Tensor4 sums;
};

/// Runs the one pass that is all of `conv` (no dilation, mapping as large as the layer).
[[nodiscard]] PassTwinResult run_row_stationary_twin(arch::RowStationaryCoreSpec const& core,
                                                     ConvShape const& conv,
                                                     RowStationaryMapping const& mapping,
                                                     PassNumbers const& numbers);

}  // namespace tessera::sim
