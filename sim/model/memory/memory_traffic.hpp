// Requests for a memory: patterns, generated from a seed, and what became of them.
//
// N requests of B bytes. Random addresses are (splitmix64 mod span / B) B; others follow each other at a stride. Of reads and writes
// the fraction is kept evenly (every second one writes, say), or drawn as the addresses are.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/dram_stack.hpp"
#include "sim/model/memory/dram/dram_statistics.hpp"

namespace tessera::sim {

struct MemoryTraffic {
  enum class Pattern { stride, random };
  Pattern pattern = Pattern::stride;
  std::size_t requests = 0;
  std::uint64_t bytes = 64;   ///< of a request; at most arch::DramSpec::block()
  std::uint64_t span = 0;     ///< addresses lie below
  std::uint64_t stride = 64;  ///< `bytes`: sequential
  double read_fraction = 1;
  std::uint64_t seed = 1;
};

/// A request, and the first clock at which it may be offered.
struct TimedRequest {
  DramStack::Request request;
  std::int64_t cycle = 0;
};

/// Tags count from 0.
[[nodiscard]] std::vector<TimedRequest> make_requests(MemoryTraffic const& traffic,
                                                      arch::DramSpec const& spec);

/// What the requests of a run met with. Latencies from acceptance to answer, in the order of the
/// requests.
struct MemoryRun {
  Time finished{0};  ///< the last answer
  Bytes bytes{0};
  std::vector<Time> read_latency;
  std::vector<Time> write_latency;
  DramStatistics dram;
  std::int64_t link_flits = 0;  ///< over all links, both directions

  [[nodiscard]] double gigabytes_per_second() const;
};

struct LatencySummary {
  Time least{0}, median{0}, p99{0}, most{0};
  double mean_ps = 0;
};
/// Of no latencies: zeros. The p-th percentile is the least that p per cent do not exceed.
[[nodiscard]] LatencySummary summarize(std::vector<Time> latencies);

}  // namespace tessera::sim
