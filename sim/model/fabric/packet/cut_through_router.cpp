// A router wakes when the head of a queue may start, and looks at its queues whose head has arrived.
#include <algorithm>

#include "sim/model/fabric/packet/cut_through_network.hpp"

namespace tessera::sim {

void CutThroughNetwork::wake_due_routers(Tick now) {
  for (auto const router : due_) {
    active_[router].is_due = false;
    wake_router(router, now);
  }
  due_.clear();
  for (auto const queue : returned_) return_credit(queues_[queue], now);
  returned_.clear();
}

void CutThroughNetwork::wake_router(std::uint32_t router, Tick now) {
  auto const& active = active_[router];
  if (active.count == 1) {  // nothing to choose
    auto const queue = active_queues_[active.first];
    auto next = earliest_start(queues_[queue]);
    if (next <= now) {
      start(queue, now);
      next = active.count == 0 ? never : earliest_start(queues_[queue]);
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
    auto const ready = queues_[queue].ready;
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
    auto const index = active_queues_[place];
    auto const& queue = queues_[index];
    auto const start = earliest_start(queue);
    if (start > now) {
      next = std::min(next, start);
      continue;
    }
    auto& best = best_[queue.channel];
    if (best.queue == no_one) wanted_.push_back(queue.channel);
    auto const key = precedence(queue);
    if (key < best.precedence) best = {key, index};
  }
  if (wanted_.empty()) {
    if (next != never) wakes_.set_at_most(router, std::max(next, now));
    return;
  }
  if (wanted_.size() == 1 && channels_[wanted_.front()].is_way_out) {
    best_[wanted_.front()] = {};
    start_all(router, now);
    wake_at_earliest(router, now);
    return;
  }
  next = std::min(next, start_best(router, now));
  if (next != never) wakes_.set_at_most(router, std::max(next, now));
}

/// Starts the best for each wanted channel. Who lost, and who is next in a queue that one left, may
/// start when its wires are free again: not before the time that comes back.
Tick CutThroughNetwork::start_best(std::uint32_t router, Tick now) {
  if (wanted_.size() > 1) std::sort(wanted_.begin(), wanted_.end());
  moved_up_.clear();
  auto free_again = never;
  for (auto const channel : wanted_) {
    auto queue = std::exchange(best_[channel], {}).queue;
    if (channels_[queues_[queue].port].port_busy_until > now) {
      queue = choose_again(router, channel, now);
    }
    if (queue == no_one) continue;
    start(queue, now);
    auto const& port = channels_[queues_[queue].port];
    auto const moves_up = queues_[queue].count > 0 && port.port_busy_until <= now;
    if (moves_up) moved_up_.push_back(queue);
    free_again = std::min(free_again, moves_up ? now : channels_[channel].busy_until);
  }
  return active_[router].awake > 0 ? free_again : never;
}

/// All that may go want the endpoint that the router is: no wire holds them up, so they go in this
/// instant, in the order in which they would be chosen one by one. One with a successor is the
/// last, for that may want a port that the others need; so is one whose room is known upstream at
/// once, for that may be filled at once.
void CutThroughNetwork::start_all(std::uint32_t router, Tick now) {
  auto const& active = active_[router];
  ready_.clear();
  for (auto place = active.first; place < active.first + active.awake; ++place) {
    auto const queue = active_queues_[place];
    if (earliest_start(queues_[queue]) > now) continue;
    ready_.emplace_back(precedence(queues_[queue]), queue);
  }
  std::sort(ready_.begin(), ready_.end());
  for (auto const& [key, queue] : ready_) {
    auto const has_successor = queues_[queue].count > 1;
    start(queue, now);
    if (has_successor || channels_[queues_[queue].port].latency == 0) return;
  }
}

void CutThroughNetwork::wake_at_earliest(std::uint32_t router, Tick now) {
  auto const& active = active_[router];
  auto next = active.next_arrival;
  for (auto place = active.first; place < active.first + active.awake; ++place) {
    next = std::min(next, earliest_start(queues_[active_queues_[place]]));
  }
  if (next != never) wakes_.set_at_most(router, std::max(next, now));
}

Tick CutThroughNetwork::credit_among(std::uint32_t way) {
  auto earliest = never;
  auto latest = Tick{0};
  for (auto queue = way; queue < queues_[way].class_end; ++queue) {
    earliest = std::min(earliest, queues_[queue].credit);
    latest = std::max(latest, queues_[queue].credit);
  }
  if (latest == never && earliest > wakes_.now()) {
    channels_[queues_[way].port].upstream_waits = true;
  }
  return earliest;
}

/// The best queue for a channel when the input port of the first choice was taken in this instant;
/// not one whose head was behind another when the outputs looked.
std::uint32_t CutThroughNetwork::choose_again(std::uint32_t router, std::uint32_t channel,
                                              Tick now) {
  auto const& active = active_[router];
  auto best = no_one;
  for (auto place = active.first; place < active.first + active.awake; ++place) {
    auto const queue = active_queues_[place];
    if (queues_[queue].channel != channel || earliest_start(queues_[queue]) > now) continue;
    if (std::find(moved_up_.begin(), moved_up_.end(), queue) != moved_up_.end()) continue;
    if (best == no_one || precedence(queues_[queue]) < precedence(queues_[best])) best = queue;
  }
  return best;
}

void CutThroughNetwork::start(std::uint32_t index, Tick now) {
  auto& queue = queues_[index];
  auto const channel = queue.channel;
  auto& output = channels_[channel];
  if (output.is_half_duplex && !serves_wires_) return ask_for_wire(channel, now);
  output.round_robin = queue.rank + 1;
  transmit(slots_[queue.first + queue.head].packet, channel, queue.way, now);
  auto& port = channels_[queue.port];
  if (!port.is_wide) port.port_busy_until = output.busy_until;
  leave(index, output.busy_until);
}

}  // namespace tessera::sim
