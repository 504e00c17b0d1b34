// Reserving lanes.
#include "sim/model/fabric/link_lanes.hpp"

namespace tessera::sim {

LinkLanes::LinkLanes(arch::Link const& spec, Time least_latency, LaneOf lane_of,
                     BusyHistogram& utilisation)
    : bandwidth_{spec.lane_bandwidth},
      latency_{std::max(spec.latency, least_latency)},
      least_latency_{least_latency},
      from_{spec.from.index()},
      lane_of_{std::move(lane_of)},
      meter_{utilisation},
      free_(static_cast<std::size_t>(spec.lanes)) {
  EXPECTS(spec.lanes > 0 && bandwidth_ > Bandwidth{0}, spec.lanes, bandwidth_);
}

LinkLanes::Passage LinkLanes::carry(Message const& message, Time now) {
  auto passage = pass(lane(message.source, message.bytes), now, message.tail);
  count(message.bytes, 1);
  // In a folded ring a message comes by again, for a copy of its sender further back.
  bool const leaves = message.source.index() == from_ && message.hops == 0;
  auto const end = passage.head - latency_ + passage.tail;
  if (leaves) passage.sent = std::max(end, now + least_latency_);
  return passage;
}

LinkLanes::Lane LinkLanes::lane(AcceleratorId source, Bytes bytes) {
  if (bytes != last_bytes_) {
    last_bytes_ = bytes;
    last_serialisation_ = bytes / bandwidth_;
  }
  return {&free_for(source), last_serialisation_};
}

Time& LinkLanes::free_for(AcceleratorId source) {
  if (free_.size() == 1) return free_.front();
  return free_.at(static_cast<std::size_t>(lane_of_(source)));
}

}  // namespace tessera::sim
