// All forms of new and delete without alignment end in these.
#include "test/support/memory/allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

std::size_t count = 0;

}  // namespace

void* operator new(std::size_t size) {
  ++count;
  if (auto* const memory = std::malloc(size == 0 ? 1 : size)) return memory;  // NOLINT
  throw std::bad_alloc{};
}
void operator delete(void* memory) noexcept { std::free(memory); }               // NOLINT
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }  // NOLINT

namespace tessera::test {

std::size_t allocations() { return count; }

}  // namespace tessera::test
