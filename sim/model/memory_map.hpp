// Where the tensors of an accelerator lie in its memory.
#pragma once

#include <vector>

#include "sim/model/schedule.hpp"
#include "sim/model/tile_engine.hpp"

namespace tessera::sim {

/// Every operator that the accelerator computes has six tensors, one behind the other in the order
/// of the operators, each from a stripe on: input, weight, output and the errors (gradients) of the
/// three. Addresses beyond the memory's capacity wrap around; what fits is the planner's concern,
/// and a wrapped address costs what another would.
///
/// Leaves out: that the output of one operator and the input of the next may be one tensor.
class MemoryMap final {
 public:
  MemoryMap(TaskGraph const& graph, TaskRange const& tasks, Bytes alignment);

  /// Of the operands of a computation:
  ///                    a                  b         c
  ///   forward          input              weight    output
  ///   backward_data    error of output    weight    error of input
  ///   backward_weight  error of output    input     gradient of the weight
  ///   update           weight             gradient  weight
  /// (A row-stationary array reads the two of backward_weight the other way round, in the same
  /// way.)
  [[nodiscard]] TileEngine::Addresses addresses(Task const& task) const;

 private:
  enum Tensor : std::size_t { input, weight, output, input_error, gradient, output_error };

  std::vector<std::array<Bytes, 6>> tensors_;  ///< by OperatorId
};

}  // namespace tessera::sim
