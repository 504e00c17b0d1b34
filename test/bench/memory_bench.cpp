// Requests per second of the DRAM models on one core. The peers' figures are in sim/validation/references/memory.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "sim/model/memory/dram/dram_channel.hpp"
#include "sim/model/memory/dram/dram_stream.hpp"
#include "sim/model/memory/hmc/hmc_host.hpp"
#include "sim/model/memory/memory_traffic.hpp"
#include "test/bench/allocations.hpp"

namespace tessera::test {

namespace {

constexpr std::size_t requests_at_once = 1 << 16;

/// "seq", "rand" or "mixed": random, 67 % reads.
std::vector<sim::TimedRequest> requests_of(arch::DramSpec const& spec, std::string const& pattern,
                                           std::uint64_t bytes) {
  sim::MemoryTraffic traffic;
  if (pattern != "seq") traffic.pattern = sim::MemoryTraffic::Pattern::random;
  traffic.requests = requests_at_once;
  traffic.bytes = traffic.stride = bytes;
  traffic.span = static_cast<std::uint64_t>(spec.organization.capacity().value());
  traffic.read_fraction = pattern == "mixed" ? 0.67 : 1;
  return make_requests(traffic, spec);
}

/// All channels of a memory in closed form, saturated: as many requests as the queues take.
void streams(benchmark::State& state, char const* memory, std::uint64_t bytes) {
  auto const spec = arch::load_dram(memory);
  sim::AddressMap const map{spec};
  std::vector<sim::DramStream> channels(static_cast<std::size_t>(spec.organization.channels),
                                        sim::DramStream{spec});
  auto const requests = requests_of(spec, "seq", bytes);
  Allocations const counted{state};
  for (auto _ : state) {
    for (auto const& [it, at_cycle] : requests) {
      auto const at = map(it.address);
      benchmark::DoNotOptimize(
          channels[at.channel].serve(0, {it.tag, it.access, at.bank, it.bursts, at.row}));
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(requests.size()));
}

/// One channel, `count` consecutive blocks of a walk at once.
void long_streams(benchmark::State& state, char const* memory, std::int64_t bytes,
                  std::uint64_t count) {
  auto const spec = arch::load_dram(memory);
  sim::DramStream channel{spec};
  sim::DramWalk const walk{spec, sim::Access::read,
                           static_cast<std::uint16_t>(bytes / spec.organization.burst().value())};
  std::uint64_t block = 0;
  Allocations const counted{state};
  for (auto _ : state) {
    benchmark::DoNotOptimize(channel.serve_stream(0, walk, block % walk.blocks(), count));
    block += count;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
}

/// A long stream over all channels in closed form, first come, first served: of `requests` each
/// channel takes its share in walks of so many blocks, all of a walk at once.
void all_channels(benchmark::State& state, char const* memory, std::int64_t bytes,
                  std::uint64_t requests, std::uint64_t blocks_of_a_walk) {
  auto const spec = arch::load_dram(
      memory, {"policy.scheduler=fcfs", "policy.queues=shared", "policy.bank_queue_depth=0"});
  auto const channels = static_cast<std::size_t>(spec.organization.channels);
  auto const share = requests / channels;
  sim::DramWalk const walk{spec, sim::Access::read,
                           static_cast<std::uint16_t>(bytes / spec.organization.burst().value())};
  std::vector<sim::DramStream> streams(channels, sim::DramStream{spec});
  std::uint64_t begun = 0;
  Allocations const counted{state};
  for (auto _ : state) {
    for (auto& channel : streams) {
      for (std::uint64_t done = 0; done < share; done += blocks_of_a_walk) {
        auto const first = (begun + done) % walk.blocks();
        auto const count = std::min(blocks_of_a_walk, share - done);
        benchmark::DoNotOptimize(channel.serve_stream(0, walk, first, count));
      }
    }
    begun += share;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(share * channels));
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
  Allocations const counted{state};
  for (auto _ : state) {
    for (std::size_t next = 0; next < requests.size();) {
      auto const retry = stack.offer(cycle, requests[next].request, out);
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

/// The same through a host, the links of HMC 2.1 and its crossbar: 512 requests outstanding.
void first_ready_over_links(benchmark::State& state, char const* memory, char const* pattern) {
  auto spec = arch::load_dram(memory, {"policy.scheduler=frfcfs", "policy.starvation_cap=2000"});
  spec.hmc = arch::load_dram("hmc-2.1").hmc;
  auto const requests = requests_of(spec, pattern, 64);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        run_host(spec, requests, {sim::HmcCube::Side::upstream, 512, 1}).finished);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(requests.size()));
}

BENCHMARK_CAPTURE(streams, hmc_64B, "hmc-2.1", 64);
BENCHMARK_CAPTURE(streams, hmc_256B, "hmc-2.1", 256);
BENCHMARK_CAPTURE(streams, hbm2_32B, "hbm2", 32);
BENCHMARK_CAPTURE(long_streams, hmc_256B_x256, "hmc-2.1", 256, 256);
BENCHMARK_CAPTURE(long_streams, hmc_256B_x4096, "hmc-2.1", 256, 4096);
BENCHMARK_CAPTURE(long_streams, hmc_256B_x65536, "hmc-2.1", 256, 1U << 16U);
BENCHMARK_CAPTURE(long_streams, hmc_256B_x1M, "hmc-2.1", 256, 1U << 20U);
BENCHMARK_CAPTURE(long_streams, hbm2_32B_x256, "hbm2", 32, 256);
BENCHMARK_CAPTURE(long_streams, hbm2_32B_x4096, "hbm2", 32, 4096);
BENCHMARK_CAPTURE(long_streams, hbm2_32B_x65536, "hbm2", 32, 1U << 16U);
BENCHMARK_CAPTURE(long_streams, hbm2_32B_x1M, "hbm2", 32, 1U << 20U);
BENCHMARK_CAPTURE(long_streams, tpu_v3_32B_x1M, "tpu-v3", 32, 1U << 20U);
// As the peers' streams: over all channels, each channel's share at once or in short walks.
constexpr std::uint64_t million = 1'000'000;
BENCHMARK_CAPTURE(all_channels, dramsim3_hbm2_64B, "peers/dramsim3-hbm2-8gb", 64, million, million);
BENCHMARK_CAPTURE(all_channels, dramsim3_hbm2_64B_x256, "peers/dramsim3-hbm2-8gb", 64, million,
                  256);
BENCHMARK_CAPTURE(all_channels, hbm2_32B, "hbm2", 32, 2 * million, 2 * million);
BENCHMARK_CAPTURE(all_channels, hbm2_32B_x256, "hbm2", 32, 2 * million, 256);
BENCHMARK_CAPTURE(all_channels, dramsim3_hmc_64B, "peers/dramsim3-hmc-4gb", 64, million, million);
BENCHMARK_CAPTURE(first_ready, hmc_sequential, "peers/dramsim3-hmc-4gb", "seq", 64);
BENCHMARK_CAPTURE(first_ready, hmc_random, "peers/dramsim3-hmc-4gb", "rand", 64);
BENCHMARK_CAPTURE(first_ready, hmc_mixed, "peers/dramsim3-hmc-4gb", "mixed", 64);
BENCHMARK_CAPTURE(first_ready_over_links, hmc_sequential, "peers/dramsim3-hmc-4gb", "seq");
BENCHMARK_CAPTURE(first_ready_over_links, hmc_random, "peers/dramsim3-hmc-4gb", "rand");
BENCHMARK_CAPTURE(first_ready_over_links, hmc_mixed, "peers/dramsim3-hmc-4gb", "mixed");
BENCHMARK_CAPTURE(first_ready_over_links, hmc_2_1_random, "hmc-2.1", "rand");
BENCHMARK_CAPTURE(first_ready_over_links, hmc_2_1_mixed, "hmc-2.1", "mixed");
BENCHMARK_CAPTURE(first_ready, hbm2_sequential, "peers/dramsim3-hbm2-8gb", "seq", 64);
BENCHMARK_CAPTURE(first_ready, hbm2_random, "peers/dramsim3-hbm2-8gb", "rand", 64);
BENCHMARK_CAPTURE(first_ready, hbm2_mixed, "peers/dramsim3-hbm2-8gb", "mixed", 64);
BENCHMARK_CAPTURE(first_ready, ramulator2_sequential, "peers/ramulator2-hbm2-8gb", "seq", 32);
BENCHMARK_CAPTURE(first_ready, ramulator2_mixed, "peers/ramulator2-hbm2-8gb", "mixed", 32);
BENCHMARK_CAPTURE(first_ready, hmc_2_1_random, "hmc-2.1", "rand", 64);
BENCHMARK_CAPTURE(first_ready, hmc_2_1_mixed, "hmc-2.1", "mixed", 64);
BENCHMARK_CAPTURE(first_ready, tpu_v3_random, "tpu-v3", "rand", 32);
BENCHMARK_CAPTURE(first_ready, tpu_v3_mixed, "tpu-v3", "mixed", 32);
BENCHMARK_CAPTURE(first_ready, ramulator2_random, "peers/ramulator2-hbm2-8gb", "rand", 32);

}  // namespace

}  // namespace tessera::test
