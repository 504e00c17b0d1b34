// The times of NetworkInterface, without its queues.
#include "sim/model/fabric/round_relay.hpp"

namespace tessera::sim {

std::optional<RoundRelay> RoundRelay::find(NetworkInterface& at, TaskId incoming, TaskId own) {
  if (!at.may_be_told_ahead()) return std::nullopt;
  auto const issue = at.rounds_.issued(own);
  if (!issue || at.parts_of(*issue).size() != 1) return std::nullopt;
  return RoundRelay{at, incoming, *issue};
}

Message RoundRelay::packet(std::uint32_t round) const {
  auto issue = issue_;
  issue.round = round;
  issue.parts = 1;
  return at_->packet_of(issue);
}

void RoundRelay::settle(std::uint32_t left, std::uint32_t arrived) {
  auto const own = issue_.task;
  // Of a round that has been sent and has not left, the interface will be notified.
  at_->whole_ += std::int64_t{arrived} - std::int64_t{left};
  at_->meter_.count_sent(at_->graph_.at(own), left);
  at_->meter_.count_received(at_->graph_.at(incoming_), arrived);
  at_->rounds_.count(own, left, incoming_, arrived);
}

}  // namespace tessera::sim
