// Done at the next clock.
#include "sim/model/ideal_memory.hpp"

namespace tessera::sim {

void IdealMemory::push(Time /*now*/, Port port, Message const& message) {
  EXPECTS(port == from_dispatcher && message.kind == Message::Kind::issue, port);
  arrived_.push_back(message);
}

std::optional<Time> IdealMemory::advance(Time now, Outbox& out) {
  for (Message const& issue : arrived_) {
    Task const& task = graph_.at(issue.task);
    counters_.count(access_of(task), task.bytes, Time{0});
    Message done = issue;
    done.kind = Message::Kind::done;
    out.send(clock_.after(now, Cycles{1}), to_dispatcher, done);
  }
  arrived_.clear();
  return std::nullopt;
}

Time IdealMemory::transfer(Time at, Transfer const& transfer) {
  counters_.count(transfer.access, transfer.size, Time{0});
  return at;
}

void IdealMemory::serialize(Time now, StateWriter& out) const {
  out.put_phase(clock_, now);
  for (Message const& message : arrived_) out.put(message);
}

}  // namespace tessera::sim
