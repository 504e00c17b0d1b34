// All forms of new and delete for single objects without alignment end in these, those that do not throw among them: what one
// allocates another may free.
#include "test/support/memory/allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

std::size_t count = 0;

void* allocate(std::size_t size) noexcept {
  ++count;
  return std::malloc(size == 0 ? 1 : size);  // NOLINT
}

}  // namespace

void* operator new(std::size_t size) {
  if (auto* const memory = allocate(size)) return memory;
  throw std::bad_alloc{};
}
void* operator new(std::size_t size, std::nothrow_t const&) noexcept { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }                         // NOLINT
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }            // NOLINT
void operator delete(void* memory, std::nothrow_t const&) noexcept { std::free(memory); }  // NOLINT

namespace tessera::test {

std::size_t allocations() { return count; }

}  // namespace tessera::test
