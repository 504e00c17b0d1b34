// How often a benchmark allocates memory.
#pragma once

#include <benchmark/benchmark.h>

#include "test/support/memory/allocations.hpp"

namespace tessera::test {

/// From here to the end of its life, as a counter of the benchmark. To be made just before the
/// loop.
class Allocations final {
 public:
  explicit Allocations(benchmark::State& state) : state_{state}, before_{allocations()} {}
  ~Allocations() { state_.counters["allocations"] = static_cast<double>(allocations() - before_); }
  Allocations(Allocations const&) = delete;
  Allocations& operator=(Allocations const&) = delete;

 private:
  benchmark::State& state_;
  std::size_t before_;
};

}  // namespace tessera::test
