// One request after another.
#include "sim/model/memory/bandwidth_memory.hpp"

#include <algorithm>

namespace tessera::sim {

BandwidthMemory::BandwidthMemory(arch::BandwidthMemorySpec const& spec, MessageClock clock,
                                 TaskGraph const& graph, BusyHistogram& utilisation)
    : Memory{clock, graph}, spec_{spec}, utilisation_{utilisation} {
  EXPECTS(spec_.bandwidth > Bandwidth{0} && spec_.latency >= Time{0}, spec_.bandwidth,
          spec_.latency);
}

Time BandwidthMemory::transfer(Time at, Transfer const& transfer) {
  Time const start = std::max(at, free_);
  free_ = start + transfer.size / spec_.bandwidth;
  utilisation_.add(start, free_);
  counters_.count(transfer.access, transfer.size, free_ - start);
  return free_ + spec_.latency;
}

void BandwidthMemory::serialize(Time now, StateWriter& out) const { out.put_future(free_, now); }

}  // namespace tessera::sim
