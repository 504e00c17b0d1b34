// Interconnects against BookSim 2 (Jiang et al., ISPASS 2013; commit 28f4329): its input-queued router with 4 virtual channels of 8
// flits, iSLIP with one iteration, credits of one cycle and links of one cycle, under uniform traffic that includes self-sends.
//
// Beyond saturation there is no mean latency: what the network accepts is compared instead. Just below it a mean over some ten thousand
// cycles hangs on the random numbers (D40).
//
// The network is that of an array's `fabric` (or a fabric's file) with `switching: wormhole`, counted in cycles as `probe fabric` does.
#include <algorithm>

#include "sim/model/fabric/packet/load_test.hpp"
#include "sim/model/fabric/packet/make_network.hpp"
#include "sim/model/fabric/packet/zero_load.hpp"
#include "sim/validation/suites.hpp"

namespace tessera::sim {

namespace {

constexpr Tick warm_up = 5'000;
constexpr Tick window = 30'000;

/// What a file would say: a cycle of 1 ns, in which a link carries a flit of 16 B, and whose links
/// take a cycle.
[[nodiscard]] arch::PacketSpec booksim_packets(std::uint32_t packet_flits) {
  arch::PacketSpec packets;
  packets.switching = Switching::wormhole;
  packets.flit = Bytes{16};
  packets.packet = packets.flit * std::int64_t{packet_flits};
  packets.router.pipeline = Time{3'000};
  packets.router.virtual_channels = 4;
  packets.router.buffer_flits = 8;
  packets.router.paths = arch::Paths::equal_cost;
  return packets;
}

[[nodiscard]] arch::Interconnect interconnect_of(std::string const& topology) {
  arch::WireSpec const wire{Bandwidth{128'000'000'000}, Time{1'000}};
  return arch::Interconnect{arch::topology_from(topology, wire), arch::Paths::equal_cost};
}

[[nodiscard]] std::unique_ptr<PacketNetwork> booksim_network(arch::Interconnect const& interconnect,
                                                             std::uint32_t packet_flits) {
  auto const packets = booksim_packets(packet_flits);
  ENSURES(arch::wormhole_problem(interconnect, packets).empty(), interconnect.endpoints());
  return make_clocked_network(packets, interconnect, packet_flits);
}

struct FabricCase {
  std::string topology;
  std::uint32_t packet_flits = 1;
  double rate = 0;
  std::string load;     ///< the rate as written
  std::string latency;  ///< as written; empty beyond saturation
  std::string accepted;
  bool saturated = false;

  [[nodiscard]] std::pair<std::string, std::uint32_t> curve() const {
    return {topology, packet_flits};
  }
};

[[nodiscard]] std::vector<FabricCase> read_cases() {
  std::vector<FabricCase> cases;
  for (auto const& line : reference_table("fabric/booksim2")) {
    auto map = line.as_map();
    FabricCase found;
    found.topology = map.required<std::string>("topology");
    found.packet_flits = static_cast<std::uint32_t>(map.required<std::int64_t>("packet_flits"));
    found.rate = map.required<double>("rate");
    found.load = map.required<std::string>("rate");
    found.latency = map.required<std::string>("packet_latency");
    found.accepted = map.required<std::string>("accepted_rate");
    found.saturated = map.choice<bool>("state", {{"saturated", true}, {"steady", false}});
    cases.push_back(found);
  }
  return cases;
}

[[nodiscard]] Row row_of(FabricCase const& it, std::string metric, std::string unit) {
  Row row;
  row.suite = "fabric";
  row.source = "BookSim 2";
  row.title = it.topology + ", " + std::to_string(it.packet_flits) +
              (it.packet_flits == 1 ? " flit" : " flits") + " a packet";
  row.metric = std::move(metric);
  row.unit = std::move(unit);
  return row;
}

/// 4 cycles a router and 2 more, and the flits behind the head: its README's formula, and its
/// curves' left ends.
[[nodiscard]] Row zero_load_row(FabricCase const& it) {
  auto const net = interconnect_of(it.topology);
  auto const network = booksim_network(net, it.packet_flits);
  auto const endpoints = static_cast<std::uint32_t>(net.endpoints());
  auto row = row_of(it, "zero-load latency", "cycles");
  auto const routers = it.topology == "torus:4x4" ? 3.0 : 3.5;  // on average, self-sends included
  row.reference = Figure::of(4 * routers + 2 + (it.packet_flits - 1));
  row.value = Figure::of(static_cast<double>(zero_load_sum(*network, endpoints, it.packet_flits)) /
                         (static_cast<double>(endpoints) * endpoints));
  return judged(row);
}

[[nodiscard]] Row load_row(FabricCase const& it) {
  auto const net = interconnect_of(it.topology);
  auto const network = booksim_network(net, it.packet_flits);
  LoadTest test;
  test.traffic = {TrafficPattern::uniform, it.rate, it.packet_flits, 1};
  test.warm_up = warm_up;
  test.window = window;
  test.patience = it.saturated ? 0 : window;
  auto const result = run_load_test(*network, net.endpoints(), test);
  auto row = it.saturated ? row_of(it, "saturation throughput", "flits/cycle")
                          : row_of(it, "mean latency", "cycles");
  row.title += ", load " + it.load;
  row.reference = Figure::written(it.saturated ? it.accepted : it.latency);
  row.value = Figure::of(it.saturated ? result.accepted_rate : result.mean_latency);
  row.tolerance = {Tolerance::Kind::relative, 0.05};
  auto const edge = it.topology == "torus:4x4" ? "0.8" : "0.7";
  if (it.packet_flits == 4 && it.load == edge) row.deviation = "D40";
  return judged(row);
}

class FabricSuite final : public Suite {
 public:
  [[nodiscard]] std::vector<Row> run(ValidationOptions const& /*options*/) const override {
    auto const cases = read_cases();
    std::vector<Row> rows;
    for (auto const& it : cases) {
      auto const is_first =
          &it == &*std::find_if(cases.begin(), cases.end(), [&](FabricCase const& other) {
            return other.curve() == it.curve();
          });
      if (is_first) rows.push_back(zero_load_row(it));
      rows.push_back(load_row(it));
    }
    return rows;
  }
};

}  // namespace

std::unique_ptr<Suite> fabric_suite() { return std::make_unique<FabricSuite>(); }

}  // namespace tessera::sim
