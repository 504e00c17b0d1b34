// Slots per element, and the busiest slot.
#include "sim/model/compute/vector_unit.hpp"

#include <algorithm>

#include "sim/model/compute/gemm.hpp"

namespace tessera::sim {

VectorWork work_of(VectorOperation operation) {
  switch (operation) {
    case VectorOperation::bias_add:
    case VectorOperation::relu:
      return {1, 1, 1};
    case VectorOperation::relu_backward:
    case VectorOperation::add:
      return {1, 2, 1};
    case VectorOperation::batch_norm:
      return {3 + 2, 1 + 1, 1};
    case VectorOperation::batch_norm_backward:
      return {4 + 5, 2 + 2, 1};
    case VectorOperation::layer_norm:
      return {7, 2, 1};
    case VectorOperation::layer_norm_backward:
      return {11, 4, 1};
    case VectorOperation::softmax:
      return {14, 2, 1};
    case VectorOperation::softmax_loss_backward:
      return {2, 2, 1};
    case VectorOperation::gelu:
      return {15, 1, 1};
    case VectorOperation::gelu_backward:
      return {20, 2, 1};
    case VectorOperation::dropout:
      return {3 + 8, 1, 1};
    case VectorOperation::lstm_gates:
      return {40, 5, 2};
    case VectorOperation::sgd:  // w -= rate * g
      return {2, 2, 1};
    case VectorOperation::momentum:  // with weight decay
      return {6, 3, 2};
    case VectorOperation::adam:
      return {14, 4, 3};
  }
  return {};
}

VectorWork max_pool(std::int64_t window) {
  auto const inputs = window * window;
  return {inputs - 1, inputs, 1};
}

VectorWork max_pool_backward(std::int64_t window) {
  auto const inputs = window * window;
  return {inputs, 2, inputs};
}

VectorWork average_pool(std::int64_t window) {
  auto const inputs = window * window;
  return {inputs, inputs, 1};
}

VectorCost vector_cost(arch::VectorUnitSpec const& unit, VectorWork const& work,
                       Elements elements) {
  auto const vectors = ceil_divide(elements.value(), unit.lanes * unit.sublanes);
  auto const slots = [vectors](std::int64_t each, std::int64_t per_cycle) {
    return ceil_divide(tessera::detail::checked_multiply(vectors, each), per_cycle);
  };
  return {Cycles{std::max({slots(work.alu, unit.alus), slots(work.loads, unit.loads),
                           slots(work.stores, unit.stores)})},
          (elements * work.alu).value(), elements * (work.loads + work.stores)};
}

}  // namespace tessera::sim
