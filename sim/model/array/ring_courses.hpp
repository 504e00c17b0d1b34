// A memo of rings: one in a state in which another was before takes the same course.
//
// For example a sum at the end of each of 96 equal layers, between the same accelerators or others
// as far from each other: rings of as many rounds, as long on their links, whose first rounds are
// as far apart. Where their clocks stand alike, the rounds of one go on as those of another did.
//
// Exact because the key holds all that the course of a ring depends on that has its links to
// itself: where its rounds are, what links and interfaces make of them, when links are free, and
// where clocks are between edges, relative to the first round. Keys are compared in full. The
// record holds what a course leaves behind: its rounds, what was counted, when links were busy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/model/array/ring_rounds.hpp"
#include "sim/model/record/known_tables.hpp"
#include "sim/model/record/patience.hpp"

namespace tessera::sim {

struct RingStateTag;
using RingStateId = Id<RingStateTag>;

class RingCourses final {
 public:
  /// Carries the rounds of a ring that come to a link before `until`. Requires that nobody else
  /// sends over its links, and no two of its members over one.
  void carry(IssuedRing& ring, RingRounds& rounds, Time until);

 private:
  /// What a ring did from a state on; times from its first round on.
  struct Course {
    struct Round {
      std::size_t sender = 0;
      std::ptrdiff_t hop = 0;  ///< of its sender's
      std::uint32_t left = 0;
      Time head{0};
      Time tail{0};
    };
    struct Link {
      std::int64_t passed = 0;
      Time free{0};
      BusyIntervals busy;  ///< with the first round at `start`
    };

    Time start{0};
    std::vector<Round> rounds;
    std::vector<std::uint32_t> arrived;  ///< by member
    std::vector<Link> links;             ///< by hop
  };

  void write(IssuedRing const& ring, std::vector<RingRound> const& rounds, Time start, Time until);
  void carry_and_keep(IssuedRing& ring, RingRounds& rounds, Time start, Time until);
  static void repeat(Course const& course, IssuedRing& ring, RingRounds& rounds, Time start);

  StateWriter state_;
  KnownTexts<RingStateId> known_;
  IdVector<RingStateId, Course> courses_;
  std::size_t kept_ = 0;  ///< words and intervals
  Patience patience_;
};

}  // namespace tessera::sim
