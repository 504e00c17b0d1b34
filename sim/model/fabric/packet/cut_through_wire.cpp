// Half-duplex wires, which choose between their ends when all else in an instant has chosen: only then is it known who may start.
#include <algorithm>

#include "sim/model/fabric/packet/cut_through_network.hpp"

namespace tessera::sim {

/// Something may start there; until the wire is served the channel counts as busy.
void CutThroughNetwork::ask_for_wire(std::uint32_t channel, Tick now) {
  channels_[channel].busy_until = now + 1;
  asking_.push_back(channel);
}

void CutThroughNetwork::serve_wires(Tick now) {
  std::sort(asking_.begin(), asking_.end());
  serves_wires_ = true;
  for (auto const channel : asking_) channels_[channel].busy_until = now;
  for (auto const channel : asking_) {
    auto const first = channels_[channel].sent_last ? way_back(channel) : channel;
    start_on(first, now);
    start_on(way_back(first), now);
  }
  for (auto const channel : asking_) wake_sender(channel, now);
  serves_wires_ = false;
  asking_.clear();
}

/// Starts what is first for a channel, if its wire is free and anything may start there.
void CutThroughNetwork::start_on(std::uint32_t channel, Tick now) {
  if (channels_[channel].busy_until > now) return;
  auto const sender = channels_[channel].from;
  if (sender < sources_.size()) return wake_endpoint(sender, now);
  wake_arrived(sender, now);
  moved_up_.clear();
  auto const queue = choose_again(sender, channel, now);
  if (queue != no_one) start(queue, now);
}

/// When it may start next, now that its wires are taken or not.
void CutThroughNetwork::wake_sender(std::uint32_t channel, Tick now) {
  auto const sender = channels_[channel].from;
  if (sender < sources_.size()) return wake_endpoint(sender, now);
  wake_arrived(sender, now);
  wakes_.set(sender, never);
  wake_at_earliest(sender, now);
}

void CutThroughNetwork::take_wire(std::uint32_t channel, Tick until) {
  auto& back = channels_[way_back(channel)];
  back.busy_until = until;
  back.sent_last = false;
  channels_[channel].sent_last = true;
}

}  // namespace tessera::sim
