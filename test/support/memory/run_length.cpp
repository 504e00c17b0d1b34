// The length of the suite.
#include "test/support/memory/run_length.hpp"

namespace tessera::test {

std::size_t const run_length = 1;

}  // namespace tessera::test
