// Part of an array on its own: planned as an array of so many accelerators, and put back into the whole one, whose other accelerators have
// nothing to do. On AccPar's heterogeneous array the faster half alone is often faster than both.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "arch/array/array_spec.hpp"
#include "partition/plan/plan.hpp"

namespace tessera::partition {

/// Accelerators `first` to `first + array.accelerators - 1` of a whole array. As an array they have
/// the whole one's fabric with links between themselves only: of a torus one of their own, which
/// is a little better than their part of the whole one. What it says is a price for choosing; what
/// counts is a plan on the whole array.
struct SubArray {
  std::size_t first = 0;
  arch::ArraySpec array;

  /// "accelerators 128-255"
  [[nodiscard]] std::string name() const;
};

/// The first halves of the array, of its first half, and so on down to one accelerator; where it
/// has several groups, each of them alone and its first halves. Not the whole array, and none whose
/// fabric cannot be had in that size.
[[nodiscard]] std::vector<SubArray> sub_arrays_of(arch::ArraySpec const& whole);

/// Each group of an array that has several, if it can be had.
[[nodiscard]] std::vector<SubArray> groups_alone(arch::ArraySpec const& whole);

/// A plan for a sub-array as one of the whole array: its stages on the same accelerators there;
/// without stages, one `layerwise` of all operators. Its prediction is none.
[[nodiscard]] Plan lifted(Plan plan, SubArray const& from, arch::ArraySpec const& whole,
                          workloads::Network const& network);

}  // namespace tessera::partition
