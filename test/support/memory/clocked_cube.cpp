// The six steps of an instant, for one cube.
#include "test/support/memory/clocked_cube.hpp"

#include <algorithm>
#include <utility>

namespace tessera::test {

namespace {

/// Takes those of now out of the list, in their order.
template <typename Timed>
auto of_now(Picoseconds now, std::vector<Timed>& all) {
  std::vector<decltype(all.front().second)> due;
  for (auto const& [when, packet] : all) {
    if (when == now) due.push_back(packet);
  }
  all.erase(std::remove_if(all.begin(), all.end(), [&](auto const& it) { return it.first == now; }),
            all.end());
  return due;
}

}  // namespace

std::int64_t CubePacket::flits(arch::DramSpec const& spec) const {
  bool const has_data = is_response != (request.access == sim::Access::write);
  return 1 + (has_data ? request.bursts * spec.organization.burst().value() / 16 : 0);
}

Picoseconds ClockedLink::transfer(arch::DramSpec const& spec, std::int64_t flits) {
  return (Bytes{16 * flits} / (spec.hmc->lane_rate * spec.hmc->lanes)).value();
}

void ClockedLink::step(Picoseconds now) {
  while (!returning_.empty() && returning_.front().first <= now) {
    tokens_ += returning_.front().second;
    returning_.pop_front();
  }
  if (waiting_.empty() || now < free_ || waiting_.front().flits(*spec_) > tokens_) return;
  auto const packet = waiting_.front();
  auto const flits = packet.flits(*spec_);
  waiting_.pop_front();
  tokens_ -= flits;
  flits_ += flits;
  free_ = now + transfer(*spec_, flits);
  flying_.push_back({free_ + spec_->hmc->link_latency.value(), packet});
}

std::vector<CubePacket> ClockedLink::arriving(Picoseconds now) {
  if (flying_.empty() || flying_.front().first != now) return {};
  auto const packet = flying_.front().second;
  flying_.pop_front();
  return {packet};
}

ClockedCube::Vault::Vault(arch::DramSpec const& spec)
    : channel{spec, done}, places{spec.policy.queue_depth} {}

ClockedCube::ClockedCube(arch::DramSpec const& spec, Links& requests, Links& responses, Links* down)
    : spec_{spec},
      map_{spec},
      requests_{requests},
      responses_{responses},
      down_{down},
      inputs_(requests.size()),
      input_free_(requests.size()),
      response_free_(requests.size()) {
  for (std::int64_t i = 0; i < spec.organization.channels; ++i) {
    vaults_.push_back(std::make_unique<Vault>(spec));
  }
}

void ClockedCube::take(CubePacket const& packet) {
  if (packet.is_response) {
    from_downstream_.push_back(packet);
  } else if (packet.is_local) {
    vault_of(packet).local.push_back(packet);
  } else {
    inputs_[packet.link].push_back(packet);
  }
  has_taken_ = true;
}

void ClockedCube::step(Picoseconds now) {
  auto const period = spec_.clock_period.value();
  bool const is_edge = now % period == 0;
  for (auto const& vault : vaults_) {
    if (!is_edge) break;
    auto const& done = vault->done.completions;  // one a clock at most
    if (!done.empty() && done.back().issued + 1 == now / period) ++vault->places;
  }
  if (is_edge || std::exchange(has_taken_, false)) take_places(now);
  for (auto const& packet : of_now(now, crossed_down_)) (*down_)[packet.link].push(packet);
  if (is_edge) {
    for (auto const& vault : vaults_) enter(now / period, *vault);
  }
  respond(now);
  for (auto const& packet : of_now(now, crossed_up_)) responses_[packet.link].push(packet);
  if (is_edge) {
    for (auto const& vault : vaults_) decide(now / period, *vault);
  }
}

/// Only arrivals and free places move anything here.
void ClockedCube::take_places(Picoseconds now) {
  for (auto const& vault : vaults_) {
    for (; !vault->local.empty() && vault->places > 0; vault->local.pop_front()) {
      --vault->places;
      vault->ahead.push_back({now, vault->local.front()});
    }
  }
  for (std::size_t link = 0; link < inputs_.size(); ++link) leave_input(now, link);
}

void ClockedCube::respond(Picoseconds now) {
  if (now % spec_.clock_period.value() == 0) {
    for (auto const& vault : vaults_) {
      for (auto const& packet : of_now(now, vault->responses)) {
        if (!packet.is_local) respond(now, packet);
      }
    }
  }
  std::sort(from_downstream_.begin(), from_downstream_.end(),
            [](auto const& a, auto const& b) { return a.link < b.link; });
  for (auto const& packet : from_downstream_) respond(now, packet);
  from_downstream_.clear();
}

void ClockedCube::leave_input(Picoseconds now, std::size_t link) {
  for (auto& input = inputs_[link]; !input.empty(); input.pop_front()) {
    auto packet = input.front();
    bool const passes = packet.cubes_to_go > 0;
    auto& vault = vault_of(packet);
    if (!passes && vault.places == 0) return;
    auto const start = std::max({now, input_free_[link], passes ? now : vault.port_free});
    auto const left = start + crossing(packet);
    input_free_[link] = left;
    requests_[link].give_back(left + spec_.hmc->link_latency.value(), packet.flits(spec_));
    if (passes) {
      --packet.cubes_to_go;
      crossed_down_.push_back({left + latency(), packet});
    } else {
      --vault.places;
      vault.port_free = left;
      vault.ahead.push_back({left + latency(), packet});
    }
  }
}

void ClockedCube::enter(std::int64_t cycle, Vault& vault) const {
  auto const now = cycle * spec_.clock_period.value();
  auto& ahead = vault.ahead;
  std::stable_sort(ahead.begin(), ahead.end(), [](auto const& a, auto const& b) {
    return std::pair{a.first, a.second.is_local} < std::pair{b.first, b.second.is_local};
  });
  while (!ahead.empty() && ahead.front().first <= now) {
    auto const& request = ahead.front().second.request;
    auto const at = map_(request.address);
    EXPECTS(
        vault.channel.accept(cycle, {request.tag, request.access, at.bank, request.bursts, at.row}),
        cycle);
    vault.inside.push_back(ahead.front().second);
    ahead.erase(ahead.begin());
  }
}

void ClockedCube::respond(Picoseconds now, CubePacket const& packet) {
  auto& port = response_free_[packet.link];
  port = std::max(now, port) + crossing(packet);
  crossed_up_.push_back({port + latency(), packet});
}

void ClockedCube::decide(std::int64_t cycle, Vault& vault) const {
  vault.channel.step(cycle);
  for (; vault.answered < vault.done.completions.size(); ++vault.answered) {
    auto const& done = vault.done.completions[vault.answered];
    auto const it = std::find_if(vault.inside.begin(), vault.inside.end(),
                                 [&](auto const& p) { return p.request.tag == done.tag; });
    it->is_response = true;
    vault.responses.push_back({done.done * spec_.clock_period.value(), *it});
    vault.inside.erase(it);
  }
}

std::vector<CubePacket> ClockedCube::local_answers(Picoseconds now) {
  std::vector<CubePacket> all;
  for (auto const& vault : vaults_) {
    for (auto const& [when, packet] : vault->responses) {
      if (when == now && packet.is_local) all.push_back(packet);
    }
  }
  return all;
}

std::vector<std::vector<sim::DramCommand>> ClockedCube::commands() const {
  std::vector<std::vector<sim::DramCommand>> all;
  for (auto const& vault : vaults_) {
    all.emplace_back();
    for (auto const& command : vault->done.commands) {
      bool const is_idle =
          vault->done.completions.empty() || command.cycle > vault->done.completions.back().issued;
      if (!is_idle) all.back().push_back(command);
    }
  }
  return all;
}

ClockedCube::Vault& ClockedCube::vault_of(CubePacket const& packet) const {
  return *vaults_[map_(packet.request.address).channel];
}

Picoseconds ClockedCube::crossing(CubePacket const& packet) const {
  auto const width = spec_.hmc->crossbar_flits;
  return (packet.flits(spec_) + width - 1) / width *
         Clock{spec_.hmc->crossbar_clock}.period().value();
}

Picoseconds ClockedCube::latency() const {
  return spec_.hmc->crossbar_cycles * Clock{spec_.hmc->crossbar_clock}.period().value();
}

}  // namespace tessera::test
