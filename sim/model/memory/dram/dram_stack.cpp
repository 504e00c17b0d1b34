// Delegates to channels.
#include "sim/model/memory/dram/dram_stack.hpp"

#include <algorithm>

namespace tessera::sim {

DramStack::DramStack(arch::DramSpec const& spec, Observer const& observer) : map_{spec} {
  auto const count = static_cast<std::size_t>(spec.organization.channels);
  channels_.reserve(count);
  for (std::size_t index = 0; index < count; ++index) {
    DramChannel::Observer of_channel;
    if (observer) {
      of_channel = [observer, index](DramCommand const& command) { observer(index, command); };
    }
    channels_.emplace_back(spec, of_channel);
  }
}

std::optional<std::int64_t> DramStack::offer(std::int64_t cycle, Request const& request,
                                             std::vector<DramCompletion>& out) {
  auto const at = map_(request.address);
  auto& channel = channels_[at.channel];
  channel.advance(cycle - 1, out);
  if (!channel.has_room(request.access)) return channel.advance_to_room(request.access, out);
  channel.push(cycle, {request.tag, request.access, at.bank, request.bursts, at.row});
  return std::nullopt;
}

void DramStack::advance(std::int64_t now, std::vector<DramCompletion>& out) {
  for (auto& channel : channels_) channel.advance(now, out);
}

std::optional<std::int64_t> DramStack::next_wakeup() const {
  std::optional<std::int64_t> next;
  for (auto const& channel : channels_) {
    auto const wakeup = channel.next_wakeup();
    if (wakeup && (!next || *wakeup < *next)) next = wakeup;
  }
  return next;
}

DramStatistics DramStack::statistics() const {
  DramStatistics sum;
  for (auto const& channel : channels_) sum += channel.statistics();
  return sum;
}

}  // namespace tessera::sim
