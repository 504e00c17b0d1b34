// What a core does for one phase of an operator's local part, tile by tile: what it loads, how long it computes, what it
// stores. Order and sizes are the mapping's (tiling.hpp, row_stationary.hpp); when each happens is the tile engine's
// (sim/model/compute/tile_engine.hpp).
//
// A tensor lies in memory in the order in which the phase goes through its tiles, each a run of its own.
// On a core with a vector unit every product and every pass of what has no product is a kernel. Element-wise work beside
// products (an activation) takes time only as far as the vector unit needs longer than all of them; on a row-stationary array
// the PEs do it, after the passes, and the whole program is one kernel, if starting one takes any time.
// Leaves out: the rearrangement between the order in which one phase writes a tensor and the next one reads it; memory
// traffic of element-wise work beside products (it is applied to sums as they leave).
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "arch/accelerator/core_spec.hpp"
#include "sim/model/compute/compute_cost.hpp"
#include "sim/model/compute/phase_work.hpp"
#include "sim/model/compute/row_stationary.hpp"
#include "sim/model/compute/tile_stream.hpp"

namespace tessera::sim {

/// The matrices of C = A * B; of a convolution on a row-stationary array: ifmap, filter, ofmap.
enum class Operand : std::uint8_t { a, b, c };

/// A piece of an operand, `offset` bytes behind its start. No bytes: nothing to move.
struct TileMove {
  Operand operand = Operand::a;
  Bytes offset{0};
  Bytes size{0};
};

struct TileStep {
  std::array<TileMove, 2> loads;
  Cycles compute{0};
  TileMove store{Operand::c, Bytes{0}, Bytes{0}};
  /// The first step of a kernel: from the end of the kernel before to this one's first load.
  std::optional<Cycles> kernel_start;
};

class TileProgram final {
 public:
  using Visit = std::function<void(TileStep const&)>;

  /// `core` must outlive the program. Throws ConfigError where no tile fits it.
  TileProgram(arch::CoreSpec const& core, OperatorShape const& shape, workloads::Phase phase,
              ComputeOptions const& options);

  /// Nothing to do: the part has no loop iterations.
  explicit TileProgram(arch::CoreSpec const& core);

  /// All steps in order.
  void for_each(Visit const& visit) const;

  /// Of all steps.
  struct Totals {
    Bytes memory_traffic{0};  ///< loaded and stored
    Cycles compute{0};
    Cycles kernel_starts{0};       ///< before first loads: nothing is loaded or computed meanwhile
    Cycles behind_loads{0};        ///< of `compute`: kernels drain, with nothing left to load
    std::array<Bytes, 3> reach{};  ///< how far it goes into each operand
  };
  [[nodiscard]] Totals totals() const;

  /// Work, accesses and energy, memory not counted (ComputeOptions::Memory::ideal).
  [[nodiscard]] ComputeCost const& cost() const { return cost_; }

 private:
  /// A product on systolic arrays.
  struct Product {
    Gemm gemm;
    TileRules rules;
    Tiling tiling;
  };
  /// A convolution on a row-stationary array.
  struct Convolution {
    ConvShape conv;
    RowStationaryMapping mapping;
  };

  void add_products(arch::SystolicCoreSpec const& core, OperatorShape const& shape);
  void add_convolutions(arch::RowStationaryCoreSpec const& core, OperatorShape const& shape);
  void visit(Product const& product, Visit const& visit) const;
  void visit(Convolution const& convolution, Visit const& visit) const;
  void visit(VectorPass const& pass, Visit const& visit) const;
  void visit_parts(Visit const& visit) const;
  void visit_products(Visit const& visit) const;
  [[nodiscard]] TiledPass tiled(VectorPass const& pass) const;
  [[nodiscard]] Cycles cycles_of(VectorPass const& pass) const;

  arch::CoreSpec const& core_;
  workloads::Phase phase_ = workloads::Phase::forward;
  ComputeOptions options_;
  std::vector<VectorPass> passes_;
  Padding padding_;
  ComputeCost cost_;
  std::vector<std::variant<Product, Convolution>> parts_;
};

}  // namespace tessera::sim
