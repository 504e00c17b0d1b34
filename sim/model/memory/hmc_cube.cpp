// Events in order of time: what the crossbar delivers, what vaults finish, what links take.
#include "sim/model/memory/hmc_cube.hpp"

#include <algorithm>
#include <functional>

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
    vaults_.push_back({DramChannel{spec, of_vault}, {}, local, spec.policy.queue_depth, Time{0}});
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
  if (side == Side::local) {
    vaults_[map_(packet.address).channel].local.push_back(packet);
  } else if (side == Side::downstream && packet.kind == HmcPacket::Kind::tokens) {
    down_[link].give_back(packet.tokens);
  } else if (side == Side::downstream) {
    schedule(now, Event::Kind::respond, new_slot({packet, Side::upstream, link}));
  } else if (packet.kind == HmcPacket::Kind::request) {
    auto& buffer = buffers_[link];
    buffer.packets.push_back(packet);
    buffer.flits += packet.flits();
    EXPECTS(buffer.flits <= spec_.hmc->tokens, buffer.flits, spec_.hmc->tokens);
  }
}

std::size_t HmcCube::next_vault() const {
  std::size_t next = vaults_.size();
  for (std::size_t i = 0; i < vaults_.size(); ++i) {
    auto const& wakeup = vaults_[i].wakeup;
    if (wakeup && (next == vaults_.size() || *wakeup < *vaults_[next].wakeup)) next = i;
  }
  return next;
}

void HmcCube::advance(Time now, std::vector<Output>& out) {
  for (std::size_t vault = 0; vault < vaults_.size(); ++vault) drain_local(now, vault);
  drain_links(now, out);
  while (true) {
    auto const vault = next_vault();
    auto const period = spec_.clock_period;
    bool const has_vault = vault < vaults_.size() && period * *vaults_[vault].wakeup <= now;
    bool const has_event = !events_.empty() && events_.top().at <= now;
    if (!has_vault && !has_event) return;
    // A request enters a vault at the start of a cycle, before the vault decides.
    if (has_event && (!has_vault || events_.top().at <= period * *vaults_[vault].wakeup)) {
      auto const event = events_.top();
      events_.pop();
      process(event, out);
    } else {
      auto const cycle = *vaults_[vault].wakeup;
      run_vault(vault, cycle, period * cycle, out);
    }
  }
}

std::optional<Time> HmcCube::next_wakeup() const {
  std::optional<Time> next;
  auto const vault = next_vault();
  if (vault < vaults_.size()) next = spec_.clock_period * *vaults_[vault].wakeup;
  if (!events_.empty() && (!next || events_.top().at < *next)) next = events_.top().at;
  return next;
}

void HmcCube::process(Event const& event, std::vector<Output>& out) {
  auto const pending = slots_[event.slot];
  if (event.kind == Event::Kind::enter_vault) return enter_vault(event.at, event.slot, out);
  if (event.kind == Event::Kind::respond && pending.side == Side::local) {
    out.push_back({event.at, Side::local, 0, pending.packet});
  } else if (event.kind == Event::Kind::respond) {
    auto& port = response_port_free_[pending.link];
    auto const start = std::max(event.at, port);
    port = start + crossbar_time(pending.packet.flits());
    auto const latency = crossbar_.period() * spec_.hmc->crossbar_cycles;
    return schedule(port + latency, Event::Kind::send_response, event.slot);
  } else {
    up_[pending.link].push(pending.packet);
    up_[pending.link].advance(event.at, [&](Time at, HmcPacket const& packet) {
      out.push_back({at, Side::upstream, pending.link, packet});
    });
  }
  free_slots_.push_back(event.slot);
}

void HmcCube::enter_vault(Time now, std::size_t slot, std::vector<Output>& out) {
  auto const& packet = slots_[slot].packet;
  auto const at = map_(packet.address);
  auto const burst = spec_.organization.burst().value();
  auto const cycle = (now.value() + spec_.clock_period.value() - 1) / spec_.clock_period.value();
  if (spec_.clock_period * cycle > now) {  // the next clock edge of the vault
    return schedule(spec_.clock_period * cycle, Event::Kind::enter_vault, slot);
  }
  auto& vault = vaults_[at.channel];
  if (cycle > 0) run_vault(at.channel, cycle - 1, now, out);
  auto const bursts = (packet.bytes + burst - 1) / burst;
  vault.channel.push(cycle,
                     {slot, packet.access, at.bank, static_cast<std::uint16_t>(bursts), at.row});
  vault.wakeup = vault.channel.next_wakeup();
}

void HmcCube::run_vault(std::size_t index, std::int64_t cycle, Time now, std::vector<Output>& out) {
  auto& vault = vaults_[index];
  vault.channel.advance(cycle, completions_);
  vault.wakeup = vault.channel.next_wakeup();
  if (completions_.empty()) return;
  for (auto const& done : completions_) {
    auto const slot = static_cast<std::size_t>(done.tag);
    slots_[slot].packet.kind = HmcPacket::Kind::response;
    schedule(spec_.clock_period * done.done, Event::Kind::respond, slot);
    ++vault.places;
  }
  completions_.clear();
  auto const next_edge = now + spec_.clock_period;  // the place is free from the next cycle on
  drain_local(next_edge, index);
  drain_links(next_edge, out);
}

void HmcCube::drain_local(Time now, std::size_t index) {
  auto& vault = vaults_[index];
  while (!vault.local.empty() && vault.places > 0) {
    --vault.places;
    auto const slot = new_slot({vault.local.front(), Side::local, 0});
    vault.local.pop_front();
    schedule(now, Event::Kind::enter_vault, slot);
  }
}

void HmcCube::drain_links(Time now, std::vector<Output>& out) {
  for (std::size_t link = 0; link < buffers_.size(); ++link) {
    while (drain(now, link, out)) {
    }
    down_[link].advance(now, [&](Time at, HmcPacket const& packet) {
      out.push_back({at, Side::downstream, link, packet});
    });
  }
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
  if (passes) {
    --packet.hops;
    down_[link].push(packet);
    return true;
  }
  --vault.places;
  vault.port_free = left;
  auto const latency = crossbar_.period() * spec_.hmc->crossbar_cycles;
  schedule(left + latency, Event::Kind::enter_vault, new_slot({packet, Side::upstream, link}));
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
