// The vector unit: everything that is not a product. An operation is so many ALU operations, loads and stores per
// element; the unit works on lanes x sublanes elements at a time and the busiest of its slots decides.
//
//   cycles = max(ceil(V * alu / alus), ceil(V * loads / load slots), ceil(V * stores / store slots))
//   V = ceil(elements / (lanes * sublanes))
//
// Leaves out: latency of the pipeline, the scalar unit, permutes across lanes, register pressure.
#pragma once

#include <cstdint>

#include "arch/core_spec.hpp"

namespace tessera::sim {

/// Slots that one element takes.
struct VectorWork {
  std::int64_t alu = 0;
  std::int64_t loads = 0;
  std::int64_t stores = 0;
};

enum class VectorOperation : std::uint8_t {
  bias_add,
  relu,
  relu_backward,
  batch_norm,           ///< statistics, then the normalisation: two passes
  batch_norm_backward,  ///< two reductions, then the error: two passes
  layer_norm,
  layer_norm_backward,
  softmax,
  softmax_loss_backward,
  gelu,
  gelu_backward,
  dropout,
  add,         ///< of two tensors
  lstm_gates,  ///< per hidden unit and sample: three sigmoids, two tanh
  sgd,
  momentum,
  adam,
};

/// Per element. Operation counts by definition; exponentials, tanh and erf as polynomials of about
/// eight operations.
[[nodiscard]] VectorWork work_of(VectorOperation operation);

/// Per output of a window x window pool.
[[nodiscard]] VectorWork max_pool(std::int64_t window);
[[nodiscard]] VectorWork max_pool_backward(std::int64_t window);
[[nodiscard]] VectorWork average_pool(std::int64_t window);

struct VectorCost {
  Cycles cycles{0};
  std::int64_t operations = 0;  ///< ALU operations on elements, for the energy
  Elements accesses{0};         ///< of the scratchpad
};

[[nodiscard]] VectorCost vector_cost(arch::VectorUnitSpec const& unit, VectorWork const& work,
                                     Elements elements);

}  // namespace tessera::sim
