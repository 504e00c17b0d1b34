// Requests per second of the DRAM models on one core. The peers' figures are in test/validation/references/memory.
#include <benchmark/benchmark.h>

#include "sim/model/memory/dram_channel.hpp"
#include "sim/model/memory/dram_stream.hpp"
#include "test/support/memory/closed_loop.hpp"

namespace tessera::test {

namespace {

constexpr std::size_t requests_at_once = 1 << 16;

std::vector<sim::DramStack::Request> requests_of(arch::DramSpec const& spec, char const* pattern,
                                                 std::uint64_t bytes) {
  return make_requests({pattern, requests_at_once, bytes,
                        static_cast<std::uint64_t>(spec.organization.capacity().value()), 0},
                       spec);
}

/// All channels of a memory in closed form, saturated: as many requests as the queues take.
void streams(benchmark::State& state, char const* memory, std::uint64_t bytes) {
  auto const spec = arch::load_dram(memory);
  sim::AddressMap const map{spec};
  std::vector<sim::DramStream> channels(static_cast<std::size_t>(spec.organization.channels),
                                        sim::DramStream{spec});
  auto const requests = requests_of(spec, "seq", bytes);
  for (auto _ : state) {
    for (auto const& it : requests) {
      auto const at = map(it.address);
      benchmark::DoNotOptimize(
          channels[at.channel].serve(0, {it.tag, it.access, at.bank, it.bursts, at.row}));
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(requests.size()));
}

/// Event-driven FR-FCFS, saturated: eight offers per clock, as the peers were driven.
void first_ready(benchmark::State& state, char const* memory, char const* pattern,
                 std::uint64_t bytes) {
  auto const spec =
      arch::load_dram(memory, {"policy.scheduler=frfcfs", "policy.starvation_cap=2000"});
  auto const requests = requests_of(spec, pattern, bytes);
  sim::DramStack stack{spec};
  std::vector<sim::DramCompletion> out;
  out.reserve(requests_at_once);
  std::int64_t cycle = 0;
  int offered = 0;
  for (auto _ : state) {
    for (std::size_t next = 0; next < requests.size();) {
      auto const retry = stack.offer(cycle, requests[next], out);
      if (!retry) ++next;
      if (retry || ++offered == 8) {
        cycle = retry ? *retry : cycle + 1;
        offered = 0;
      }
      out.clear();
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(requests.size()));
}

BENCHMARK_CAPTURE(streams, hmc_64B, "hmc-2.1", 64);
BENCHMARK_CAPTURE(streams, hmc_256B, "hmc-2.1", 256);
BENCHMARK_CAPTURE(streams, hbm2_32B, "hbm2", 32);
BENCHMARK_CAPTURE(first_ready, hmc_sequential, "peers/dramsim3-hmc-4gb", "seq", 64);
BENCHMARK_CAPTURE(first_ready, hmc_random, "peers/dramsim3-hmc-4gb", "rand", 64);
BENCHMARK_CAPTURE(first_ready, hmc_mixed, "peers/dramsim3-hmc-4gb", "randrw", 64);
BENCHMARK_CAPTURE(first_ready, hbm2_sequential, "peers/dramsim3-hbm2-8gb", "seq", 64);
BENCHMARK_CAPTURE(first_ready, hbm2_random, "peers/dramsim3-hbm2-8gb", "rand", 64);
BENCHMARK_CAPTURE(first_ready, hbm2_mixed, "peers/dramsim3-hbm2-8gb", "randrw", 64);
BENCHMARK_CAPTURE(first_ready, ramulator2_random, "peers/ramulator2-hbm2-8gb", "rand", 32);

}  // namespace

}  // namespace tessera::test
