// Memory, PE arrays and fabric, each with traffic or layers that keep it busy all the time.
#include "arch/accelerator/core_spec.hpp"
#include "arch/fabric/interconnect.hpp"
#include "sim/bench/bench_case.hpp"
#include "sim/model/compute/compute_cost.hpp"
#include "sim/model/fabric/packet/load_test.hpp"
#include "sim/model/fabric/packet/make_network.hpp"
#include "sim/model/memory/closed_loop.hpp"
#include "sim/model/memory/dram/dram_stream.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

/// Blocks of one vault, one after another, each worked out.
Workout stream_a_vault() {
  constexpr std::uint64_t blocks = 4'000'000;
  auto const spec = arch::load_dram("hmc-2.1");
  auto const bursts = spec.block() / spec.organization.burst();
  DramWalk const walk{spec, Access::read, static_cast<std::uint16_t>(bursts)};
  DramStream channel{spec};
  DramCompletion last;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    last = channel.serve(last.issued, walk(block % walk.blocks()));
  }
  return {static_cast<double>(blocks), static_cast<double>(last.done)};
}

/// As many offers per clock as there are channels, first ready, first served.
Workout scatter_over_channels() {
  constexpr std::size_t requests = 500'000;
  auto const spec =
      arch::load_dram("hbm2", {"policy.scheduler=frfcfs", "policy.starvation_cap=500"});
  MemoryTraffic traffic;
  traffic.pattern = MemoryTraffic::Pattern::random;
  traffic.requests = requests;
  traffic.bytes = static_cast<std::uint64_t>(spec.block().value());
  traffic.span = static_cast<std::uint64_t>(spec.organization.capacity().value());
  auto const run = closed_loop(spec, make_requests(traffic, spec),
                               {static_cast<int>(spec.organization.channels), SIZE_MAX, {}});
  return {static_cast<double>(requests), static_cast<double>(run.finished / spec.clock_period)};
}

/// All phases of all layers of ResNet-50, many times.
Workout map_layers(std::string const& core_name) {
  constexpr int times = 20;
  auto const core = arch::load_core(core_name);
  auto const network = workloads::load("accpar/resnet-50", {"batch=64"});
  Workout done;
  for (int i = 0; i < times; ++i) {
    for (auto const& op : network.operators()) {
      for (auto const phase : workloads::own_phases) {
        if (!op.has(phase)) continue;
        auto const cost = compute_cost(core, shape_of(op, op.extents), phase, {});
        done.amount += 1;
        done.simulated_cycles += static_cast<double>(cost.cycles.value());
      }
    }
  }
  return done;
}

/// Uniform traffic on a torus at half of its load limit.
Workout load_a_torus() {
  arch::WireSpec const wire{Bandwidth{1'000'000'000}, Time{1'000}};  // cycles are what counts here
  arch::Interconnect const net{arch::topology_from("torus:16x16", wire), arch::Paths::one};
  CutThroughSpec spec;
  spec.virtual_channels = 4;
  spec.buffer_packets = 4;
  spec.pipeline = 3;
  spec.channels = clocked_timing(net, 1);
  LoadTest test;
  test.traffic.rate = 0.25;
  test.traffic.packet_flits = 16;
  auto const network = make_cut_through_network(net, spec, test.traffic.packet_flits);
  auto const result = run_load_test(*network, net.endpoints(), test);
  return {static_cast<double>(result.all_packets), static_cast<double>(result.cycles)};
}

}  // namespace

std::vector<ComponentCase> component_cases() {
  return {
      {"memory-stream", "a vault of hmc-2.1 read block by block", "blocks", stream_a_vault},
      {"memory-random", "hbm2 under saturated random reads, FR-FCFS", "requests",
       scatter_over_channels},
      {"systolic", "ResNet-50 mapped onto tpu-v3, all phases", "layers",
       [] { return map_layers("tpu-v3"); }},
      {"row-stationary", "ResNet-50 mapped onto hypar-pu, all phases", "layers",
       [] { return map_layers("hypar-pu"); }},
      {"fabric", "a 16 x 16 torus, cut-through, packets of 16 flits, 0.25 flits/cycle", "packets",
       load_a_torus},
  };
}

}  // namespace tessera::sim
