// How often a benchmark allocates memory.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>

namespace tessera::test {

/// Since the start of the program.
[[nodiscard]] std::int64_t allocations();

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
  std::int64_t before_;
};

}  // namespace tessera::test
