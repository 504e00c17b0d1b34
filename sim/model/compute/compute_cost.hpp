// What a core takes for one phase of an operator's local part: the boundary between the PE arrays and the simulator.
// Pure and deterministic.
//
// On a systolic core the vector unit works beside the matrix units (one VLIW bundle feeds both), so a phase takes the
// longer of its products and the activation behind them; products follow one another, and so do the passes of what has no
// product, each a kernel. With Memory::core each kernel takes a start, and its tiles stream (phase_stream.hpp). On a
// row-stationary core element-wise work takes an operation per PE and cycle, after the products, and the phase takes one start.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "arch/accelerator/core_spec.hpp"
#include "sim/model/compute/operator_shape.hpp"
#include "sim/model/compute/vector_unit.hpp"

namespace tessera::sim {

struct ComputeOptions {
  enum class Memory {
    ideal,  ///< tiles are always there: loads and stores are somebody else's, or free
    core,   ///< tiles stream in and out at the core's memory bandwidth
  };
  enum class Activations {
    counted,   ///< behind the products of convolutions and linear operators
    left_out,  ///< products alone, as SCALE-Sim counts
  };
  Memory memory = Memory::ideal;
  Activations activations = Activations::counted;
  Bytes element{4};  ///< of tensors in memory
  ErrorMapping error_mapping = ErrorMapping::by_residue;
  VectorOperation optimizer = VectorOperation::sgd;
};

struct ComputeCost {
  Cycles cycles{0};
  Cycles products{0};                  ///< of the matrix units or PEs, ramps included, stalls not
  Cycles vector{0};                    ///< of the vector unit
  Cycles stalled{0};                   ///< waiting for tiles, and for the last store
  Macs macs{0};                        ///< analytical: what the phase is worth
  Macs executed{0};                    ///< with padding of dimensions and taps that meet no error
  Elements accesses{0};                ///< of the scratchpad or global buffer
  Bytes buffer_traffic{0};             ///< the bytes of those accesses
  Elements register_accesses{0};       ///< of the PEs of a row-stationary array
  Elements network_words{0};           ///< between its buffer and PEs, and between PEs
  std::int64_t vector_operations = 0;  ///< on elements
  Bytes memory_traffic{0};
  Energy energy{0};  ///< of arithmetic, on-chip accesses and, with Memory::core, memory

  ComputeCost& operator+=(ComputeCost const& other);
};

[[nodiscard]] ComputeCost compute_cost(arch::CoreSpec const& core, OperatorShape const& shape,
                                       workloads::Phase phase, ComputeOptions const& options = {});

/// macs / (cycles * MACs per cycle); 0 without cycles.
[[nodiscard]] double utilisation(arch::CoreSpec const& core, ComputeCost const& cost);

/// compute_cost() of one core, each different question answered once.
class ComputeMemo final {
 public:
  explicit ComputeMemo(arch::CoreSpec core, ComputeOptions options = {})
      : core_{std::move(core)}, options_{options} {}

  [[nodiscard]] ComputeCost const& cost(OperatorShape const& shape, workloads::Phase phase);
  [[nodiscard]] std::size_t size() const { return known_.size(); }

 private:
  arch::CoreSpec core_;
  ComputeOptions options_;
  std::map<std::vector<std::int64_t>, ComputeCost> known_;
};

}  // namespace tessera::sim
