// When the last round of a transfer begins that passes on what comes to its accelerator round by
// round, worked out from when it and those behind it began.
//
// With a transfer that begins at b(0), those behind it in their ring at b(1), b(2), ..., and n
// rounds, the last one begins at
//   max over k < n of  b(k) + k * hand-over + (n - 1 - k) * serialisation on the first link
// since a round is sent when the one before it has come, and those that have come before the first
// one was sent go one behind the other. For example four rounds of 20 ns that take 30 ns to be
// handed on, where all begin at 0 but the one two places behind, at 100: 100 + 2 * 30 + 20 = 180 ns.
// Others' messages are left out (sim/outcome/recorded_rounds.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/outcome/transfer_shapes.hpp"

namespace tessera::sim::outcome {

/// When a unit that takes up a task at some time can take up the next, and is done with it; or the
/// link that a transfer leaves on.
struct Service {
  Time free{0};
  Time served{0};
};

/// How long rounds take, by shape.
struct RoundLengths {
  std::vector<Time> whole;      ///< from the first link's entrance until it is here, and added
  std::vector<Time> first;      ///< on the first link
  std::vector<Time> hand_over;  ///< from there to when the next one enters its first link
};

/// A transfer of a ring: when its first round enters its first link, how long each is on it, and
/// from there to when the next one enters its first link.
struct RingMember {
  Time begun{0};
  Time first{0};
  Time hand_over{0};
};

/// When a last round begins, and for whose beginning it waited: so many behind it, the fewest if
/// several would have kept it as long.
struct LastBegun {
  Time begun{0};
  std::uint32_t waited_for = 0;
};

/// Of transfer `number` of a ring, of so many rounds; `member(number)` is a RingMember, and
/// `behind(number)` whose rounds one passes on. (The ring of a folded array is shorter than its
/// rounds go: it is walked three times at most.)
template <typename Member, typename Behind>
[[nodiscard]] LastBegun last_begun(std::uint32_t number, std::uint32_t rounds, Member member,
                                   Behind behind) {
  auto const own = number;
  auto const own_member = member(number);
  auto pace = own_member.first;
  LastBegun last{own_member.begun + pace * std::int64_t{rounds - 1}, 0};
  Time handed_on{0};
  std::uint32_t laps = 0;
  for (std::uint32_t k = 1; k < rounds; ++k) {
    number = behind(number);
    auto const [begun, first, hand_over] = member(number);
    pace = std::max(pace, first);
    handed_on += hand_over;
    auto const then = begun + handed_on + pace * std::int64_t{rounds - 1 - k};
    if (then > last.begun) last = {then, k};
    // From the second lap on, what a member's beginning allows grows or falls steadily from lap to
    // lap: the second one or the last one is the latest.
    if (number != own || ++laps != 2) continue;
    auto const members = k / 2;
    auto const skipped = std::max(1U, (rounds - 1 - k) / members) - 1;
    handed_on += Time{handed_on.value() / 2} * std::int64_t{skipped};
    k += skipped * members;
  }
  return last;
}

/// The transfers of several rounds of a run, by number.
class RoundTimes final {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// All must outlive it.
  RoundTimes(Blueprint const& blueprint, TransferShapes const& shapes, IdleTransfers const& idle);

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(ids_.size()); }
  /// `none` for a task that is no transfer of several rounds.
  [[nodiscard]] std::uint32_t number(TaskId task) const { return numbers_[task]; }
  [[nodiscard]] TaskId id(std::uint32_t number) const { return ids_[number]; }
  [[nodiscard]] std::size_t shape(std::uint32_t number) const { return shape_of_[number]; }
  /// The transfer whose rounds it passes on.
  [[nodiscard]] std::uint32_t behind(std::uint32_t number) const { return behind_[number]; }
  /// The transfer that passes its rounds on.
  [[nodiscard]] std::uint32_t ahead(std::uint32_t number) const { return ahead_[number]; }

  /// The transfers of a ring, each behind the one whose rounds it passes on, and all rings.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> const& rings() const { return rings_; }
  [[nodiscard]] std::uint32_t ring_of(std::uint32_t number) const { return ring_of_[number]; }
  [[nodiscard]] std::uint32_t rounds(std::uint32_t number) const {
    return graph_.at(ids_[number]).rounds;
  }

  [[nodiscard]] RoundLengths lengths(TransferShapes::Lengths const& lengths) const;

  /// A transfer whose first round entered its first link at `begun`.
  [[nodiscard]] RingMember member(std::uint32_t number, RoundLengths const& lengths,
                                  Time begun) const {
    return {begun, lengths.first[shape(number)], lengths.hand_over[shape(number)]};
  }

  /// `begun(number)`: when the first round of a transfer entered its first link.
  template <typename Begun>
  [[nodiscard]] LastBegun last(std::uint32_t number, RoundLengths const& lengths,
                               Begun begun) const {
    return last_begun(
        number, rounds(number), [&](std::uint32_t at) { return member(at, lengths, begun(at)); },
        [this](std::uint32_t at) { return behind_[at]; });
  }

  /// For every transfer whose last round may wait for the beginning of `number`, itself too,
  /// `visit(transfer, time)`: how long after that it begins at least.
  template <typename Visit>
  void for_each_ahead(std::uint32_t number, RoundLengths const& lengths, Visit visit) const {
    auto const after_first = std::int64_t{rounds(number)} - 1;
    auto pace = lengths.first[shape(number)];
    visit(number, pace * after_first);
    Time handed_on{0};
    for (std::uint32_t k = 1; k <= after_first; ++k) {
      handed_on += lengths.hand_over[shape(number)];
      number = ahead_[number];
      pace = std::max(pace, lengths.first[shape(number)]);
      visit(number, handed_on + pace * (after_first - k));
    }
  }

 private:
  TaskGraph const& graph_;
  Blueprint const& blueprint_;
  IdleTransfers const& idle_;
  IdVector<TaskId, std::uint32_t> numbers_;
  std::vector<TaskId> ids_;  ///< in order
  std::vector<std::size_t> shape_of_;
  std::vector<std::uint32_t> first_of_shapes_;  ///< a transfer of each
  std::vector<std::uint32_t> behind_;
  std::vector<std::uint32_t> ahead_;
  std::vector<std::vector<std::uint32_t>> rings_;
  std::vector<std::uint32_t> ring_of_;
};

}  // namespace tessera::sim::outcome
