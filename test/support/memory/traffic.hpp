// Random requests for a DRAM channel, reproducible from a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/memory/dram_spec.hpp"
#include "sim/model/memory/dram/dram_command.hpp"

namespace tessera::test {

/// A request and the first cycle at which it may arrive (later when the queue is full).
struct Arrival {
  std::int64_t cycle = 0;
  sim::DramRequest request;
};

struct TrafficShape {
  std::int64_t mean_gap = 4;   ///< clocks between arrivals; the gaps are uniform in 0 .. 2 mean
  std::int64_t rows = 4;       ///< how many different rows of a bank are asked for
  int hot_banks_per_cent = 0;  ///< requests that go to bank 0
  int repeats_per_cent = 50;   ///< requests that go where the last one went
  int writes_per_cent = 30;
  std::int64_t most_bursts = 2;
};

[[nodiscard]] std::vector<Arrival> random_traffic(arch::DramSpec const& spec,
                                                  TrafficShape const& shape, std::size_t count,
                                                  std::uint64_t seed);

}  // namespace tessera::test
