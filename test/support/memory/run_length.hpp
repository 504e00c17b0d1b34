// How much random traffic the tests of channels take. The suite and the long run are the same tests, linked with another length.
#pragma once

#include <cstddef>

namespace tessera::test {

/// Multiplies the number of random requests: 1 in the suite.
extern std::size_t const run_length;

}  // namespace tessera::test
