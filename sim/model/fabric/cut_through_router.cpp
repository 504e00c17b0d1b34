// A router wakes when the head of a queue may start, and looks at its queues whose head has arrived.
#include <algorithm>

#include "sim/model/fabric/cut_through_network.hpp"

namespace tessera::sim {

void CutThroughNetwork::wake_router(std::uint32_t router, Tick now) {
  auto const& active = active_[router];
  if (active.count == 1) {  // nothing to choose
    auto const queue = active_queues_[active.first];
    auto next = earliest_start(queue);
    if (next <= now) {
      start(queue, now);
      next = active.count == 0 ? never : earliest_start(queue);
    }
    if (next != never) wakes_.set_at_most(router, std::max(next, now));
    return;
  }
  choose_among_many(router, now);
}

/// Queues whose first packet has arrived are among those to choose from.
void CutThroughNetwork::wake_arrived(std::uint32_t router, Tick now) {
  auto& active = active_[router];
  if (active.next_arrival > now) return;
  active.next_arrival = never;
  for (auto place = active.first + active.awake; place < active.first + active.count; ++place) {
    auto const queue = active_queues_[place];
    auto const ready = head_of(queues_[queue]).ready;
    if (ready > now) {
      active.next_arrival = std::min(active.next_arrival, ready);
      continue;
    }
    move_active(active.first + active.awake, place);
    active_queues_[active.first + active.awake] = queue;
    queues_[queue].active = active.first + active.awake;
    ++active.awake;
  }
}

void CutThroughNetwork::move_active(std::uint32_t from, std::uint32_t to) {
  active_queues_[to] = active_queues_[from];
  queues_[active_queues_[to]].active = to;
}

void CutThroughNetwork::choose_among_many(std::uint32_t router, Tick now) {
  wake_arrived(router, now);
  auto const& active = active_[router];
  auto next = active.next_arrival;
  wanted_.clear();
  for (auto place = active.first; place < active.first + active.awake; ++place) {
    auto const queue = active_queues_[place];
    auto const start = earliest_start(queue);
    if (start > now) {
      next = std::min(next, start);
      continue;
    }
    auto const channel = head_of(queues_[queue]).channel;
    auto const key = precedence(queue, channels_[channel]);
    if (best_[channel] == no_one) wanted_.push_back(channel);
    if (best_[channel] == no_one || key < best_key_[channel]) {
      best_[channel] = queue;
      best_key_[channel] = key;
    }
  }
  if (wanted_.empty()) {
    if (next != never) wakes_.set_at_most(router, std::max(next, now));
    return;
  }
  if (wanted_.size() == 1 && channels_[wanted_.front()].is_way_out) {
    best_[wanted_.front()] = no_one;
    start_all(router, now);
  } else {
    start_best(router, now);
  }
  wake_at_earliest(router, now);
}

void CutThroughNetwork::start_best(std::uint32_t router, Tick now) {
  if (wanted_.size() > 1) std::sort(wanted_.begin(), wanted_.end());
  for (auto const channel : wanted_) {
    auto queue = std::exchange(best_[channel], no_one);
    if (channels_[queues_[queue].port].port_busy_until > now) {
      queue = choose_again(router, channel, now);
    }
    if (queue != no_one) start(queue, now);
  }
}

/// All that may go want the endpoint that the router is: no wire holds them up, so they go in this
/// instant, in the order in which they would be chosen one by one. One with a successor is the
/// last, for that may want a port that the others need.
void CutThroughNetwork::start_all(std::uint32_t router, Tick now) {
  auto const& active = active_[router];
  ready_.clear();
  for (auto place = active.first; place < active.first + active.awake; ++place) {
    auto const queue = active_queues_[place];
    if (earliest_start(queue) > now) continue;
    auto const& output = channels_[head_of(queues_[queue]).channel];
    ready_.emplace_back(precedence(queue, output), queue);
  }
  std::sort(ready_.begin(), ready_.end());
  for (auto const& [key, queue] : ready_) {
    auto const has_successor = queues_[queue].count > 1;
    start(queue, now);
    if (has_successor) return;
  }
}

void CutThroughNetwork::wake_at_earliest(std::uint32_t router, Tick now) {
  auto const& active = active_[router];
  auto next = active.next_arrival;
  for (auto place = active.first; place < active.first + active.awake; ++place) {
    next = std::min(next, earliest_start(active_queues_[place]));
  }
  if (next != never) wakes_.set_at_most(router, std::max(next, now));
}

/// The first tick at which the head of a queue may start, as far as is known now; never when it
/// needs room that nobody has given back yet: then the channel wakes its router when it comes.
Tick CutThroughNetwork::earliest_start(std::uint32_t queue) {
  auto const& entry = head_of(queues_[queue]);
  auto const& output = channels_[entry.channel];
  auto const time =
      std::max({entry.ready, output.busy_until, channels_[queues_[queue].port].port_busy_until});
  if (output.ends_at_endpoint) return time;
  return std::max(time, room_at(entry.channel, entry.vc_class));
}

std::pair<std::uint32_t, std::uint32_t> CutThroughNetwork::queues_of(std::uint32_t channel,
                                                                     std::uint8_t vc_class) const {
  auto const vcs = spec_.virtual_channels;
  auto const classes = channels_[channel].classes;
  return {channel * vcs + vc_class * vcs / classes, channel * vcs + (vc_class + 1) * vcs / classes};
}

Tick CutThroughNetwork::room_at(std::uint32_t channel, std::uint8_t vc_class) {
  auto const [first, last] = queues_of(channel, vc_class);
  auto earliest = never;
  auto latest = Tick{0};
  for (auto queue = first; queue < last; ++queue) {
    auto const time = room_of(queues_[queue]);
    earliest = std::min(earliest, time);
    latest = std::max(latest, time);
  }
  if (latest == never && earliest > wakes_.now()) channels_[channel].upstream_waits = true;
  return earliest;
}

/// Smaller goes first.
std::uint64_t CutThroughNetwork::precedence(std::uint32_t queue, ChannelState const& output) const {
  if (spec_.arbitration == Arbitration::oldest_first) {
    // Packets are numbered as they are sent, so the oldest has the smallest number.
    return packets_[head_of(queues_[queue]).packet].serial;
  }
  auto const rank = queues_[queue].rank;
  return rank >= output.turn ? rank - output.turn
                             : rank + active_[output.from].queues - output.turn;
}

/// The best queue for a channel when the input port of the first choice was taken in this instant.
std::uint32_t CutThroughNetwork::choose_again(std::uint32_t router, std::uint32_t channel,
                                              Tick now) {
  auto const& active = active_[router];
  auto best = no_one;
  for (auto place = active.first; place < active.first + active.awake; ++place) {
    auto const queue = active_queues_[place];
    auto const& entry = head_of(queues_[queue]);
    if (entry.channel != channel || earliest_start(queue) > now) continue;
    if (best == no_one ||
        precedence(queue, channels_[channel]) < precedence(best, channels_[channel])) {
      best = queue;
    }
  }
  return best;
}

void CutThroughNetwork::start(std::uint32_t queue, Tick now) {
  auto const entry = head_of(queues_[queue]);
  auto& output = channels_[entry.channel];
  if (output.is_half_duplex && !serves_wires_) return ask_for_wire(entry.channel, now);
  output.turn =
      queues_[queue].rank + 1 == active_[output.from].queues ? 0 : queues_[queue].rank + 1;
  transmit(entry.packet, entry.channel, entry.vc_class, now);
  auto& port = channels_[queues_[queue].port];
  if (!port.is_wide) port.port_busy_until = output.busy_until;
  leave(queue, output.busy_until);
}

}  // namespace tessera::sim
