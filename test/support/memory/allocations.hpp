// How often this program has allocated. Whoever links it has operator new replaced by one that counts; for programs of one thread.
#pragma once

#include <cstddef>

namespace tessera::test {

[[nodiscard]] std::size_t allocations();

}  // namespace tessera::test
