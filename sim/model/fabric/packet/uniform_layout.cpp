// How a UniformNetwork numbers its queues, ways and outputs, so that what is looked at together lies together.
#include <algorithm>
#include <limits>

#include "sim/model/fabric/packet/uniform_network.hpp"

namespace tessera::sim {

namespace {

constexpr Tick most_lag = 63;           // a bit of a word for each tick
constexpr std::size_t most_bits = 64;   // of a word
constexpr std::size_t most_ways = 254;  // and one number for several
constexpr std::uint32_t most_packets = std::numeric_limits<std::uint16_t>::max();  // of a queue

[[nodiscard]] std::size_t power_of_two_above(std::size_t number) {
  std::size_t power = 1;
  while (power <= number) power *= 2;
  return power;
}

[[nodiscard]] bool are_alike(IdVector<arch::ChannelId, ChannelTiming> const& channels) {
  return std::all_of(channels.begin(), channels.end(), [&](ChannelTiming const& timing) {
    return timing == channels[arch::ChannelId{0}];
  });
}

[[nodiscard]] bool are_small(arch::Interconnect const& interconnect, std::size_t virtual_channels) {
  IdVector<arch::VertexId, std::size_t> queues{interconnect.vertices()};
  IdVector<arch::VertexId, std::size_t> outputs{interconnect.vertices()};
  IdVector<arch::VertexId, std::size_t> ways{interconnect.vertices()};
  for (auto const& channel : interconnect.channels()) {
    queues[channel.to] += virtual_channels;
    ++outputs[channel.from];
    ways[channel.from] += channel.classes;
  }
  auto const most = [](auto const& counts) {
    return *std::max_element(counts.begin(), counts.end());
  };
  return most(queues) <= most_bits && most(outputs) <= most_bits && most(ways) <= most_ways;
}

}  // namespace

UniformNetwork::Lags UniformNetwork::lags_of(CutThroughSpec const& spec,
                                             std::uint32_t packet_size) {
  auto const& timing = spec.channels[arch::ChannelId{0}];
  auto const lasts = tessera::detail::multiply_divide_ceil(packet_size, timing.ticks, timing.units);
  auto const until_all_is_there = spec.switching == Switching::store_and_forward ? lasts : 0;
  return {timing.latency + spec.pipeline + until_all_is_there, lasts, lasts + timing.latency};
}

bool UniformNetwork::takes(arch::Interconnect const& interconnect, CutThroughSpec const& spec,
                           std::uint32_t packet_size) {
  auto const& timing = spec.channels[arch::ChannelId{0}];
  if (timing.ticks == 0 || timing.duplex != arch::Duplex::full) return false;
  auto const lags = lags_of(spec, packet_size);
  return lags.arrival > 0 && std::max(lags.arrival, lags.room) <= most_lag &&
         spec.buffer_packets <= most_packets && are_alike(spec.channels) &&
         are_small(interconnect, spec.virtual_channels);
}

UniformNetwork::UniformNetwork(arch::Interconnect const& interconnect, CutThroughSpec const& spec,
                               std::uint32_t packet_size)
    : interconnect_{&interconnect},
      spec_{spec},
      packet_size_{packet_size},
      lags_{lags_of(spec, packet_size)},
      sources_(interconnect.endpoints()),
      outputs_(interconnect.channels().size()),
      busy_until_(outputs_.size()),
      routers_(interconnect.vertices() - interconnect.endpoints()),
      busy_(routers_.size()),
      first_queue_{outputs_.size()},
      output_of_{outputs_.size()},
      first_way_{outputs_.size()} {
  EXPECTS(spec.virtual_channels >= interconnect.classes(), spec.virtual_channels);
  EXPECTS(spec.buffer_packets > 0 && takes(interconnect, spec, packet_size), packet_size);
  lay_out_queues();
  auto const from = channels_from(interconnect);
  number_outputs(from);
  lay_out_outputs(from);
  lay_out_routes();
  lay_out_rings();
}

/// A router's queues are in the order of the channels that they are part of.
void UniformNetwork::lay_out_queues() {
  auto const& channels = interconnect_->channels();
  ChannelLists to{interconnect_->vertices()};
  for (auto const id : channels.ids()) to[channels[id].to].push_back(id);
  for (std::size_t index = 0; index < routers_.size(); ++index) {
    auto& router = routers_[index];
    router.first_queue = static_cast<std::uint32_t>(queues_.size());
    for (auto const id : to[arch::VertexId{sources_.size() + index}]) {
      first_queue_[id] = static_cast<std::uint32_t>(queues_.size());
      Queue queue;
      queue.credits = static_cast<std::uint16_t>(spec_.buffer_packets);
      queue.router = static_cast<std::uint32_t>(index);
      queue.port_rank = static_cast<std::uint8_t>(queues_.size() - router.first_queue);
      queue.lane = channels[id].lane;
      queues_.insert(queues_.end(), spec_.virtual_channels, queue);
    }
    router.queues = static_cast<std::uint32_t>(queues_.size()) - router.first_queue;
  }
  port_mask_ = std::numeric_limits<std::uint64_t>::max() >> (most_bits - spec_.virtual_channels);
  own_way_.resize(queues_.size());
  port_busy_until_.resize(queues_.size());
}

/// The outputs of a vertex choose in the order of their channels. What routers give their endpoints
/// after all else gets the last numbers, so that what is done alike is done in a row.
void UniformNetwork::number_outputs(ChannelLists const& from) {
  auto const goes_on = [&](arch::ChannelId id) {
    return !interconnect_->is_endpoint(interconnect_->channels()[id].to);
  };
  std::uint32_t number = 0;
  for (auto const& list : from) {
    auto const past = std::find_if(list.rbegin(), list.rend(), goes_on).base();
    for (auto id = list.begin(); id != past; ++id) output_of_[*id] = number++;
  }
  for (auto const& list : from) {
    auto const past = std::find_if(list.rbegin(), list.rend(), goes_on).base();
    for (auto id = past; id != list.end(); ++id) output_of_[*id] = number++;
  }
}

void UniformNetwork::lay_out_outputs(ChannelLists const& from) {
  auto const& channels = interconnect_->channels();
  for (auto const vertex : from.ids()) {
    auto const is_router = !interconnect_->is_endpoint(vertex);
    auto const router = is_router ? vertex.index() - sources_.size() : 0;
    if (is_router) routers_[router].first_way = static_cast<std::uint32_t>(ways_.size());
    for (auto const id : from[vertex]) {
      auto& output = outputs_[output_of_[id]];
      output.router = static_cast<std::uint32_t>(router);
      output.next_queue = first_queue_[id];
      output.channel = id;
      output.ends_at_endpoint = interconnect_->is_endpoint(channels[id].to);
      first_way_[id] = static_cast<std::uint32_t>(ways_.size());
      for (std::uint32_t vc_class = 0; vc_class < channels[id].classes; ++vc_class) {
        add_way(id, vc_class);
      }
    }
  }
}

void UniformNetwork::add_way(arch::ChannelId id, std::uint32_t vc_class) {
  auto const& channel = interconnect_->channels()[id];
  auto const vcs = spec_.virtual_channels;
  Way way;
  way.first = first_queue_[id] + vc_class * vcs / channel.classes;
  way.last = first_queue_[id] + (vc_class + 1) * vcs / channel.classes - 1;
  way.output = output_of_[id];
  way.vc_class = static_cast<std::uint8_t>(vc_class);
  way.lane = channel.lane == 0 ? no_lane : channel.lane;
  if (!outputs_[way.output].ends_at_endpoint) {
    for (auto queue = way.first; queue <= way.last; ++queue) {
      queues_[queue].lane_class = way.vc_class;
      own_way_[queue] = static_cast<std::uint32_t>(ways_.size());
    }
  }
  ways_.push_back(way);
}

void UniformNetwork::lay_out_routes() {
  next_way_.reserve(routers_.size() * sources_.size());
  for (std::size_t router = 0; router < routers_.size(); ++router) {
    for (std::size_t destination = 0; destination < sources_.size(); ++destination) {
      auto const hops = interconnect_->hops(arch::VertexId{sources_.size() + router},
                                            arch::VertexId{destination});
      auto const way = first_way_[hops.first->channel] + hops.first->vc_class;
      auto const which = static_cast<std::uint8_t>(way - routers_[router].first_way);
      next_way_.push_back(hops.count == 1 ? which : several);
    }
  }
}

void UniformNetwork::lay_out_rings() {
  auto const longest = static_cast<std::size_t>(std::max(lags_.arrival, lags_.room));
  auto const ticks = power_of_two_above(longest);
  ring_mask_ = ticks - 1;
  due_words_ = (outputs_.size() + 63) / 64;
  due_.resize(ticks * due_words_);
  arriving_.resize(ticks);
  credits_by_.resize(ticks);
  // An output sends one while a packet lasts, and they are taken when there are as many as can be
  // under way.
  most_credits_ = outputs_.size() * static_cast<std::size_t>(lags_.room / lags_.free + 2);
  credits_.resize(power_of_two_above(most_credits_ + outputs_.size()));
  credit_mask_ = credits_.size() - 1;
}

ChannelCount UniformNetwork::count(arch::ChannelId channel) const {
  auto const packets = outputs_[output_of_[channel]].packets;
  return {packets, packets * packet_size_, packets * lags_.free};
}

}  // namespace tessera::sim
