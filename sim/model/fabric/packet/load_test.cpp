#include "sim/model/fabric/packet/load_test.hpp"

namespace tessera::sim {

LoadMeter::LoadMeter(LoadTest const& test, std::size_t endpoints)
    : test_{test}, endpoints_{endpoints} {
  if (test.matrix == TrafficMatrix::counted) matrix_.resize(endpoints * endpoints);
}

void LoadMeter::sent(Tick now, FabricPacket const& packet) {
  if (!matrix_.empty()) matrix_[packet.source * endpoints_ + packet.destination] += packet.size;
  if (!in_window(now)) return;
  ++in_window_;
  offered_ += packet.size;
}

void LoadMeter::delivered(FabricDelivery const& delivery) {
  ++all_;
  if (in_window(delivery.delivered)) ++accepted_;
  if (!in_window(delivery.created)) return;
  ++measured_;
  latency_ += delivery.delivered - delivery.created;
  network_latency_ += delivery.delivered - delivery.injected;
  longest_ = std::max(longest_, delivery.delivered - delivery.created);
  hops_ += delivery.hops;
}

LoadResult LoadMeter::result(Tick cycles) {
  LoadResult result;
  result.packets = measured_;
  auto const count = static_cast<double>(std::max<std::int64_t>(1, measured_));
  result.mean_latency = static_cast<double>(latency_) / count;
  result.network_latency = static_cast<double>(network_latency_) / count;
  result.longest_latency = longest_;
  result.mean_hops = static_cast<double>(hops_) / count;
  auto const slots = static_cast<double>(test_.window) * static_cast<double>(endpoints_);
  result.offered_rate = static_cast<double>(offered_) / slots;
  result.accepted_rate =
      static_cast<double>(accepted_ * static_cast<std::int64_t>(test_.traffic.packet_flits)) /
      slots;
  result.saturated = !is_complete();
  result.all_packets = all_;
  result.cycles = cycles;
  result.matrix = std::move(matrix_);
  return result;
}

}  // namespace tessera::sim
