// Communication that layouts demand, level by level: at level h every group of the level above is cut in two and the halves exchange
// what crosses the cut. Of a tensor of |T| elements, of which a group holds T_h, the first half receives and the second half
// receives, where a and b are the shares of the first half before and after,
//   partial -> split b           b T_h        (1-b) T_h      reduce-scatter
//   partial -> replicated        T_h          T_h            reduce-scatter in equal halves, and all-gather
//   split a -> replicated        (1-a) T_h    a T_h          all-gather
//   split a -> split b           b (1-a) T_h  (1-b) a T_h    of another axis
//   split a -> split b           (b-a) T_h    (a-b) T_h      of the same axis, where positive
// and of w equal parts each receives
//   partial -> split             (w-1)/w T_h
//   partial -> replicated        (w-1)/w T_h twice
//   split -> replicated          (w-1)/w T_h
//   split a -> split b           (w-1)/w^2 T_h               of another axis
// With equal halves these are HyPar's Tables 1 and 2 as evaluated (both directions together):
//   dp: 2 A(dW);  mp: A(F) forward + A(E) backward;  dp-mp: A(F)/2 + A(E)/2
// and the last two of the upper table are AccPar's alpha*beta terms. Shares are fractions, as in the papers; lowering rounds to whole indices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "arch/array/array_spec.hpp"
#include "partition/geometry/layout.hpp"
#include "partition/plan/plan.hpp"
#include "partition/step/conversion.hpp"

namespace tessera::partition {

struct Traffic {
  double elements = 0;  ///< both directions, all groups
  /// What `elements` would be if every accelerator received as much as the one that receives most:
  /// the two are equal where all halves are. Where one half of the array has faster links (Pace),
  /// what it receives counts for less. Time goes by this.
  double critical = 0;

  Traffic& operator+=(Traffic const& other);
};

/// How long the links of each half of the array take for a byte, within the half, relative to the
/// slower one. (What passes between the halves, at the top level, goes by the slower one's links.)
struct Pace {
  double first = 1;
  double second = 1;

  /// How long the slower half takes for its share of what `level` (0 = top) splits, relative to
  /// all of it at the slower links. Only the top level's halves can differ.
  [[nodiscard]] double slower_share(std::size_t level, double first_share) const {
    bool const is_top = level == 0;
    return std::max(first_share * (is_top ? first : 1), (1 - first_share) * (is_top ? second : 1));
  }
};
[[nodiscard]] Pace pace_of(arch::ArraySpec const& array);

/// What the price of communication depends on besides layouts. By itself: a binary hierarchy whose
/// links are alike.
struct ArrayShape {
  Pace pace = {};
  std::vector<std::size_t> ways = {};  ///< by level (Hierarchy); two where it says nothing

  [[nodiscard]] std::size_t ways_at(std::size_t level) const {
    return level < ways.size() ? ways[level] : 2;
  }
  /// The share of a level's parts that take longest, of halves by pace.
  [[nodiscard]] double slower_share(std::size_t level, double first) const {
    return ways_at(level) == 2 ? pace.slower_share(level, first)
                               : 1 / static_cast<double>(ways_at(level));
  }
};
[[nodiscard]] ArrayShape shape_of(arch::ArraySpec const& array);

/// Of a tensor of `elements`: what crosses the cuts of level `level` (0 = top) on the way from one
/// layout to another.
[[nodiscard]] Traffic moved(Layout const& from, Layout const& to, std::size_t level,
                            double elements, ArrayShape const& shape = {});

/// The same of a conversion of a tensor of the network, its halo included. A padded sum is priced
/// as if all parts of the gradient were equal: where they are not, it is a few elements off.
[[nodiscard]] Traffic traffic_of(workloads::Network const& network, Conversion const& conversion,
                                 std::size_t level, ArrayShape const& shape = {});

/// Features from producer to consumer and errors back, without halos.
[[nodiscard]] Traffic moved_both_ways(TensorLayouts const& producer, TensorLayouts const& consumer,
                                      std::size_t level, double elements,
                                      ArrayShape const& shape = {});

/// The terms of one level's communication, for planners that search over them. Splits hold at least
/// the levels up to `level`; those below, if any, matter where they replicate or are uneven. Of
/// weights that operators share (step/weight_copies.hpp) each has a sum of its own here: in truth
/// they have one, or exchange theirs, as the price of a whole plan has it.
class LevelPricer final {
 public:
  LevelPricer(workloads::Network const& network, std::size_t level, ArrayShape shape = {})
      : network_{&network}, level_{level}, shape_{std::move(shape)} {}

  /// Summing the gradient, and for an operator that nobody reads, handing the loss its output and
  /// taking the error back. (The loss is computed where the output lies; a partial sum is scattered
  /// over the samples first.)
  [[nodiscard]] Traffic within(workloads::OperatorId op, Splits const& splits) const;

  /// Features from producer to consumer and errors back, the consumer's halos included (halo.hpp).
  [[nodiscard]] Traffic between(workloads::OperatorId producer, Splits const& producer_splits,
                                workloads::OperatorId consumer,
                                Splits const& consumer_splits) const;

 private:
  [[nodiscard]] Traffic price(Conversion const& conversion) const;

  workloads::Network const* network_;
  std::size_t level_;
  ArrayShape shape_;
};

}  // namespace tessera::partition
