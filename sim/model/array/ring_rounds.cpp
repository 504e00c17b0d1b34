// Which rounds there are, and how far they have to go.
#include "sim/model/array/ring_rounds.hpp"

namespace tessera::sim {

Message RingRound::message() const {
  auto message = sender->relay.packet(number);
  message.hops = static_cast<std::uint16_t>(hop - sender->first);
  message.tail = tail;
  return message;
}

Time RingRound::least_to_last() const {
  auto time = head;
  auto left = rounds_left();
  auto const* at = sender;
  if (hop != sender->first && left > 0) --left, at = at->next;
  for (; left > 0; --left, at = at->next) time += at->to_next;
  return time;
}

std::vector<RingRound> RingRounds::of(IssuedRing const& ring) const {
  std::vector<RingRound> rounds;
  rounds.reserve(ring.members().size());
  std::copy_if(rounds_.begin(), rounds_.end(), std::back_inserter(rounds),
               [&](RingRound const& round) { return round.ring == &ring; });
  return rounds;
}

void RingRounds::remove(IssuedRing const& ring) {
  auto const left = std::remove_if(rounds_.begin(), rounds_.end(),
                                   [&](RingRound const& round) { return round.ring == &ring; });
  rounds_.erase(left, rounds_.end());
}

}  // namespace tessera::sim
