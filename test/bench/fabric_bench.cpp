// Interconnects: simulated cycles and flits per second on tori of 4 x 4 to 32 x 32 routers, at low and high load.
// Beside BookSim 2 and Noxim: MEASURED.md.
#include <benchmark/benchmark.h>

#include "sim/model/fabric/packet/load_test.hpp"
#include "sim/model/fabric/packet/make_network.hpp"
#include "sim/model/fabric/packet/wormhole_network.hpp"

namespace tessera::test {

namespace {

struct Load {
  char const* topology;
  double rate;
  std::uint32_t packet_flits;
  sim::Tick cycles;
};

arch::Interconnect interconnect_of(Load const& load) {
  arch::WireSpec const wire{Bandwidth{1'000'000'000}, Time{1'000}};
  return arch::Interconnect{arch::topology_from(load.topology, wire)};
}

/// `run_test` builds a network and runs the test on it.
template <typename RunTest>
void run(benchmark::State& state, Load const& load, RunTest const& run_test) {
  sim::LoadTest test;
  test.traffic = {sim::TrafficPattern::uniform, load.rate, load.packet_flits, 1};
  test.warm_up = 0;
  test.window = load.cycles;
  double flits = 0;
  double cycles = 0;
  for (auto _ : state) {
    auto const result = run_test(test);
    flits += static_cast<double>(result.all_packets * load.packet_flits);
    cycles += static_cast<double>(result.cycles);
  }
  state.counters["packets/s"] =
      benchmark::Counter(flits / load.packet_flits, benchmark::Counter::kIsRate);
  state.counters["flits/s"] = benchmark::Counter(flits, benchmark::Counter::kIsRate);
  state.counters["cycles/s"] = benchmark::Counter(cycles, benchmark::Counter::kIsRate);
}

/// Routers with four virtual channels of 8 flits, or of four packets if that is less than one.
sim::CutThroughSpec cut_through_of(Load const& load, arch::Interconnect const& net) {
  sim::CutThroughSpec spec;
  spec.virtual_channels = 4;
  spec.buffer_packets = load.packet_flits <= 8 ? 8 / load.packet_flits : 4;
  spec.channels = sim::clocked_timing(net, 1);
  return spec;
}

/// The hardware that is modelled by default, as `tessera probe fabric` runs it.
void cut_through(benchmark::State& state, Load load) {
  auto const net = interconnect_of(load);
  auto const spec = cut_through_of(load, net);
  run(state, load, [&](sim::LoadTest const& test) {
    auto const network = sim::make_cut_through_network(net, spec, load.packet_flits);
    return run_load_test(*network, net.endpoints(), test);
  });
}

/// The same with an event per packet and hop, as where channels or packets differ.
void cut_through_by_event(benchmark::State& state, Load load) {
  auto const net = interconnect_of(load);
  auto const spec = cut_through_of(load, net);
  run(state, load, [&](sim::LoadTest const& test) {
    sim::CutThroughNetwork network{net, spec};
    return run_load_test(network, net.endpoints(), test);
  });
}

/// BookSim's router.
void wormhole(benchmark::State& state, Load load) {
  auto const net = interconnect_of(load);
  sim::WormholeSpec spec;
  spec.latency = IdVector<arch::ChannelId, sim::Tick>{net.channels().size(), 1};
  run(state, load, [&](sim::LoadTest const& test) {
    sim::WormholeNetwork network{net, spec};
    return run_load_test(network, net.endpoints(), test);
  });
}

BENCHMARK_CAPTURE(cut_through, torus_4x4_low_4_flits, Load{"torus:4x4", 0.1, 4, 200'000});
BENCHMARK_CAPTURE(cut_through, torus_4x4_high_4_flits, Load{"torus:4x4", 0.5, 4, 50'000});
BENCHMARK_CAPTURE(cut_through, torus_4x4_low_1_flit, Load{"torus:4x4", 0.1, 1, 50'000});
BENCHMARK_CAPTURE(cut_through, torus_4x4_high_1_flit, Load{"torus:4x4", 0.5, 1, 20'000});
BENCHMARK_CAPTURE(cut_through, torus_8x8_1_flit, Load{"torus:8x8", 0.3, 1, 10'000});
BENCHMARK_CAPTURE(cut_through, mesh_4x4_4_flits, Load{"mesh:4x4", 0.1, 4, 100'000});
BENCHMARK_CAPTURE(cut_through, mesh_8x8_4_flits, Load{"mesh:8x8", 0.1, 4, 50'000});
BENCHMARK_CAPTURE(cut_through, torus_4x4_low_16_flits, Load{"torus:4x4", 0.1, 16, 500'000});
BENCHMARK_CAPTURE(cut_through, torus_4x4_high_16_flits, Load{"torus:4x4", 0.5, 16, 200'000});
BENCHMARK_CAPTURE(cut_through, torus_8x8_low_16_flits, Load{"torus:8x8", 0.1, 16, 100'000});
BENCHMARK_CAPTURE(cut_through, torus_8x8_high_16_flits, Load{"torus:8x8", 0.3, 16, 50'000});
BENCHMARK_CAPTURE(cut_through, torus_16x16_low_16_flits, Load{"torus:16x16", 0.05, 16, 50'000});
BENCHMARK_CAPTURE(cut_through, torus_16x16_high_16_flits, Load{"torus:16x16", 0.2, 16, 10'000});
BENCHMARK_CAPTURE(cut_through, torus_16x16_low_1_flit, Load{"torus:16x16", 0.1, 1, 5'000});
BENCHMARK_CAPTURE(cut_through, torus_32x32_low_16_flits, Load{"torus:32x32", 0.05, 16, 20'000});
BENCHMARK_CAPTURE(cut_through, torus_32x32_high_16_flits, Load{"torus:32x32", 0.1, 16, 10'000});
BENCHMARK_CAPTURE(cut_through, torus_32x32_low_256_flits, Load{"torus:32x32", 0.05, 256, 50'000});
BENCHMARK_CAPTURE(cut_through, torus_32x32_high_256_flits, Load{"torus:32x32", 0.1, 256, 20'000});
BENCHMARK_CAPTURE(cut_through_by_event, torus_4x4_low_4_flits, Load{"torus:4x4", 0.1, 4, 200'000});
BENCHMARK_CAPTURE(cut_through_by_event, torus_8x8_1_flit, Load{"torus:8x8", 0.3, 1, 10'000});
BENCHMARK_CAPTURE(cut_through_by_event, torus_16x16_low_1_flit, Load{"torus:16x16", 0.1, 1, 5'000});
BENCHMARK_CAPTURE(cut_through_by_event, torus_32x32_high_16_flits,
                  Load{"torus:32x32", 0.1, 16, 10'000});
BENCHMARK_CAPTURE(cut_through_by_event, torus_16x16_high_16_flits,
                  Load{"torus:16x16", 0.2, 16, 10'000});
BENCHMARK_CAPTURE(wormhole, torus_4x4_low_4_flits, Load{"torus:4x4", 0.1, 4, 50'000});
BENCHMARK_CAPTURE(wormhole, torus_4x4_low_1_flit, Load{"torus:4x4", 0.1, 1, 50'000});
BENCHMARK_CAPTURE(wormhole, torus_4x4_high_1_flit, Load{"torus:4x4", 0.5, 1, 20'000});
BENCHMARK_CAPTURE(wormhole, torus_8x8_1_flit, Load{"torus:8x8", 0.3, 1, 10'000});
BENCHMARK_CAPTURE(wormhole, mesh_4x4_4_flits, Load{"mesh:4x4", 0.1, 4, 50'000});
BENCHMARK_CAPTURE(wormhole, mesh_8x8_4_flits, Load{"mesh:8x8", 0.1, 4, 20'000});
BENCHMARK_CAPTURE(wormhole, torus_16x16_1_flit, Load{"torus:16x16", 0.1, 1, 5'000});
BENCHMARK_CAPTURE(wormhole, torus_32x32_1_flit, Load{"torus:32x32", 0.05, 1, 2'000});

}  // namespace

}  // namespace tessera::test
