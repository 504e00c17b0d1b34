// Cycles and accesses of a convolution on a row-stationary array (Eyeriss), for a given mapping.
//
// Symbols as in Chen et al., JSSC 52(1), 2017, Table III, and Chen et al., ISCA 2016. A set of R x e PEs computes e rows
// of one output plane: each PE convolves one row of a filter with one row of the input. The array holds r * t sets (r
// take other channels, t other filters), and a PE interleaves p filters and q channels. A pass computes, for n images, e
// rows and f columns of p * t output planes from q * r channels; partial sums come from and return to the global buffer
// in every pass.
//
// A pass, from networks of w_f, w_i and w_p words per cycle and a slot for each of the n * f positions along a row:
//
//   filter   ceil(p t q r R S / w_f)       all filters of the pass, before anything else (spads hold one pass)
//   window   ceil(q r rows(e) S / w_i)     the input words of the first position; also where a new image starts
//   step     ceil(q r rows(e) U / w_i)     of every other position;  rows(e) = (e - 1) U + R
//   mac      p q S                         every PE at once
//   psum     ceil(p t e / w_p)             sums of a position leave while old ones for the next arrive
//
//   pass = filter + window + sum over positions of max(mac of this, input of the next, psum of the one before) + psum
//
// Pass structure and the word counts were derived from the chip's tables (JSSC'17, V and VI); the waits for windows are
// what a 12-word spad implies. Leaves out: compression, configuration between layers, DRAM time (bandwidth is the memory
// model's).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "arch/accelerator/core_spec.hpp"
#include "sim/model/compute/operator_shape.hpp"

namespace tessera::sim {

struct RowStationaryMapping {
  std::int64_t n = 1;  ///< images of a pass
  std::int64_t e = 1;  ///< output rows of a pass
  std::int64_t f = 1;  ///< output columns of a pass: all, or as many as the buffer has room for
  std::int64_t p = 1;  ///< filters of a PE
  std::int64_t q = 1;  ///< channels of a PE
  std::int64_t r = 1;  ///< sets with other channels
  std::int64_t t = 1;  ///< sets with other filters
};

/// One pass: its mapping, of which edges may use less, and the layer's filter and row.
struct RowStationaryPass {
  RowStationaryMapping mapping;
  std::int64_t taps = 1;      ///< R
  std::int64_t row_taps = 1;  ///< S
  std::int64_t span = 1;      ///< input words under a filter row: (S - 1) * dilation + 1
  std::int64_t rows = 1;      ///< input rows of the e output rows
  std::int64_t stride = 1;    ///< U, along a row
};

/// The cycles of one pass.
[[nodiscard]] Cycles pass_cycles(arch::RowStationaryCoreSpec const& core,
                                 RowStationaryPass const& pass);

struct RowStationaryCost {
  Cycles cycles{0};  ///< of processing, passes one after another
  Macs macs{0};
  std::int64_t active_pes = 0;  ///< of whole passes
  Elements register_accesses{0};
  Elements network_words{0};
  Elements buffer_words{0};
  Elements memory_words{0};  ///< without compression

  RowStationaryCost& operator+=(RowStationaryCost const& other);
};

/// Do the sets fit the array, the words the scratchpads, the strips the buffer?
[[nodiscard]] bool fits(arch::RowStationaryCoreSpec const& core, ConvShape const& conv,
                        RowStationaryMapping const& mapping);

/// The cost of a whole layer. Requires a mapping that fits.
[[nodiscard]] RowStationaryCost row_stationary_cost(arch::RowStationaryCoreSpec const& core,
                                                    ConvShape const& conv,
                                                    RowStationaryMapping const& mapping);

/// One pass in the order of processing, and the words that it moves to and from memory.
struct RowStationaryVisit {
  Cycles cycles{0};
  std::int64_t ifmap_place = 0;  ///< of the strip of inputs among all strips, in their order
  std::int64_t ifmap_words = 0;  ///< 0: the strip is in the buffer
  std::int64_t filter_place = 0;
  std::int64_t filter_words = 0;
  std::int64_t ofmap_place = 0;
  std::int64_t ofmap_words = 0;  ///< stored after it; 0: sums stay in the buffer
};

/// Visits all passes: for every strip of outputs, as many planes as the buffer holds sums of, from
/// all channels before the next planes. What they move adds up to memory_words.
void for_each_pass(arch::RowStationaryCoreSpec const& core, ConvShape const& conv,
                   RowStationaryMapping const& mapping,
                   std::function<void(RowStationaryVisit const&)> const& visit);

/// Sets that fit side by side: a set wider than the array is cut into segments, one above the
/// other.
[[nodiscard]] std::int64_t sets_that_fit(arch::RowStationaryCoreSpec const& core, std::int64_t taps,
                                         std::int64_t e);

/// The fastest mapping; among equals the one with the fewest buffer words. Throws ConfigError where
/// nothing fits.
[[nodiscard]] RowStationaryMapping choose_mapping(arch::RowStationaryCoreSpec const& core,
                                                  ConvShape const& conv);

/// A phase as convolutions of the array's kind: errors with turned filters, one per residue of the
/// stride; gradients with the error as the filter, images and channels exchanged; products as 1
/// x 1. Filters that are larger than the array or a PE's scratchpads become several channels, whose
/// taps are rounded up: such layers, gradients above all, execute more MACs than they are worth.
[[nodiscard]] std::vector<ConvShape> convolutions_of(arch::RowStationaryCoreSpec const& core,
                                                     OperatorShape const& shape,
                                                     workloads::Phase phase);

struct ConsumedEnergy {
  Energy macs{0};
  Energy registers{0};  ///< scratchpads of the PEs
  Energy network{0};
  Energy buffer{0};
  Energy clock{0};   ///< network and leakage, while the layer is processed
  Energy memory{0};  ///< off chip

  [[nodiscard]] Energy on_chip() const { return macs + registers + network + buffer + clock; }
};

/// `zeros` is the share of input words that are zero, which gate a PE.
[[nodiscard]] ConsumedEnergy energy_of(arch::RowStationaryCoreSpec const& core,
                                       RowStationaryCost const& cost, double zeros = 0);

}  // namespace tessera::sim
