// The benchmarks' own operator new, which counts.
#include <cstdlib>
#include <new>

#include "test/bench/allocations.hpp"

namespace tessera::test {

namespace {

std::int64_t count = 0;

}  // namespace

std::int64_t allocations() { return count; }

}  // namespace tessera::test

void* operator new(std::size_t size) {
  ++tessera::test::count;
  if (auto* const memory = std::malloc(size)) return memory;  // NOLINT: this is what new does
  throw std::bad_alloc{};
}
void operator delete(void* memory) noexcept { std::free(memory); }               // NOLINT
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }  // NOLINT
