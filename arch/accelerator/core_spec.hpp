// The core of an accelerator as data: systolic arrays with a vector unit and a scratchpad (TPU), or a row-stationary
// array of PEs with a global buffer (Eyeriss). The schema is tessera.core/1; arch/presets/cores shows every key.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "arch/base/builtin_config.hpp"
#include "arch/base/config.hpp"
#include "arch/base/quantity.hpp"

namespace tessera::arch {

/// Number formats; products are accumulated in 32 bits.
enum class NumberFormat : std::uint8_t { fp32, bf16, int8 };
[[nodiscard]] char const* name(NumberFormat format);
[[nodiscard]] Bytes size_of(NumberFormat format);
inline constexpr Bytes accumulator_size{4};

/// What stays in the PEs while the rest streams through. Of C = A * B: B (weight), C (output), A
/// (input).
enum class Dataflow : std::uint8_t { weight_stationary, output_stationary, input_stationary };

/// `arrays` systolic arrays of rows x columns PEs.
struct SystolicArraySpec {
  enum class Schedule {
    serial,      ///< a fold starts when the one before has left the array (SCALE-Sim)
    overlapped,  ///< the next fold's operands load, and the last one's results leave, under a fold
  };
  enum class Operands {
    fixed,      ///< A and B as the operator has them
    swappable,  ///< or C^T = B^T * A^T where that is faster, as a compiler chooses
  };

  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t arrays = 1;
  Dataflow dataflow = Dataflow::weight_stationary;
  Schedule schedule = Schedule::overlapped;
  Operands operands = Operands::fixed;
};

/// lanes x sublanes positions, each with `alus`; one load and one store are of all positions.
struct VectorUnitSpec {
  std::int64_t lanes = 1;
  std::int64_t sublanes = 1;
  std::int64_t alus = 1;
  std::int64_t loads = 1;   ///< per cycle
  std::int64_t stores = 1;  ///< per cycle
};

/// On-chip memory whose banks are given out whole.
struct ScratchpadSpec {
  Bytes capacity{0};
  std::int64_t banks = 1;

  [[nodiscard]] Bytes bank() const { return Bytes{capacity.value() / banks}; }
};

/// Multiples that each dimension is padded to with zeros; XLA pads to the tiles of registers.
struct TilePadding {
  std::int64_t samples = 1;  ///< of a convolution, before its rows and columns join them in m
  std::int64_t m = 1;
  std::int64_t n = 1;
  std::int64_t k = 1;
};

struct FormatEnergy {
  Energy multiply{0};
  Energy add{0};  ///< into the accumulator
};

struct SystolicCoreEnergy {
  /// By NumberFormat; the core's own format has one.
  std::array<std::optional<FormatEnergy>, 3> formats;
  Energy vector_operation{0};  ///< one ALU operation on one element
  Energy scratchpad_byte{0};
  Energy memory_byte{0};

  [[nodiscard]] FormatEnergy const& of(NumberFormat format) const;
};

struct SystolicCoreSpec {
  SystolicArraySpec array;
  VectorUnitSpec vector;
  ScratchpadSpec scratchpad;
  TilePadding padding;
  NumberFormat format = NumberFormat::bf16;
  Bandwidth memory_bandwidth{0};
  SystolicCoreEnergy energy;
};

/// Words of each PE's scratchpads.
struct PeScratchpads {
  std::int64_t filter = 1;
  std::int64_t ifmap = 1;
  std::int64_t psum = 1;
};

/// Words per cycle of each on-chip network; the psum network carries that many each way.
struct RowStationaryNetworks {
  std::int64_t filter = 1;
  std::int64_t ifmap = 1;
  std::int64_t psum = 1;
};

/// Energy of one event; words are those of the data path.
struct RowStationaryEnergy {
  Energy mac{0};
  Energy register_file{0};  ///< one access of a PE's scratchpad
  Energy network{0};        ///< one word from buffer to PE, or from PE to PE
  Energy buffer{0};
  Energy memory{0};
  Energy cycle{0};         ///< clock network and leakage of the whole core
  double gated_share = 0;  ///< of a MAC and its register accesses that a zero input saves
};

struct RowStationaryCoreSpec {
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  PeScratchpads scratchpads;
  RowStationaryNetworks networks;
  ScratchpadSpec buffer;  ///< of ifmaps and psums; filters pass through a buffer of their own
  Bytes word{2};
  Bandwidth memory_bandwidth{0};
  RowStationaryEnergy energy;
};

/// One core, and how many of them share a chip and a board.
struct CoreSpec {
  std::string name;
  std::string description;
  Frequency clock{0};
  std::int64_t cores_per_chip = 1;
  std::int64_t chips_per_board = 1;
  /// From a kernel's beginning to its first load; 0: starting costs nothing. On systolic arrays
  /// products and passes are kernels (sim/model/compute/tile_program.hpp), on a row-stationary one
  /// each computation is one.
  Time kernel_start{0};
  std::variant<SystolicCoreSpec, RowStationaryCoreSpec> unit;

  [[nodiscard]] std::int64_t macs_per_cycle() const;
  /// Else its PEs do what is no product.
  [[nodiscard]] bool has_vector_unit() const {
    return std::holds_alternative<SystolicCoreSpec>(unit);
  }
};

/// What counts as one accelerator.
enum class CoreView : std::uint8_t { core, chip, board };

/// All cores of a chip or board as one: arrays, vector lanes, scratchpad and memory bandwidth
/// multiply. A row-stationary core has one view only (its chip has one core).
[[nodiscard]] CoreSpec viewed(CoreSpec core, CoreView view);

/// Reads a core by path or preset name. Throws ConfigError only.
[[nodiscard]] CoreSpec load_core(std::string const& name_or_path,
                                 std::vector<std::string> const& overrides = {});
/// The file behind load_core(), not read yet.
[[nodiscard]] ConfigNode core_config(std::string const& name_or_path,
                                     std::vector<std::string> const& overrides = {});
[[nodiscard]] CoreSpec core_from(ConfigNode const& node);

[[nodiscard]] std::vector<BuiltinEntry> builtin_cores();

}  // namespace tessera::arch
