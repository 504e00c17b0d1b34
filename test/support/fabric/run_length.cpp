#include "test/support/fabric/run_length.hpp"

namespace tessera::test {

std::int64_t deadlock_test_packets() { return 2'000; }

}  // namespace tessera::test
