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
  Time const start = std::max(now, free_);
  free_ = start + task.bytes / spec_.bandwidth;
  utilisation_.add(start, free_);
  counters_.count(task, free_ - start);

  Message done = issue;
  done.kind = Message::Kind::done;
  out.send(clock_.after(free_ + spec_.latency, Cycles{1}), to_dispatcher, done);
}

void BandwidthMemory::serialize(Time now, StateWriter& out) const {
  out.put_phase(clock_, now);
  out.put_future(free_, now);
  for (Message const& message : arrived_) out.put(message);
}

}  // namespace tessera::sim
