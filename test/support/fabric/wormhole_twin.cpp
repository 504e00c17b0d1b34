#include "test/support/fabric/wormhole_twin.hpp"

#include <algorithm>

#include "sim/model/fabric/packet/way_hash.hpp"

namespace tessera::test {

WormholeTwin::WormholeTwin(arch::Interconnect const& interconnect, sim::WormholeSpec const& spec)
    : interconnect_{&interconnect},
      spec_{spec},
      routers_(interconnect.vertices()),
      sources_(interconnect.endpoints()),
      inputs_(interconnect.channels().size(), std::vector<Input>(spec.virtual_channels)),
      outputs_(interconnect.channels().size(),
               std::vector<Output>(spec.virtual_channels, {spec.buffer_flits, false})) {
  for (Index index = 0; index < inputs_.size(); ++index) {
    routers_[channel(index).to.index()].inputs.push_back(index);
    routers_[channel(index).from.index()].outputs.push_back(index);
  }
  for (auto& router : routers_) {
    router.vc_grant_turn.resize(router.outputs.size() * vcs());
    router.vc_accept_turn.resize(router.inputs.size() * vcs());
    router.grant_turn.resize(router.outputs.size());
    router.accept_turn.resize(router.inputs.size());
    router.vc_turn.resize(router.inputs.size());
  }
}

void WormholeTwin::send(sim::Tick now, sim::FabricPacket const& packet) {
  sources_[packet.source].packets.push_back(packets_.size());
  Packet it;
  it.it = packet;
  it.times.tag = packet.tag;
  it.times.created = now;
  packets_.push_back(it);
}

void WormholeTwin::step(std::vector<sim::FabricDelivery>& out) {
  arrive(out);
  for (Index endpoint = 0; endpoint < sources_.size(); ++endpoint) inject(endpoint);
  for (Index vertex = sources_.size(); vertex < routers_.size(); ++vertex) run(routers_[vertex]);
  ++now_;
}

void WormholeTwin::arrive(std::vector<sim::FabricDelivery>& out) {
  for (auto it = flits_.begin(); it != flits_.end() && it->first == now_; it = flits_.erase(it)) {
    auto const& [index, vc, flit] = it->second;
    if (interconnect_->is_endpoint(channel(index).to)) {
      auto const back = now_ + 1 + spec_.latency[arch::ChannelId{index}] + spec_.credit_delay;
      credits_.emplace(back, std::make_pair(index, vc));
      packets_[flit.packet].times.delivered = now_;
      if (flit.tail) out.push_back(packets_[flit.packet].times);
      continue;
    }
    auto& queue = inputs_[index][vc];
    queue.flits.push_back(flit);
    if (queue.state == Input::State::idle) look_up(index, vc);
  }
  for (auto it = credits_.begin(); it != credits_.end() && it->first == now_;
       it = credits_.erase(it)) {
    ++outputs_[it->second.first][it->second.second].credits;
  }
}

void WormholeTwin::look_up(Index port, Index vc) {
  auto& queue = inputs_[port][vc];
  unsigned own_class = 0;
  while ((own_class + 1U) * vcs() / channel(port).classes <= vc) ++own_class;
  auto const router = channel(port).to;
  auto const packet = queue.flits.front().packet;
  auto const hops = interconnect_->hops(router, arch::VertexId{packets_[packet].it.destination});
  auto const& hop =
      hops.first[hops.count == 1 ? 0 : sim::way_hash(packet, router.index()) % hops.count];
  queue.out = hop.channel.index();
  queue.vc_class =
      interconnect_->class_after(arch::ChannelId{port}, static_cast<std::uint8_t>(own_class), hop);
  queue.state = Input::State::waiting;
}

void WormholeTwin::inject(Index endpoint) {
  auto& source = sources_[endpoint];
  if (source.packets.empty()) return;
  auto const packet = source.packets.front();
  auto const index = interconnect_->injection(arch::VertexId{endpoint}).index();
  auto const is_head = source.left == 0;
  if (is_head) {
    Index step = 1;
    while (step <= vcs()) {
      auto const& candidate = outputs_[index][(source.vc + step) % vcs()];
      if (!candidate.in_use && candidate.credits > 0) break;
      ++step;
    }
    if (step > vcs()) return;
    source.vc = (source.vc + step) % vcs();
    source.left = packets_[packet].it.size;
    outputs_[index][source.vc].in_use = true;
    packets_[packet].times.injected = now_;
  }
  if (outputs_[index][source.vc].credits == 0) return;
  auto const is_tail = --source.left == 0;
  put_on_wire(index, source.vc, {packet, is_head, is_tail}, 1);
  if (is_tail) source.packets.pop_front();
}

void WormholeTwin::put_on_wire(Index index, Index vc, Flit flit, sim::Tick delay) {
  --outputs_[index][vc].credits;
  if (flit.tail) outputs_[index][vc].in_use = false;
  if (flit.head && !interconnect_->is_endpoint(channel(index).to)) {
    ++packets_[flit.packet].times.hops;
  }
  auto const stages = interconnect_->is_endpoint(channel(index).to) ? 0 : spec_.pipeline - 3;
  flits_.emplace(now_ + delay + spec_.latency[arch::ChannelId{index}] + stages,
                 OnWire{index, vc, flit});
}

/// The first candidate at `turn` or after, else the first.
WormholeTwin::Index WormholeTwin::by_turns(std::vector<Index> const& candidates, Index turn) {
  for (auto const candidate : candidates) {
    if (candidate >= turn) return candidate;
  }
  return candidates.front();
}

WormholeTwin::Index WormholeTwin::choose(std::vector<Index> const& candidates, Index turn,
                                         std::function<Index(Index)> const& rank) {
  auto least = rank(candidates.front());
  for (auto const candidate : candidates) least = std::min(least, rank(candidate));
  std::vector<Index> first;
  for (auto const candidate : candidates) {
    if (rank(candidate) == least) first.push_back(candidate);
  }
  return by_turns(first, turn);
}

WormholeTwin::Index WormholeTwin::rank_of(Input const& queue) const {
  auto const by_age = spec_.arbitration == sim::Arbitration::oldest_first;
  return by_age ? queue.flits.front().packet : 0;
}

WormholeTwin::Pairs WormholeTwin::islip(Pairs const& requests, Rank const& rank,
                                        std::vector<Index>& grant_turn,
                                        std::vector<Index>& accept_turn) {
  Pairs grants;
  for (Index output = 0; output < grant_turn.size(); ++output) {
    std::vector<Index> asking;
    for (auto const& [from, to] : requests) {
      if (to == output) asking.push_back(from);
    }
    std::sort(asking.begin(), asking.end());
    if (asking.empty()) continue;
    auto const rank_from = [&](Index from) { return rank(from, output); };
    grants.emplace_back(choose(asking, grant_turn[output], rank_from), output);
  }
  Pairs accepted;
  for (Index from = 0; from < accept_turn.size(); ++from) {
    std::vector<Index> offers;
    for (auto const& [to, output] : grants) {
      if (to == from) offers.push_back(output);
    }
    if (offers.empty()) continue;
    auto const output =
        choose(offers, accept_turn[from], [&](Index offer) { return rank(from, offer); });
    grant_turn[output] = (from + 1) % accept_turn.size();
    accept_turn[from] = (output + 1) % grant_turn.size();
    accepted.emplace_back(from, output);
  }
  return accepted;
}

WormholeTwin::Pairs WormholeTwin::match_channels(Router& router) {
  Pairs requests;
  for (Index number = 0; number < router.inputs.size() * vcs(); ++number) {
    auto const& queue = input(router, number);
    if (queue.state != Input::State::waiting) continue;
    auto const out = std::find(router.outputs.begin(), router.outputs.end(), queue.out);
    auto const out_number = static_cast<Index>(out - router.outputs.begin());
    auto const classes = channel(queue.out).classes;
    for (auto vc = queue.vc_class * vcs() / classes; vc < (queue.vc_class + 1) * vcs() / classes;
         ++vc) {
      if (!outputs_[queue.out][vc].in_use) requests.emplace_back(number, out_number * vcs() + vc);
    }
  }
  auto const rank = [&](Index from, Index /*to*/) { return rank_of(input(router, from)); };
  return islip(requests, rank, router.vc_grant_turn, router.vc_accept_turn);
}

WormholeTwin::Pairs WormholeTwin::match_switch(Router& router) {
  std::map<std::pair<Index, Index>, Index> ranks;  // of the first of a port's virtual channels
  for (Index number = 0; number < router.inputs.size() * vcs(); ++number) {
    auto const& queue = input(router, number);
    if (queue.state != Input::State::active || queue.flits.empty()) continue;
    if (outputs_[queue.out][queue.out_vc].credits == 0) continue;
    auto const out = std::find(router.outputs.begin(), router.outputs.end(), queue.out);
    std::pair const request{number / vcs(), static_cast<Index>(out - router.outputs.begin())};
    auto const known = ranks.emplace(request, rank_of(queue)).first;
    known->second = std::min(known->second, rank_of(queue));
  }
  Pairs requests;
  for (auto const& [request, rank] : ranks) requests.push_back(request);
  auto const rank = [&](Index from, Index to) { return ranks.at({from, to}); };
  return islip(requests, rank, router.grant_turn, router.accept_turn);
}

void WormholeTwin::run(Router& router) {
  auto const channels = match_channels(router);
  for (auto const& [port, out] : match_switch(router)) traverse(router, port, out);
  for (auto const& [number, output] : channels) {
    auto& queue = input(router, number);
    queue.state = Input::State::active;
    queue.out_vc = output % vcs();
    outputs_[queue.out][queue.out_vc].in_use = true;
  }
}

void WormholeTwin::traverse(Router& router, Index port_number, Index out_number) {
  auto const port = router.inputs[port_number];
  std::vector<Index> asking;
  for (Index vc = 0; vc < vcs(); ++vc) {
    auto const& queue = inputs_[port][vc];
    if (queue.state == Input::State::active && !queue.flits.empty() &&
        queue.out == router.outputs[out_number] && outputs_[queue.out][queue.out_vc].credits > 0) {
      asking.push_back(vc);
    }
  }
  auto const vc = choose(asking, router.vc_turn[port_number],
                         [&](Index it) { return rank_of(inputs_[port][it]); });
  router.vc_turn[port_number] = (vc + 1) % vcs();
  auto& queue = inputs_[port][vc];
  auto const flit = queue.flits.front();
  queue.flits.pop_front();
  put_on_wire(queue.out, queue.out_vc, flit, 2);
  auto const to_endpoint = interconnect_->is_endpoint(channel(port).from);
  credits_.emplace(
      now_ + 1 + spec_.latency[arch::ChannelId{port}] + (to_endpoint ? 0 : spec_.credit_delay),
      std::make_pair(port, vc));
  if (!flit.tail) return;
  queue.state = Input::State::idle;
  if (!queue.flits.empty()) look_up(port, vc);
}

}  // namespace tessera::test
