// Messages in, packets through the network, messages out.
#include "sim/model/packet_fabric.hpp"

#include <algorithm>

#include "sim/model/fabric/fabric_use.hpp"

namespace tessera::sim {

PacketFabric::PacketFabric(arch::FabricSpec const& fabric, arch::Topology const& topology,
                           std::map<std::string, BusyHistogram>& utilisation)
    : graph_{*fabric.graph},
      packet_{fabric.packets->packet},
      header_{fabric.packets->header},
      period_{Clock{fabric.clock}.period()},
      network_{graph_, wired_network(fabric.packets->router, graph_)},
      places_{graph_.channels().size()},
      doors_(graph_.endpoints()) {
  lay_out(topology, utilisation);
  network_.on_passage([this](PacketPassage const& passage) { follow(passage); });
}

void PacketFabric::lay_out(arch::Topology const& topology,
                           std::map<std::string, BusyHistogram>& utilisation) {
  for (auto const& link : topology.links()) meters_.push_back(LinkMeter{utilisation[link.name]});
  for (auto const id : graph_.channels().ids()) {
    places_[id].link = topology.link_of(id);
    if (!places_[id].link) continue;
    auto const from = topology.links()[*places_[id].link].from.index();
    if (from < doors_.size()) places_[id].leaves = from;
  }
  for (std::size_t accelerator = 0; accelerator < doors_.size(); ++accelerator) {
    places_[graph_.injection(arch::VertexId{accelerator})].injects = accelerator;
  }
}

void PacketFabric::push(Time /*now*/, Port port, Message const& message) {
  EXPECTS(port == from_interfaces && message.kind == Message::Kind::packet, port);
  arrived_.push_back(message);
}

/// Goes on for as long as nobody can hand over a message: until what is told here is heard.
std::optional<Time> PacketFabric::advance(Time now, Outbox& out) {
  out_ = &out;
  until_ = out.quiet_until();
  take_arrived(now);
  auto next = network_.next_event();
  while (next != never && Time{next} <= until_) {
    network_.advance(next + 1, deliveries_);
    for (auto const& delivery : deliveries_) count_arrived(delivery, Time{next});
    deliveries_.clear();
    next = network_.next_event();
  }
  out_ = nullptr;
  return next == never ? std::nullopt : std::optional<Time>{Time{next}};
}

/// All messages of an instant wait before a packet of one is sent.
void PacketFabric::take_arrived(Time now) {
  for (Message const& message : arrived_) take(message);
  for (Message const& message : arrived_) {
    auto const accelerator = message.source.index();
    if (!doors_[accelerator].is_taken) send_next(accelerator, now);
  }
  arrived_.clear();
}

void PacketFabric::take(Message const& message) {
  EXPECTS(message.bytes > Bytes{0}, message.task);
  auto const packets_of_it =
      tessera::detail::multiply_divide_ceil(message.bytes.value(), 1, packet_.value());
  auto const place = unused_place();
  under_way_[place] = {message, message.bytes, packets_of_it, packets_of_it};
  statistics_[messages].add(1);
  doors_[message.source.index()].waiting.push_back(place);
}

std::uint32_t PacketFabric::unused_place() {
  if (unused_.empty()) {
    under_way_.emplace_back();
    return static_cast<std::uint32_t>(under_way_.size() - 1);
  }
  auto const place = unused_.back();
  unused_.pop_back();
  return place;
}

/// A packet of the message whose turn it is.
void PacketFabric::send_next(std::size_t accelerator, Time now) {
  auto& door = doors_[accelerator];
  door.is_taken = !door.waiting.empty();
  if (!door.is_taken) return;
  auto const place = door.waiting.front();
  door.waiting.pop_front();
  auto& it = under_way_[place];
  auto const data = std::min(it.unsent, packet_);
  network_.send(now.value(), {static_cast<std::uint32_t>(accelerator),
                              static_cast<std::uint32_t>(it.message.destination.index()),
                              static_cast<std::uint32_t>((data + header_).value()), place});
  it.unsent -= data;
  if (it.unsent > Bytes{0}) door.waiting.push_back(place);
}

void PacketFabric::follow(PacketPassage const& passage) {
  auto const& place = places_[passage.channel];
  if (place.link) {
    meters_[*place.link].add(Time{passage.begin}, Time{passage.end}, Bytes{passage.size});
  }
  if (place.leaves) count_left(under_way_[passage.tag], passage);
  if (place.injects) send_next(*place.injects, Time{passage.begin});
}

void PacketFabric::count_left(UnderWay& it, PacketPassage const& passage) {
  if (*places_[passage.channel].leaves != it.message.source.index()) return;  // passes through
  if (--it.leaving > 0) return;
  Message sent = it.message;
  sent.kind = Message::Kind::sent;
  tell(it.message.source, std::max(Time{passage.end}, Time{passage.begin} + period_), sent);
}

void PacketFabric::count_arrived(FabricDelivery const& delivery, Time now) {
  statistics_[packets].add(1);
  auto& it = under_way_[delivery.tag];
  if (--it.arriving > 0) return;
  tell(it.message.destination, std::max(Time{delivery.delivered}, now + period_), it.message);
  unused_.push_back(delivery.tag);
}

/// Whoever hears it may answer from then on.
void PacketFabric::tell(AcceleratorId accelerator, Time at, Message const& message) {
  out_->send(at, static_cast<Port>(accelerator.index()), message);
  until_ = std::min(until_, at);
}

}  // namespace tessera::sim
