// The vector unit: everything that is not a product, as passes over tensors.
//
// A pass streams tensors from memory through the vector memory (the scratchpad), and what it makes of them back. Each element
// takes so many ALU operations, loads and stores of vector registers; the unit works on lanes x sublanes elements at a time, and
// the busiest of its slots decides:
//
//   cycles = max(ceil((V * alu + R) / alus), ceil(V * loads / load slots), ceil(V * stores / store slots))
//   V = ceil(elements / (lanes * sublanes))
//   R = 2 * ceil(log2(lanes)) * ceil(reduced rows / sublanes)
//
// A row whose elements come together (a maximum, a sum) is first folded into one vector per sublanes rows, an operation per
// element; the lanes of that vector then meet in log2(lanes) steps of a rotation and an operation, which is R.
//
// A later pass that needs the result of a reduction begins when the pass before has ended, and finds its tensors in memory: a
// softmax of 1 MB, which the vector memory would hold, takes 22 % more per element on a TPU-v3 than one of 256 MB
// (sim/validation/references/tpu-v3/cycles.csv), so nothing stays there from pass to pass.
//
// Leaves out: latency of the pipeline, the scalar unit, register pressure, rows shorter than the lanes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arch/accelerator/core_spec.hpp"

namespace tessera::sim {

/// Slots that one element takes.
struct VectorWork {
  std::int64_t alu = 0;
  std::int64_t loads = 0;
  std::int64_t stores = 0;
};

/// Element-wise operations of one pass without a reduction.
enum class VectorOperation : std::uint8_t {
  relu,
  relu_backward,
  lstm_gates,  ///< per hidden unit and sample: three sigmoids, two tanh
  sgd,
  momentum,
  adam,
};

/// Per element. Operation counts by definition; sigmoids and tanh as polynomials of about eight
/// operations.
[[nodiscard]] VectorWork work_of(VectorOperation operation);

/// One pass, or a tile of one.
struct VectorPass {
  /// What its first operand is.
  enum class Source : std::uint8_t {
    operand,  ///< the phase's own
    result,   ///< what the pass before has written
  };

  VectorWork work;                  ///< of each element
  Elements elements{0};             ///< that it computes
  std::int64_t reduced_rows = 0;    ///< whose elements it brings together across lanes
  std::array<Elements, 2> reads{};  ///< from memory, of either operand
  Elements writes{0};               ///< to memory
  Source source = Source::operand;
  bool starts_kernel = true;  ///< false: part of the kernel of the product before it

  [[nodiscard]] Elements traffic() const { return reads[0] + reads[1] + writes; }
};

/// A pass that reads and writes each tensor of `work` once.
[[nodiscard]] VectorPass pass_over(VectorWork const& work, Elements elements);

/// y = exp(x - max) / sum of all exp(x - max), row by row: the maximum; exponents and their sum;
/// the quotient. Exponents are written once and read again, as a compiler does that computes
/// nothing expensive twice. `elements` in `rows`.
[[nodiscard]] std::vector<VectorPass> softmax_passes(Elements elements, std::int64_t rows);
/// The error y (e - sum of e y): the sum; the product.
[[nodiscard]] std::vector<VectorPass> softmax_error_passes(Elements elements, std::int64_t rows);

/// The mean; what is centred and its variance; its scaling by the deviation; that by the learnt
/// weights. That the two last are passes of their own is calibrated (layernorm_512x768 of
/// sim/validation/references/tpu-v3/cycles.csv: -27 % as one).
[[nodiscard]] std::vector<VectorPass> layer_norm_passes(Elements elements, std::int64_t rows);
/// Two sums of each row; the error.
[[nodiscard]] std::vector<VectorPass> layer_norm_error_passes(Elements elements, std::int64_t rows);

/// All passes as one that keeps on chip what they write for each other: of a core that has no
/// vector unit. Requires at least one.
[[nodiscard]] VectorPass merged(std::vector<VectorPass> const& passes);

struct VectorCost {
  Cycles cycles{0};
  std::int64_t operations = 0;  ///< ALU operations on elements, for the energy
  Elements accesses{0};         ///< of the scratchpad
};

[[nodiscard]] VectorCost vector_cost(arch::VectorUnitSpec const& unit, VectorPass const& pass);

/// A pass in tiles of `whole` elements, and a last one of what is left.
class TiledPass final {
 public:
  TiledPass(VectorPass const& pass, std::int64_t whole) : pass_{pass}, whole_{whole} {}

  [[nodiscard]] std::int64_t tiles() const;
  [[nodiscard]] VectorPass tile(std::int64_t index) const;

 private:
  VectorPass pass_;
  std::int64_t whole_;
};

/// Tiles of which no tensor takes more than a bank of the scratchpad.
[[nodiscard]] TiledPass in_banks(VectorPass const& pass, arch::ScratchpadSpec const& scratchpad,
                                 Bytes element);

}  // namespace tessera::sim
