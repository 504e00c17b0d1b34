// The length of the long run: 13 memories, 90 policies and variants of each, 8600 requests to each: 10,062,000 requests in a quarter of
// an hour of CPU time.
#include "test/support/memory/run_length.hpp"

namespace tessera::test {

std::size_t const run_length = 86;

}  // namespace tessera::test
