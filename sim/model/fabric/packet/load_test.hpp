// How a network bears a load: latency, accepted rate, hops. Warm up, measure the packets that start in a window, and let the load go
// on until they have all arrived.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/model/fabric/packet/synthetic_traffic.hpp"

namespace tessera::sim {

/// Who sent how much to whom.
enum class TrafficMatrix : std::uint8_t { left_out, counted };

struct LoadTest {
  SyntheticTraffic traffic;
  Tick warm_up = 10'000;
  Tick window = 20'000;
  Tick patience = 200'000;  ///< cycles after the window that packets have to arrive
  TrafficMatrix matrix = TrafficMatrix::left_out;
};

struct LoadResult {
  std::int64_t packets = 0;    ///< that started in the window and arrived
  double mean_latency = 0;     ///< cycles from creation to the last flit's arrival
  double network_latency = 0;  ///< cycles from the first flit's start to the last flit's arrival
  Tick longest_latency = 0;
  double mean_hops = 0;              ///< routers
  double offered_rate = 0;           ///< flits per endpoint and cycle of the window
  double accepted_rate = 0;          ///< the same, of flits that arrived in the window
  bool saturated = false;            ///< packets of the window did not arrive within `patience`
  std::int64_t all_packets = 0;      ///< delivered, warm-up and drain included
  Tick cycles = 0;                   ///< simulated
  std::vector<std::int64_t> matrix;  ///< source x destination: flits sent in all cycles, if counted
};

/// Sums of a load test while it runs.
class LoadMeter final {
 public:
  LoadMeter(LoadTest const& test, std::size_t endpoints);

  void sent(Tick now, FabricPacket const& packet);
  void delivered(FabricDelivery const& delivery);
  [[nodiscard]] bool is_complete() const { return measured_ == in_window_; }
  [[nodiscard]] LoadResult result(Tick cycles);

 private:
  [[nodiscard]] bool in_window(Tick time) const {
    return time >= test_.warm_up && time < test_.warm_up + test_.window;
  }

  LoadTest test_;
  std::size_t endpoints_;
  std::vector<std::int64_t> matrix_;
  std::int64_t in_window_ = 0;  ///< packets
  std::int64_t measured_ = 0;
  std::int64_t latency_ = 0;
  std::int64_t network_latency_ = 0;
  std::int64_t hops_ = 0;
  std::int64_t offered_ = 0;   ///< flits
  std::int64_t accepted_ = 0;  ///< packets
  std::int64_t all_ = 0;
  Tick longest_ = 0;
};

/// Runs a load test on an empty network that counts in cycles.
template <typename Network>  // the interface, or an implementation without its calls
[[nodiscard]] LoadResult run_load_test(Network& network, std::size_t endpoints,
                                       LoadTest const& test) {
  PacketSource source{test.traffic, endpoints};
  LoadMeter meter{test, endpoints};
  std::vector<FabricDelivery> out;
  auto const last = test.warm_up + test.window + test.patience;
  Tick now = 0;
  while (now < last) {
    auto const next = std::min(source.next_time(), last);
    network.advance(next, out);
    for (auto const& delivery : out) meter.delivered(delivery);
    out.clear();
    now = next;
    if (now >= test.warm_up + test.window && meter.is_complete()) break;
    while (source.next_time() == now && now < last) {
      auto const packet = source.take();
      network.send(now, packet);
      meter.sent(now, packet);
    }
  }
  return meter.result(now);
}

}  // namespace tessera::sim
