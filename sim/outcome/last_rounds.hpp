// When the last rounds of all transfers of a ring begin, in one walk round the ring.
//
// With n rounds of f on every first link, last_begun() of member i (sim/outcome/round_times.hpp) is
//   max over the n members x up to i of  b(x) - H(x) + x * f  + H(i) + (n - 1 - i) * f
// where H(x) is what hand-overs before x take together: the largest of n neighbouring values, which
// one walk finds for all members. Of a ring that is shorter than its rounds go, x counts on from lap
// to lap, and values grow or fall by as much in each, so that the latest lap or the earliest decides.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/outcome/round_times.hpp"

namespace tessera::sim::outcome {

class LastRounds final {
 public:
  /// Can they be found like that?
  [[nodiscard]] static bool serves(std::vector<RingMember> const& ring) {
    return std::all_of(ring.begin(), ring.end(),
                       [&](auto const& member) { return member.first == ring.front().first; });
  }

  /// Of a ring of so many rounds, each of which passes on what the one before it sends, the first
  /// one what the last one does. Valid until the next call.
  [[nodiscard]] std::vector<Time> const& of(std::vector<RingMember> const& ring,
                                            std::uint32_t rounds) {
    auto const members = static_cast<std::int64_t>(ring.size());
    auto const pace = ring.front().first;
    Time lap{0};
    for (auto const& member : ring) lap += member.hand_over;
    auto const count = std::min<std::int64_t>(rounds, members);
    bool const grow = pace * members > lap;
    auto const shift = grow ? 0 : count - std::int64_t{rounds};
    auto const first = shift - count + 1;
    auto const laps = (first - members + 1) / members;  // rounded down
    auto at = ring.begin() + static_cast<std::ptrdiff_t>(first - laps * members);
    auto before = lap * laps;
    for (auto it = ring.begin(); it != at; ++it) before += it->hand_over;
    begun_.resize(ring.size());
    latest_.resize(ring.size() + static_cast<std::size_t>(count));
    auto* latest = latest_.data();  // that is among the neighbours
    auto* end = latest;
    Time own_before{0};
    for (auto x = first; x < members + shift; ++x) {
      auto const value = at->begun - before + pace * x;
      while (end != latest && (end - 1)->time <= value) --end;
      *end++ = {x, value};
      if (latest->at <= x - count) ++latest;
      auto const own = x - shift;
      if (own >= 0) {
        auto const later = pace * (std::int64_t{rounds} - 1 - own);
        begun_[static_cast<std::size_t>(own)] = latest->time + own_before + later;
        own_before += ring[static_cast<std::size_t>(own)].hand_over;
      }
      before += at->hand_over;
      if (++at == ring.end()) at = ring.begin();
    }
    return begun_;
  }

 private:
  struct Value {
    std::int64_t at = 0;
    Time time{0};
  };

  std::vector<Time> begun_;
  std::vector<Value> latest_;  ///< those that are later than all behind them
};

}  // namespace tessera::sim::outcome
