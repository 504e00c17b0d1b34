// The length of the long run: more than 10^7 requests over all memories and policies.
#include "test/support/memory/run_length.hpp"

namespace tessera::test {

std::size_t const run_length = 86;

}  // namespace tessera::test
