// Where the tensors of an accelerator lie in its memory.
#pragma once

#include <vector>

#include "sim/model/schedule.hpp"
#include "sim/model/tile_engine.hpp"

namespace tessera::sim {

/// Every operator that the accelerator computes has six tensors, one behind the other in the order
/// of the operators, each from a stripe on: input, weight, output and the errors (gradients) of the
/// three.
///
/// Leaves out: that the output of one operator and the input of the next may be one tensor, and
/// that a tensor that is done with makes room for another. So the map can be larger than the memory
/// although the plan fits (partition/price/footprint.hpp): then addresses beyond the capacity wrap
/// around (memory/address_map.hpp), which stands for the reuse of places that are free again; a
/// wrapped address costs what another would. The report of a run says so (sim/app/measurement.hpp).
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

  /// The first address behind all tensors.
  [[nodiscard]] Bytes size() const { return size_; }

 private:
  enum Tensor : std::size_t { input, weight, output, input_error, gradient, output_error };

  std::vector<std::array<Bytes, 6>> tensors_;  ///< by OperatorId
  Bytes size_{0};
};

}  // namespace tessera::sim
