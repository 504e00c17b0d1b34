// Keys, records and their repetition.
#include "sim/model/array/ring_courses.hpp"

#include <numeric>

namespace tessera::sim {

namespace {

/// To look for a course of fewer rounds for each member before the last one costs more than it
/// saves; of more in all, no record is kept.
constexpr std::uint64_t fewest_known = 8;
constexpr std::uint64_t most_known = 100'000;

/// Words and intervals of records: 24 MB at most.
constexpr std::size_t most_kept = 1'000'000;

std::uint64_t rounds_left(std::vector<RingRound> const& rounds) {
  return std::accumulate(
      rounds.begin(), rounds.end(), std::uint64_t{0},
      [](std::uint64_t sum, RingRound const& round) { return sum + round.rounds_left(); });
}

}  // namespace

void RingCourses::carry(IssuedRing& ring, RingRounds& rounds, Time until) {
  auto const& waiting = rounds.in_order();
  auto const start = waiting.back().head;
  auto const left = rounds_left(waiting);
  auto const fewest = fewest_known * ring.members().size();
  if (left < fewest || left > most_known || !patience_.looks()) {
    return rounds.carry_until(until);
  }
  write(ring, waiting, start, until);
  if (auto const known = known_.find(state_)) {
    patience_.found();
    return repeat(courses_[*known], ring, rounds, start);
  }
  patience_.missed();
  carry_and_keep(ring, rounds, start, until);
}

void RingCourses::write(IssuedRing const& ring, std::vector<RingRound> const& rounds, Time start,
                        Time until) {
  auto const& members = ring.members();
  state_.restart();
  state_.put((until - start).value());
  state_.put(static_cast<std::int64_t>(members.size()));
  for (auto const& member : members) {
    member.relay.write(state_, start);
    state_.put(member.entrance.value());
    state_.put(static_cast<std::int64_t>(member.hops));
  }
  for (auto const& hop : ring.hops()) {
    state_.put(hop.lane.serialisation.value());
    state_.put(hop.latency().value());
    state_.put_future(*hop.lane.free, start);
  }
  for (auto const& round : rounds) {
    state_.put(round.sender - members.data());
    state_.put(round.hop - round.sender->first);
    state_.put(round.rounds_left());
    state_.put((round.head - start).value());
    state_.put(round.tail.value());
  }
}

void RingCourses::carry_and_keep(IssuedRing& ring, RingRounds& rounds, Time start, Time until) {
  Course course;
  course.start = start;
  auto& members = ring.members();
  auto& hops = ring.hops();
  for (auto const& member : members) course.arrived.push_back(member.arrived);
  for (auto const& hop : hops) {
    course.links.push_back({hop.passed, Time{0}, {}});
    hop.lanes->meter().record();
  }
  rounds.carry_until(until);
  for (std::size_t i = 0; i < members.size(); ++i) {
    course.arrived[i] = members[i].arrived - course.arrived[i];
  }
  for (std::size_t i = 0; i < hops.size(); ++i) {
    auto& link = course.links[i];
    link.passed = hops[i].passed - link.passed;
    link.free = *hops[i].lane.free - start;
    link.busy = hops[i].lanes->meter().take_record();
    kept_ += link.busy.all().size();
  }
  for (auto const& round : rounds.all()) {
    course.rounds.push_back({static_cast<std::size_t>(round.sender - members.data()),
                             round.hop - round.sender->first, round.rounds_left(),
                             round.head - start, round.tail});
  }
  kept_ += state_.words().size();
  if (kept_ > most_kept) {
    known_ = {};
    courses_ = {};
    kept_ = 0;
  }
  known_.add(state_);
  courses_.push_back(std::move(course));
}

void RingCourses::repeat(Course const& course, IssuedRing& ring, RingRounds& rounds, Time start) {
  auto& members = ring.members();
  auto& hops = ring.hops();
  rounds.change([&](RingRound& round, std::size_t index) {
    auto const& then = course.rounds[index];
    round.sender = &members[then.sender];
    round.hop = round.sender->first + then.hop;
    round.number = ring.last_round() - then.left;
    round.head = start + then.head;
    round.tail = then.tail;
  });
  for (std::size_t i = 0; i < members.size(); ++i) members[i].arrived += course.arrived[i];
  for (std::size_t i = 0; i < hops.size(); ++i) {
    auto const& link = course.links[i];
    if (link.passed == 0) continue;
    hops[i].passed += link.passed;
    *hops[i].lane.free = start + link.free;
    hops[i].lanes->meter().keep_busy(link.busy, start - course.start);
  }
}

}  // namespace tessera::sim
