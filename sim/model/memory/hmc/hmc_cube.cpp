// In order of time: what arrives, what vaults finish, what the crossbar carries back.
#include "sim/model/memory/hmc/hmc_cube.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

/// Cycles of the crossbar for a packet.
[[nodiscard]] std::int64_t cycles_to_cross(arch::HmcInterface const& hmc, std::int64_t flits) {
  return (flits + hmc.crossbar_flits - 1) / hmc.crossbar_flits;
}

/// At that time or next.
[[nodiscard]] Time edge(Time period, Time time) { return period * ceil_ratio(time, period); }

}  // namespace

HmcCube::HmcCube(arch::DramSpec const& spec, LocalSide local_side,
                 DramStack::Observer const& observer)
    : spec_{spec},
      map_{spec},
      crossbar_period_{Clock{spec.hmc.value().crossbar_clock}.period()},
      crossbar_latency_{crossbar_period_ * spec.hmc->crossbar_cycles},
      local_side_{local_side} {
  if (local_side == LocalSide::unused) {
    run_ahead_ = crossbar_period_ + crossbar_latency_;
    patience_ = crossbar_period_ + std::min(crossbar_latency_, spec.hmc->link_latency);
  }
  EXPECTS(spec.policy.queues == arch::DramPolicy::Queues::shared, spec.name);
  auto const links = static_cast<std::size_t>(spec.hmc->links);
  auto const vaults = static_cast<std::size_t>(spec.organization.channels);
  auto const depth = static_cast<std::size_t>(spec.policy.queue_depth);
  vaults_.reserve(vaults);
  for (std::size_t index = 0; index < vaults; ++index) {
    DramChannel::Observer of_vault;
    if (observer) {
      of_vault = [observer, index](DramCommand const& command) { observer(index, command); };
    }
    vaults_.push_back({DramChannel{spec, of_vault}, Fifo<HmcPacket>{depth}, Fifo<Entry>{depth},
                       spec.policy.queue_depth, Time{0}});
  }
  vault_wakeups_.assign(vaults, never);
  // A packet has a FLIT or more.
  InputBuffer buffer;
  buffer.packets = Fifo<Arrival>{static_cast<std::size_t>(spec.hmc->tokens)};
  buffers_.assign(links, buffer);
  up_.assign(links, HmcLink{*spec.hmc, HmcLink::unlimited});
  down_.assign(links, HmcLink{*spec.hmc, spec.hmc->tokens});
  response_port_free_.resize(links);
  // As many as the vaults' queues hold, and as many again on their way back; hosts may want more.
  auto const places = 2 * vaults * depth;
  slots_.reserve(places);
  free_slots_.reserve(places);
  responses_ = Fifo<Event>{places};
  free_places_ = Fifo<FreePlace>{places};
}

std::uint32_t HmcCube::new_slot(Pending const& pending) {
  if (free_slots_.empty()) {
    slots_.push_back(pending);
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }
  auto const slot = free_slots_.back();
  free_slots_.pop_back();
  slots_[slot] = pending;
  return slot;
}

void HmcCube::push(Time at, Side side, std::size_t link, HmcPacket const& packet) {
  EXPECTS(packet.bytes % HmcPacket::flit == 0 && packet.bytes <= HmcPacket::most_bytes,
          packet.bytes);
  if (packet.kind == HmcPacket::Kind::tokens) {
    if (side != Side::downstream) return;
    down_[link].give_back(at, packet.tokens);
    if (down_[link].is_waiting()) next_wakeup_ = std::min(next_wakeup_, at);
    return;
  }
  next_wakeup_ = std::min(next_wakeup_, at + patience_);
  if (side == Side::local) {
    EXPECTS(local_side_ == LocalSide::used, spec_.name);
    return local_.push_back({at, packet});
  }
  if (side == Side::downstream) {
    auto const source = static_cast<std::uint32_t>(vaults_.size() + link);
    return responses_.insert({at, source, new_slot({packet, Side::upstream, link})});
  }
  auto& buffer = buffers_[link];
  buffer.packets.push_back({at, packet});
  buffer.flits += packet.flits();
  EXPECTS(buffer.flits <= spec_.hmc->tokens, buffer.flits, spec_.hmc->tokens);
}

void HmcCube::advance(Time now, std::vector<Output>& out) {
  EXPECTS(now <= next_wakeup_, now.value(), next_wakeup_.value());
  if (now < next_wakeup_) return;
  for (std::size_t link = 0; link < down_.size(); ++link) advance_downstream(link, out);
  settle(now, out);
  for (; !responses_.empty() && responses_.front().at <= now; responses_.pop_front()) {
    respond(responses_.front(), out);
  }
  if (first_vault_wakeup_ <= now + run_ahead_) run_vaults(now + run_ahead_, out);
  next_wakeup_ = find_wakeup();
}

std::optional<Time> HmcCube::next_wakeup() const {
  if (next_wakeup_ == never) return std::nullopt;
  return next_wakeup_;
}

Time HmcCube::find_wakeup() const {
  auto next = first_vault_wakeup_;
  if (auto const move = next_move(); move != never) next = std::min(next, move + patience_);
  if (!responses_.empty()) next = std::min(next, responses_.front().at + patience_);
  return next;
}

/// The next time at which a packet may leave its input buffer, or a local request may go on.
Time HmcCube::next_move() const {
  auto next = local_.empty() ? never : local_.front().at;
  bool is_blocked = waiting_local_ > 0;
  for (auto const& buffer : buffers_) {
    is_blocked = is_blocked || buffer.is_blocked;
    if (buffer.is_blocked || buffer.packets.empty()) continue;
    next = std::min(next, buffer.packets.front().at);
  }
  return is_blocked && !free_places_.empty() ? std::min(next, free_places_.front().at) : next;
}

void HmcCube::settle(Time now, std::vector<Output>& out) {
  for (auto time = next_move(); time <= now; time = next_move()) {
    free_places(time);
    take_local(time);
    take_from_links(time, out);
  }
}

void HmcCube::free_places(Time now) {
  for (; !free_places_.empty() && free_places_.front().at <= now; free_places_.pop_front()) {
    ++vaults_[free_places_.front().vault].places;
  }
}

void HmcCube::take_local(Time now) {
  for (; !local_.empty() && local_.front().at <= now; local_.pop_front()) {
    auto const& packet = local_.front().packet;
    vaults_[map_.channel_of(packet.address)].local.push_back(packet);
    ++waiting_local_;
  }
  if (waiting_local_ == 0) return;
  for (std::size_t index = 0; index < vaults_.size(); ++index) {
    auto& vault = vaults_[index];
    for (; !vault.local.empty() && vault.places > 0; vault.local.pop_front()) {
      bring_to_vault(index, now, {vault.local.front(), Side::local, 0}, buffers_.size());
      --waiting_local_;
    }
  }
}

void HmcCube::take_from_links(Time now, std::vector<Output>& out) {
  for (std::size_t link = 0; link < buffers_.size(); ++link) {
    while (drain(now, link, out)) {
    }
  }
}

bool HmcCube::drain(Time now, std::size_t link, std::vector<Output>& out) {
  auto& buffer = buffers_[link];
  if (buffer.packets.empty() || buffer.packets.front().at > now) return false;
  auto packet = buffer.packets.front().packet;
  bool const passes = packet.hops > 0;
  auto const index = map_.channel_of(packet.address);
  auto& vault = vaults_[index];
  buffer.is_blocked = !passes && vault.places == 0;
  if (buffer.is_blocked) return false;
  auto const flits = packet.flits();
  auto const start = std::max({now, buffer.port_free, passes ? now : vault.port_free});
  auto const left = start + crossbar_period_ * cycles_to_cross(*spec_.hmc, flits);
  buffer.port_free = left;
  buffer.flits -= flits;
  buffer.packets.pop_front();
  HmcPacket tokens;
  tokens.kind = HmcPacket::Kind::tokens;
  tokens.tokens = static_cast<std::int32_t>(flits);
  out.push_back({left + spec_.hmc->link_latency, Side::upstream, link, tokens});
  if (passes) {
    --packet.hops;
    down_[link].push(left + crossbar_latency_, packet);
    advance_downstream(link, out);
  } else {
    vault.port_free = left;
    bring_to_vault(index, left + crossbar_latency_, {packet, Side::upstream, link}, link);
  }
  return true;
}

void HmcCube::advance_downstream(std::size_t link, std::vector<Output>& out) {
  down_[link].advance([&](Time at, HmcPacket const& packet) {
    out.push_back({at, Side::downstream, link, packet});
  });
}

void HmcCube::bring_to_vault(std::size_t index, Time at, Pending const& pending,
                             std::size_t source) {
  auto& vault = vaults_[index];
  --vault.places;
  auto const enters = edge(spec_.clock_period, at);
  vault.entering.insert({{at, static_cast<std::uint32_t>(source), new_slot(pending)}, enters});
  vault_wakeups_[index] = std::min(vault_wakeups_[index], enters);
  first_vault_wakeup_ = std::min(first_vault_wakeup_, vault_wakeups_[index]);
}

void HmcCube::run_vaults(Time until, std::vector<Output>& out) {
  auto const cycle = until / spec_.clock_period;
  for (std::size_t index = 0; index < vault_wakeups_.size(); ++index) {
    if (vault_wakeups_[index] <= until) run_vault(index, cycle, out);
  }
  first_vault_wakeup_ = *std::min_element(vault_wakeups_.begin(), vault_wakeups_.end());
}

void HmcCube::run_vault(std::size_t index, std::int64_t until, std::vector<Output>& out) {
  auto& [channel, local, entering, places, port_free] = vaults_[index];
  for (; !entering.empty(); entering.pop_front()) {
    auto const cycle = entering.front().edge / spec_.clock_period;
    if (cycle > until) break;
    enter_vault(vaults_[index], cycle, entering.front().event.slot);
  }
  channel.advance(until, completions_);
  for (auto const& done : completions_) answer(index, done, out);
  completions_.clear();
  auto& wakeup = vault_wakeups_[index];
  auto const next = channel.next_wakeup();
  wakeup = next ? spec_.clock_period * *next : never;
  if (!entering.empty()) wakeup = std::min(wakeup, entering.front().edge);
}

void HmcCube::enter_vault(Vault& vault, std::int64_t cycle, std::size_t slot) {
  auto const& packet = slots_[slot].packet;
  auto const at = map_(packet.address);
  auto const burst = spec_.organization.burst().value();
  auto const bursts = static_cast<std::uint16_t>((packet.bytes + burst - 1) / burst);
  vault.channel.advance(cycle - 1, completions_);
  vault.channel.push(cycle, {slot, packet.access, at.bank, bursts, at.row});
}

void HmcCube::answer(std::size_t vault, DramCompletion const& done, std::vector<Output>& out) {
  auto const slot = static_cast<std::uint32_t>(done.tag);
  auto& pending = slots_[slot];
  pending.packet.kind = HmcPacket::Kind::response;
  auto const at = spec_.clock_period * done.done;
  free_places_.insert({spec_.clock_period * (done.issued + 1), vault});
  if (pending.side == Side::local) {
    out.push_back({at, Side::local, 0, pending.packet});
    free_slots_.push_back(slot);
  } else {
    responses_.insert({at, static_cast<std::uint32_t>(vault), slot});
  }
}

void HmcCube::respond(Event const& event, std::vector<Output>& out) {
  auto const& [packet, side, link] = slots_[event.slot];
  auto& port = response_port_free_[link];
  port = std::max(event.at, port) + crossbar_period_ * cycles_to_cross(*spec_.hmc, packet.flits());
  free_slots_.push_back(event.slot);
  up_[link].push(port + crossbar_latency_, packet);
  up_[link].advance([&, to = link](Time at, HmcPacket const& sent) {
    out.push_back({at, Side::upstream, to, sent});
  });
}

void HmcCube::silence() {
  for (auto& vault : vaults_) vault.channel.silence();
}

void HmcCube::close(Time now) {
  for (auto& vault : vaults_) {
    vault.channel.advance(now / spec_.clock_period, completions_);
    EXPECTS(completions_.empty(), spec_.name);
  }
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
