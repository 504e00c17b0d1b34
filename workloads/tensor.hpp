// Tensors: named boxes of elements that operators read and write.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arch/base/id.hpp"
#include "arch/base/quantity.hpp"

namespace tessera::workloads {

using OperatorId = Id<struct OperatorTag>;
using TensorId = Id<struct TensorTag>;

/// A tensor of the forward pass. Its error (activations) or gradient (weights) has the same shape
/// and needs no tensor of its own.
struct Tensor {
  enum class Role { activation, weight };

  std::string name;
  Role role = Role::activation;
  std::vector<std::int64_t> extents;   ///< outermost first; activations begin with the sample axis
  std::optional<OperatorId> producer;  ///< none: a network input or a weight
  std::vector<OperatorId> consumers;   ///< in the order of the operators; of weights several share

  [[nodiscard]] Elements elements() const;
};

}  // namespace tessera::workloads
