// The traffic of the peer measurements in test/validation/references/memory, and the loop that offers it.
//
// N requests of B bytes in an address space of CAP bytes; splitmix64 starts at state 1.
//   seq: address i B mod CAP; rand: (splitmix64 mod CAP / B) B; conflict: i STRIDE mod CAP, a new row of one bank each; all reads.
//   seqrw: as seq, odd requests write; randrw: r = splitmix64, writes iff r & 1, address (r >> 1 mod CAP / B) B.
// Closed loop, in order: each clock offers request `next` and on acceptance goes on, up to W per clock; stops at a refusal and tries
// again in the next clock. At most MO requests are outstanding. chain: W = 1, MO = 1; w1: W = 1; w8: W = 8, MO unlimited.
// Latency: clocks from acceptance to answer; `cycles`: until the last answer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/dram_spec.hpp"
#include "sim/model/memory/dram_stack.hpp"

namespace tessera::test {

struct Traffic {
  std::string pattern;
  std::size_t requests = 0;
  std::uint64_t bytes = 64;
  std::uint64_t capacity = 0;
  std::uint64_t stride = 0;
};

[[nodiscard]] std::vector<sim::DramStack::Request> make_requests(Traffic const& traffic,
                                                                 arch::DramSpec const& spec);

struct LoopResult {
  std::int64_t cycles = 0;
  std::int64_t least_latency = 0;
  double mean_latency = 0;  ///< of reads
  double gigabytes_per_second = 0;
};

struct LoopRule {
  int width = 1;
  std::size_t outstanding = SIZE_MAX;
};

[[nodiscard]] LoopResult closed_loop(arch::DramSpec const& spec, Traffic const& traffic,
                                     LoopRule const& rule);

}  // namespace tessera::test
