// Events in order of time: what the crossbar delivers, what vaults finish, what links take.
#include "sim/model/memory/hmc_cube.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace tessera::sim {

HmcCube::HmcCube(arch::DramSpec const& spec, DramStack::Observer const& observer)
    : spec_{spec}, map_{spec}, crossbar_{spec.hmc.value().crossbar_clock} {
  auto const links = static_cast<std::size_t>(spec.hmc->links);
  auto const vaults = static_cast<std::size_t>(spec.organization.channels);
  vaults_.reserve(vaults);
  Fifo<HmcPacket> const local{static_cast<std::size_t>(spec.policy.queue_depth)};
  for (std::size_t index = 0; index < vaults; ++index) {
    DramChannel::Observer of_vault;
    if (observer) {
      of_vault = [observer, index](DramCommand const& command) { observer(index, command); };
    }
    vaults_.push_back(
        {DramChannel{spec, of_vault}, never, local, spec.policy.queue_depth, Time{0}});
  }
  // A packet has a FLIT or more.
  InputBuffer buffer;
  buffer.packets = Fifo<HmcPacket>{static_cast<std::size_t>(spec.hmc->tokens)};
  buffers_.assign(links, buffer);
  up_.assign(links, HmcLink{*spec.hmc, HmcLink::unlimited});
  down_.assign(links, HmcLink{*spec.hmc, spec.hmc->tokens});
  response_port_free_.resize(links);
  // As many as the vaults' queues hold, and as many again on their way back; hosts may want more.
  auto const places = 2 * vaults * static_cast<std::size_t>(spec.policy.queue_depth);
  slots_.reserve(places);
  free_slots_.reserve(places);
  EXPECTS(spec.policy.queues == arch::DramPolicy::Queues::shared, spec.name);
}

Time HmcCube::crossbar_time(std::int64_t flits) const {
  auto const clocks = (flits + spec_.hmc->crossbar_flits - 1) / spec_.hmc->crossbar_flits;
  return crossbar_.period() * clocks;
}

std::size_t HmcCube::new_slot(Pending const& pending) {
  if (free_slots_.empty()) {
    slots_.push_back(pending);
    return slots_.size() - 1;
  }
  auto const slot = free_slots_.back();
  free_slots_.pop_back();
  slots_[slot] = pending;
  return slot;
}

void HmcCube::push(Time now, Side side, std::size_t link, HmcPacket const& packet) {
  EXPECTS(packet.bytes % HmcPacket::flit == 0 && packet.bytes <= 256, packet.bytes);
  has_moved_ = true;
  if (side == Side::local) {
    vaults_[map_(packet.address).channel].local.push_back(packet);
  } else if (side == Side::downstream && packet.kind == HmcPacket::Kind::tokens) {
    down_[link].give_back(packet.tokens);
  } else if (side == Side::downstream) {
    auto const source = vaults_.size() + link;
    schedule({now, Event::Kind::respond, new_slot({packet, Side::upstream, link}), {}, source});
  } else if (packet.kind == HmcPacket::Kind::request) {
    auto& buffer = buffers_[link];
    buffer.packets.push_back(packet);
    buffer.flits += packet.flits();
    EXPECTS(buffer.flits <= spec_.hmc->tokens, buffer.flits, spec_.hmc->tokens);
  }
}

void HmcCube::schedule(Event event) {
  event.number = scheduled_++;
  events_.push(event);
}

void HmcCube::advance(Time now, std::vector<Output>& out) {
  auto const is_due = [&] { return !events_.empty() && events_.top().at <= now; };
  for (; is_due() && events_.top().kind == Event::Kind::free_place; events_.pop()) {
    ++vaults_[events_.top().slot].places;
    has_moved_ = true;
  }
  if (std::exchange(has_moved_, false)) {
    for (std::size_t vault = 0; vault < vaults_.size(); ++vault) drain_local(now, vault);
    drain_links(now, out);
  }
  while (is_due()) {
    auto const event = events_.top();
    events_.pop();
    EXPECTS(event.at == now, event.at.value(), now.value());
    process(event, out);
  }
  auto const cycle = now.value() / spec_.clock_period.value();
  if (first_wakeup_ <= cycle) run_vaults(cycle, out);
}

void HmcCube::run_vaults(std::int64_t cycle, std::vector<Output>& out) {
  first_wakeup_ = never;
  for (std::size_t index = 0; index < vaults_.size(); ++index) {
    auto const& wakeup = vaults_[index].wakeup;
    if (wakeup <= cycle) run_vault(index, cycle, out);
    first_wakeup_ = std::min(first_wakeup_, wakeup);
  }
}

std::optional<Time> HmcCube::next_wakeup() const {
  std::optional<Time> next;
  if (first_wakeup_ != never) next = spec_.clock_period * first_wakeup_;
  if (!events_.empty() && (!next || events_.top().at < *next)) next = events_.top().at;
  return next;
}

void HmcCube::process(Event const& event, std::vector<Output>& out) {
  switch (event.kind) {
    case Event::Kind::free_place:
      ++vaults_[event.slot].places;
      break;
    case Event::Kind::enter_vault:
      return enter_vault(event);
    case Event::Kind::respond:
      return respond(event);
    case Event::Kind::send:
      return send(event, out);
  }
}

void HmcCube::schedule_entry(Time now, std::size_t slot, std::size_t source) {
  auto const period = spec_.clock_period.value();
  auto const edge = spec_.clock_period * ((now.value() + period - 1) / period);
  schedule({edge, Event::Kind::enter_vault, slot, now, source});
}

void HmcCube::enter_vault(Event const& event) {
  auto const& packet = slots_[event.slot].packet;
  auto const at = map_(packet.address);
  auto const burst = spec_.organization.burst().value();
  auto const bursts = static_cast<std::uint16_t>((packet.bytes + burst - 1) / burst);
  auto const cycle = event.at.value() / spec_.clock_period.value();
  auto& vault = vaults_[at.channel];
  vault.channel.advance(cycle - 1, completions_);
  EXPECTS(completions_.empty(), cycle);
  vault.channel.push(cycle, {event.slot, packet.access, at.bank, bursts, at.row});
  vault.wakeup = vault.channel.next_wakeup().value_or(never);
  first_wakeup_ = std::min(first_wakeup_, vault.wakeup);
}

void HmcCube::respond(Event const& event) {
  auto const& pending = slots_[event.slot];
  auto& port = response_port_free_[pending.link];
  port = std::max(event.at, port) + crossbar_time(pending.packet.flits());
  auto const latency = crossbar_.period() * spec_.hmc->crossbar_cycles;
  schedule({port + latency, Event::Kind::send, event.slot});
}

void HmcCube::send(Event const& event, std::vector<Output>& out) {
  auto const& [packet, side, link] = slots_[event.slot];
  free_slots_.push_back(event.slot);
  if (side == Side::downstream) {
    down_[link].push(packet);
    return advance_downstream(event.at, link, out);
  }
  up_[link].push(packet);
  up_[link].advance(event.at, [&, to = link](Time at, HmcPacket const& sent) {
    out.push_back({at, Side::upstream, to, sent});
  });
}

void HmcCube::run_vault(std::size_t index, std::int64_t cycle, std::vector<Output>& out) {
  auto& vault = vaults_[index];
  vault.channel.advance(cycle, completions_);
  vault.wakeup = vault.channel.next_wakeup().value_or(never);
  for (auto const& done : completions_) {
    auto const slot = static_cast<std::size_t>(done.tag);
    auto& pending = slots_[slot];
    pending.packet.kind = HmcPacket::Kind::response;
    auto const at = spec_.clock_period * done.done;
    schedule({spec_.clock_period * (done.issued + 1), Event::Kind::free_place, index});
    if (pending.side == Side::local) {
      out.push_back({at, Side::local, 0, pending.packet});
      free_slots_.push_back(slot);
    } else {
      schedule({at, Event::Kind::respond, slot, {}, index});
    }
  }
  completions_.clear();
}

void HmcCube::drain_local(Time now, std::size_t index) {
  auto& vault = vaults_[index];
  for (; !vault.local.empty() && vault.places > 0; vault.local.pop_front()) {
    --vault.places;
    schedule_entry(now, new_slot({vault.local.front(), Side::local, 0}), buffers_.size());
  }
}

void HmcCube::drain_links(Time now, std::vector<Output>& out) {
  for (std::size_t link = 0; link < buffers_.size(); ++link) {
    while (drain(now, link, out)) {
    }
    advance_downstream(now, link, out);
  }
}

void HmcCube::advance_downstream(Time now, std::size_t link, std::vector<Output>& out) {
  down_[link].advance(now, [&](Time at, HmcPacket const& packet) {
    out.push_back({at, Side::downstream, link, packet});
  });
}

bool HmcCube::drain(Time now, std::size_t link, std::vector<Output>& out) {
  auto& buffer = buffers_[link];
  if (buffer.packets.empty()) return false;
  auto packet = buffer.packets.front();
  auto const flits = packet.flits();
  bool const passes = packet.hops > 0;
  auto& vault = vaults_[map_(packet.address).channel];
  if (!passes && vault.places == 0) return false;
  auto const start = std::max({now, buffer.port_free, passes ? now : vault.port_free});
  auto const left = start + crossbar_time(flits);
  buffer.port_free = left;
  buffer.flits -= flits;
  buffer.packets.pop_front();
  HmcPacket tokens;
  tokens.kind = HmcPacket::Kind::tokens;
  tokens.tokens = flits;
  out.push_back({left + spec_.hmc->link_latency, Side::upstream, link, tokens});
  auto const there = left + crossbar_.period() * spec_.hmc->crossbar_cycles;
  if (passes) {
    --packet.hops;
    schedule({there, Event::Kind::send, new_slot({packet, Side::downstream, link}), {}, link});
  } else {
    --vault.places;
    vault.port_free = left;
    schedule_entry(there, new_slot({packet, Side::upstream, link}), link);
  }
  return true;
}

DramStatistics HmcCube::statistics() const {
  DramStatistics sum;
  for (auto const& vault : vaults_) sum += vault.channel.statistics();
  return sum;
}

std::int64_t HmcCube::flits_sent() const {
  std::int64_t sum = 0;
  for (auto const& link : up_) sum += link.flits();
  for (auto const& link : down_) sum += link.flits();
  return sum;
}

}  // namespace tessera::sim
