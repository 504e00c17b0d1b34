// How many packets the test for deadlocks sends: few in the suite, 10^6 each in the long run (fabric_long_tests).
#pragma once

#include <cstdint>

namespace tessera::test {

[[nodiscard]] std::int64_t deadlock_test_packets();

}  // namespace tessera::test
