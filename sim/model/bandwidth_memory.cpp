// One request after another.
#include "sim/model/bandwidth_memory.hpp"

#include <algorithm>

namespace tessera::sim {

BandwidthMemory::BandwidthMemory(arch::BandwidthMemorySpec const& spec, Clock clock,
                                 TaskGraph const& graph, BusyHistogram& utilisation)
    : spec_{spec}, clock_{clock}, graph_{graph}, utilisation_{utilisation} {
  EXPECTS(spec_.bandwidth > Bandwidth{0} && spec_.latency >= Time{0}, spec_.bandwidth,
          spec_.latency);
}

void BandwidthMemory::push(Time /*now*/, Port port, Message const& message) {
  EXPECTS(port == from_dispatcher && message.kind == Message::Kind::issue, port);
  arrived_.push_back(message);
}

std::optional<Time> BandwidthMemory::advance(Time now, Outbox& out) {
  for (Message const& issue : arrived_) serve(issue, now, out);
  arrived_.clear();
  return std::nullopt;
}

void BandwidthMemory::serve(Message const& issue, Time now, Outbox& out) {
  Task const& task = graph_.at(issue.task);
  Message done = issue;
  done.kind = Message::Kind::done;
  auto const end = transfer(now, {access_of(task), Bytes{0}, task.bytes});
  out.send(clock_.after(end, Cycles{1}), to_dispatcher, done);
}

Time BandwidthMemory::transfer(Time at, Transfer const& transfer) {
  Time const start = std::max(at, free_);
  free_ = start + transfer.size / spec_.bandwidth;
  utilisation_.add(start, free_);
  counters_.count(transfer.access, transfer.size, free_ - start);
  return free_ + spec_.latency;
}

void BandwidthMemory::serialize(Time now, StateWriter& out) const {
  out.put_phase(clock_, now);
  out.put_future(free_, now);
  for (Message const& message : arrived_) out.put(message);
}

}  // namespace tessera::sim
