#include "workloads/tensor.hpp"

namespace tessera::workloads {

Elements Tensor::elements() const {
  Elements product{1};
  for (auto const extent : extents) product = product * extent;
  return product;
}

}  // namespace tessera::workloads
