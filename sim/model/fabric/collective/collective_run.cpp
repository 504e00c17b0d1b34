#include "sim/model/fabric/collective/collective_run.hpp"

#include <algorithm>
#include <queue>

namespace tessera::sim {

namespace {

constexpr std::size_t report_every = 256;  // transfers

class TransferRun final {
 public:
  TransferRun(arch::Interconnect const& interconnect, CutThroughSpec const& network,
              EndpointSpec const& endpoints, TransferGraph const& graph)
      : network_{interconnect, network},
        endpoints_{endpoints},
        transfers_{&graph.transfers()},
        waits_for_(transfers_->size(), 0),
        packets_left_(transfers_->size(), 0),
        arrived_(transfers_->size(), 0),
        first_follower_(transfers_->size() + 1, 0),
        followers_(graph.edges().size()) {
    for (auto const& [earlier, later] : graph.edges()) {
      ++waits_for_[later];
      ++first_follower_[earlier + 1];
    }
    for (std::size_t id = 0; id < transfers_->size(); ++id) {
      first_follower_[id + 1] += first_follower_[id];
    }
    auto next = first_follower_;
    for (auto const& [earlier, later] : graph.edges()) followers_[next[earlier]++] = later;
  }

  [[nodiscard]] TransferResult run(std::function<void(std::size_t)> const& on_progress) {
    for (TransferId id = 0; id < transfers_->size(); ++id) {
      if (waits_for_[id] == 0) start(id, 0);
    }
    while (true) {
      auto const done = completions_.empty() ? never : completions_.top().first;
      auto const event = network_.next_event();
      if (done == never && event == never) break;
      if (done <= event) {
        auto const id = completions_.top().second;
        completions_.pop();
        complete(id, done);
        if (on_progress && completed_ % report_every == 0) on_progress(completed_);
      } else {
        network_.advance(event + 1, deliveries_);
        for (auto const& delivery : deliveries_) arrive(delivery);
        deliveries_.clear();
      }
    }
    ENSURES(completed_ == transfers_->size(), completed_, transfers_->size());
    return result_;
  }

  [[nodiscard]] CutThroughNetwork const& network() const { return network_; }

 private:
  void start(TransferId id, Tick now) {
    auto const& transfer = (*transfers_)[id];
    if (transfer.source == transfer.destination || transfer.bytes == 0) {
      completions_.emplace(now, id);
      return;
    }
    ++result_.messages;
    result_.bytes += transfer.bytes;
    auto const most = endpoints_.packet_bytes.value_or(transfer.bytes);
    for (auto left = transfer.bytes; left > 0; left -= std::min(left, most)) {
      auto const size = std::min(left, most) + endpoints_.packet_header;
      network_.send(now, {transfer.source, transfer.destination, size, id});
      ++packets_left_[id];
    }
  }

  void arrive(FabricDelivery const& delivery) {
    auto const id = delivery.tag;
    arrived_[id] = std::max(arrived_[id], delivery.delivered);
    if (--packets_left_[id] > 0) return;
    completions_.emplace(arrived_[id] + taking_in(endpoints_, (*transfers_)[id]), id);
  }

  void complete(TransferId id, Tick now) {
    ++completed_;
    result_.time = std::max(result_.time, now);
    for (auto place = first_follower_[id]; place < first_follower_[id + 1]; ++place) {
      if (--waits_for_[followers_[place]] == 0) start(followers_[place], now);
    }
  }

  using Completion = std::pair<Tick, TransferId>;

  CutThroughNetwork network_;
  EndpointSpec endpoints_;
  std::vector<Transfer> const* transfers_;
  std::vector<std::uint32_t> waits_for_;
  std::vector<std::uint32_t> packets_left_;
  std::vector<Tick> arrived_;
  std::vector<std::size_t> first_follower_;  ///< of each transfer, and the end
  std::vector<TransferId> followers_;
  std::priority_queue<Completion, std::vector<Completion>, std::greater<>> completions_;
  std::vector<FabricDelivery> deliveries_;
  std::size_t completed_ = 0;
  TransferResult result_;
};

}  // namespace

Tick taking_in(EndpointSpec const& endpoints, Transfer const& transfer) {
  if (!transfer.reduces || !endpoints.reduce_bandwidth) return endpoints.endpoint_delay;
  // Two operands are read, and the sum is written.
  return endpoints.endpoint_delay +
         (Bytes{transfer.bytes} * 3 / *endpoints.reduce_bandwidth).value();
}

CutThroughSpec roomy_network(arch::Interconnect const& interconnect, Tick pipeline,
                             std::optional<std::uint32_t> packet_bytes) {
  IdVector<arch::VertexId, std::uint32_t> leaving{interconnect.vertices()};
  std::uint32_t most = 1;
  for (auto const& channel : interconnect.channels()) {
    most = std::max(most, ++leaving[channel.from]);
  }
  CutThroughSpec spec;
  spec.virtual_channels = std::max<std::uint32_t>(2, interconnect.classes());
  spec.buffer_packets = std::min<std::uint32_t>(most, 64);
  spec.pipeline = pipeline;
  spec.channels = wire_timing(interconnect);
  if (!packet_bytes) return spec;
  for (auto const& channel : spec.channels) {
    if (channel.ticks == 0) continue;
    auto const taken =
        tessera::detail::multiply_divide_ceil(*packet_bytes, channel.ticks, channel.units);
    auto const under_way = std::min<Tick>(2 + (2 * channel.latency + pipeline) / taken, 4096);
    spec.buffer_packets = std::max(spec.buffer_packets, static_cast<std::uint32_t>(under_way));
  }
  return spec;
}

TransferResult run_transfers(arch::Interconnect const& interconnect, CutThroughSpec const& network,
                             EndpointSpec const& endpoints, TransferGraph const& graph,
                             std::function<void(std::size_t)> const& on_progress) {
  TransferRun run{interconnect, network, endpoints, graph};
  auto result = run.run(on_progress);
  result.use = use_of(run.network(), interconnect, result.time);
  for (auto const& count : result.use.channels) {
    result.busiest_bytes = std::max(result.busiest_bytes, count.units);
  }
  return result;
}

}  // namespace tessera::sim
