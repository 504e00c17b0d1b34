// All that wait are looked at when one comes, and when links become free.
#include "sim/model/fabric/packet/circuit_network.hpp"

#include <algorithm>

namespace tessera::sim {

void CircuitNetwork::send(Tick now, FabricPacket const& packet) {
  EXPECTS(packet.source != packet.destination, packet.source);
  while (!is_arbitrating_ && !ends_.empty() && ends_.top() < now)
    ends_.pop();  // nobody waited for it
  waiting_.insert(behind(now), {now, packet,
                                interconnect_.route(arch::VertexId{packet.source},
                                                    arch::VertexId{packet.destination})});
  wanted_ = std::min(wanted_, now);
  ++sent_;
}

/// The first that is created later.
std::vector<CircuitNetwork::Waiting>::iterator CircuitNetwork::behind(Tick time) {
  return std::upper_bound(waiting_.begin(), waiting_.end(), time,
                          [](Tick sought, Waiting const& other) { return sought < other.created; });
}

Tick CircuitNetwork::next_event() {
  if (ends_.empty() || waiting_.empty()) return wanted_;
  return std::min(wanted_, ends_.top());
}

void CircuitNetwork::advance(Tick until, std::vector<FabricDelivery>& out) {
  for (auto now = next_event(); now < until; now = next_event()) {
    while (!ends_.empty() && ends_.top() <= now) ends_.pop();
    arbitrate(now, out);
  }
}

/// A listener may send meanwhile: behind those that were looked at.
void CircuitNetwork::arbitrate(Tick now, std::vector<FabricDelivery>& out) {
  ++rounds_;
  is_arbitrating_ = true;
  for (std::size_t i = 0; i < waiting_.size() && waiting_[i].created <= now;) {
    if (can_be_set_up(waiting_[i], now)) {
      auto const next = std::move(waiting_[i]);
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
      set_up(next, now, out);
      continue;
    }
    for (auto const& hop : waiting_[i].way) channels_[hop.channel].wanted_in = rounds_;
    ++i;
  }
  is_arbitrating_ = false;
  auto const later = behind(now);
  wanted_ = later == waiting_.end() ? never : later->created;
}

bool CircuitNetwork::can_be_set_up(Waiting const& waiting, Tick now) const {
  return std::all_of(waiting.way.begin(), waiting.way.end(), [&](arch::Hop const& hop) {
    auto const& channel = channels_[hop.channel];
    return !is_shared(hop) || (channel.free_at <= now && channel.wanted_in != rounds_);
  });
}

Tick CircuitNetwork::duration(arch::Hop const& hop, std::uint32_t size) const {
  auto const& timing = timing_[hop.channel];
  return tessera::detail::multiply_divide_ceil(size, timing.ticks, timing.units);
}

void CircuitNetwork::set_up(Waiting const& waiting, Tick now, std::vector<FabricDelivery>& out) {
  auto const& [created, packet, way] = waiting;
  auto const begin = now + setup_;
  Tick slowest = 0;
  Tick latency = 0;
  for (auto const& hop : way) {
    slowest = std::max(slowest, duration(hop, packet.size));
    latency += timing_[hop.channel].latency;
  }
  auto const arrival = begin + slowest + latency;
  for (auto const& hop : way) {
    auto& channel = channels_[hop.channel];
    auto const busy = duration(hop, packet.size);
    channel.free_at = arrival;
    ++channel.count.packets;
    channel.count.units += packet.size;
    channel.count.busy += busy;
  }
  ends_.push(arrival);
  ++delivered_;
  out.push_back({packet.tag, static_cast<std::uint32_t>(way.size() - 1), created, begin, arrival});
  if (!on_passage_) return;
  for (auto const& hop : way) {
    on_passage_(
        {hop.channel, packet.tag, begin, begin + duration(hop, packet.size), true, packet.bytes});
  }
}

}  // namespace tessera::sim
