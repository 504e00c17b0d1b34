// Resharding: how a tensor gets from the layout in which it was computed to the one in which it is read, as exchanges between
// siblings of one hierarchy level at a time.
//
// Order of the levels, so that nothing is sent twice:
//   1. replicated -> split: everybody drops what it need not hold (free);
//   2. partial: reduce-scatter, innermost level first, onto the axis in which the tensor is read (samples, if it is read whole);
//   3. split a -> split b, outermost first;
//   4. split -> replicated: all-gather, outermost first.
// Each step's traffic is the intersection of what the sibling has with what one lacks. At a level of more than two parts there are
// as many steps as an accelerator has siblings: in the first everybody receives from the next part of his group, and so on round it.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/collective/collective.hpp"
#include "partition/geometry/layout.hpp"
#include "partition/geometry/layout_change.hpp"
#include "partition/geometry/tiling.hpp"

namespace tessera::partition {

/// One accelerator sends elements to its sibling, or to another one of its group.
struct Exchange {
  std::size_t from = 0;
  std::size_t to = 0;
  Elements elements{0};
  /// In a round of a collective: what it waits for besides what its sender had at the beginning, as
  /// numbers of exchanges since the first round.
  std::vector<std::size_t> after = {};
};

/// Exchanges of one level, or of a round of a collective, that run at the same time. They wait for
/// all that their senders have received before, in later rounds of a collective for what each says.
struct ReshardStep {
  std::size_t level = 0;  ///< 0 = top; of a collective over several levels the outermost
  bool reduces = false;   ///< the receiver adds what it gets to what it has
  std::vector<Exchange> exchanges;
  bool is_later_round = false;
  /// So many times, one after the other: in the next round everybody sends what it was brought.
  std::size_t rounds = 1;
  std::vector<std::size_t> behind = {};  ///< of several rounds, by exchange: which one brings it
};

/// Do exchanges of a collective say what they wait for? Prices do not ask; where every rank waits
/// for all others, it is as much as the cube of ranks.
enum class Waits { said, left_out };

/// The accelerators whose exchanges are asked for. Everybody takes part in at most one exchange of
/// a step as receiver and in one as sender. (Of a halo in more, where a part has neighbours at one
/// level on both sides.)
using Holders = std::vector<std::size_t>;

/// All of so many.
[[nodiscard]] Holders everybody(std::size_t accelerators);

/// The steps that bring `tensor` from one layout to another; empty when nothing has to move.
[[nodiscard]] std::vector<ReshardStep> reshard(Tiling const& tiling, workloads::TensorId tensor,
                                               Layout const& from, Layout const& to);
/// Only what `receivers` receive.
[[nodiscard]] std::vector<ReshardStep> reshard(Tiling const& tiling, workloads::TensorId tensor,
                                               Layout const& from, Layout const& to,
                                               Holders const& receivers);

/// The exchanges of one level's change: a step per sibling, of which the first is the next part's.
[[nodiscard]] std::vector<ReshardStep> exchanges_at(Tiling const& tiling,
                                                    workloads::TensorId tensor,
                                                    LayoutChange const& change,
                                                    Holders const& receivers);

/// The steps that sum a weight's gradient over the accelerators that hold summands of the same
/// part, and give the sum to all of them: halves (thirds, ...) of the flattened part are
/// reduce-scattered, innermost level first, then all-gathered in reverse.
[[nodiscard]] std::vector<ReshardStep> all_reduce(Tiling const& tiling,
                                                  workloads::TensorId gradient,
                                                  Layout const& layout);
/// Only the summands and sums of `holders`: what each receives of its siblings' summands and sends
/// of its own sum.
[[nodiscard]] std::vector<ReshardStep> all_reduce(Tiling const& tiling,
                                                  workloads::TensorId gradient,
                                                  Layout const& layout, Holders const& holders,
                                                  arch::SumPieces pieces = arch::SumPieces::exact);

/// `more` after `steps`.
void append(std::vector<ReshardStep>& steps, std::vector<ReshardStep> more);

/// How many of `elements` the holder of one of `ways` equal parts keeps: the first ones are larger.
[[nodiscard]] Elements part_of(Elements elements, std::size_t part, std::size_t ways);

}  // namespace tessera::partition
