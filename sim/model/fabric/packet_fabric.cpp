// Messages in, packets through the network, messages out.
#include "sim/model/fabric/packet_fabric.hpp"

#include <algorithm>

namespace tessera::sim {

PacketFabric::PacketFabric(arch::FabricSpec const& fabric, arch::Topology const& topology,
                           std::map<std::string, BusyHistogram>& utilisation,
                           NetworkModels const& models)
    : graph_{*fabric.graph},
      packet_{fabric.packets->packet},
      header_{fabric.packets->header},
      period_{Clock{fabric.clock}.period()},
      wired_{make_wired_network({*fabric.packets, graph_}, models)},
      roles_{graph_.channels().size()},
      queues_{graph_.endpoints()} {
  lay_out(topology, utilisation);
  wired_.network->on_passage([this](PacketPassage const& passage) { follow(passage); });
}

void PacketFabric::lay_out(arch::Topology const& topology,
                           std::map<std::string, BusyHistogram>& utilisation) {
  for (auto const& link : topology.links()) meters_.push_back(LinkMeter{utilisation[link.name]});
  for (auto const id : graph_.channels().ids()) {
    roles_[id].link = topology.link_of(id);
    if (!roles_[id].link) continue;
    auto const from = topology.links()[*roles_[id].link].from.index();
    if (from < queues_.size()) roles_[id].leaves = AcceleratorId{from};
  }
  for (auto const accelerator : queues_.ids()) {
    roles_[graph_.injection(arch::VertexId{accelerator.index()})].injects = accelerator;
  }
}

void PacketFabric::push(Time /*now*/, Port port, Message const& message) {
  EXPECTS(port == from_interfaces && message.kind == Message::Kind::packet, port);
  arrived_.push_back(message);
}

/// Goes on for as long as nobody can hand over a message: until what is sent here is heard.
std::optional<Time> PacketFabric::advance(Time now, Outbox& out) {
  out_ = &out;
  until_ = out.quiet_until();
  take_arrived(now);
  auto& network = *wired_.network;
  auto next = network.next_event();
  while (next != never && wired_.clock.at(next) <= until_) {
    first_open_cycle_ = next + 1;
    network.advance(first_open_cycle_, deliveries_);
    for (auto const& delivery : deliveries_) count_arrived(delivery, wired_.clock.at(next));
    deliveries_.clear();
    next = network.next_event();
  }
  out_ = nullptr;
  return next == never ? std::nullopt : std::optional<Time>{wired_.clock.at(next)};
}

/// All messages of an instant wait before a packet of one is sent. What arrives in a later step of
/// a cycle that is over is sent in the next one.
void PacketFabric::take_arrived(Time now) {
  for (Message const& message : arrived_) take(message);
  auto const cycle = std::max(wired_.clock.first_at(now), first_open_cycle_);
  for (Message const& message : arrived_) {
    if (!queues_[message.source].is_taken) send_next(message.source, cycle);
  }
  arrived_.clear();
}

void PacketFabric::take(Message const& message) {
  EXPECTS(message.bytes > Bytes{0}, message.task);
  auto const packets_of_it =
      tessera::detail::multiply_divide_ceil(message.bytes.value(), 1, packet_.value());
  auto const index = unused_index();
  under_way_[index] = {message, message.bytes, packets_of_it, packets_of_it};
  statistics_[messages].add(1);
  queues_[message.source].waiting.push_back(index);
}

std::uint32_t PacketFabric::unused_index() {
  if (unused_.empty()) {
    under_way_.emplace_back();
    return static_cast<std::uint32_t>(under_way_.size() - 1);
  }
  auto const index = unused_.back();
  unused_.pop_back();
  return index;
}

/// A packet of the message that is next round robin.
void PacketFabric::send_next(AcceleratorId accelerator, Tick now) {
  auto& queue = queues_[accelerator];
  queue.is_taken = !queue.waiting.empty();
  if (!queue.is_taken) return;
  auto const index = queue.waiting.front();
  queue.waiting.pop_front();
  auto& it = under_way_[index];
  auto const data = std::min(it.unsent, packet_);
  auto const bytes = (data + header_).value();
  auto const size = tessera::detail::multiply_divide_ceil(bytes, 1, wired_.unit.value());
  wired_.network->send(
      now, {static_cast<std::uint32_t>(accelerator.index()),
            static_cast<std::uint32_t>(it.message.destination.index()),
            static_cast<std::uint32_t>(size), index, static_cast<std::uint32_t>(bytes)});
  it.unsent -= data;
  if (it.unsent > Bytes{0}) queue.waiting.push_back(index);
}

void PacketFabric::follow(PacketPassage const& passage) {
  auto const& role = roles_[passage.channel];
  if (role.link) {
    auto& meter = meters_[*role.link];
    meter.keep_busy(wired_.clock.at(passage.begin), wired_.clock.at(passage.end));
    if (passage.is_last) meter.count(Bytes{passage.bytes});
  }
  if (!passage.is_last) return;
  if (role.leaves) count_left(under_way_[passage.tag], passage);
  if (role.injects) send_next(*role.injects, passage.begin);
}

void PacketFabric::count_left(UnderWay& it, PacketPassage const& passage) {
  if (*roles_[passage.channel].leaves != it.message.source) return;  // passes through
  if (--it.leaving > 0) return;
  Message sent = it.message;
  sent.kind = Message::Kind::sent;
  notify(it.message.source,
         std::max(wired_.clock.at(passage.end), wired_.clock.at(passage.begin) + period_), sent);
}

void PacketFabric::count_arrived(FabricDelivery const& delivery, Time now) {
  statistics_[packets].add(1);
  auto& it = under_way_[delivery.tag];
  if (--it.arriving > 0) return;
  notify(it.message.destination, std::max(wired_.clock.at(delivery.delivered), now + period_),
         it.message);
  unused_.push_back(delivery.tag);
}

/// Whoever hears it may answer from then on.
void PacketFabric::notify(AcceleratorId accelerator, Time at, Message const& message) {
  out_->send(at, static_cast<Port>(accelerator.index()), message);
  until_ = std::min(until_, at);
}

}  // namespace tessera::sim
