// The long run of the laws.
#include <algorithm>

#include "test/support/cases/cases.hpp"

namespace tessera::test {

std::uint64_t cases(std::uint64_t in_suite) { return std::max<std::uint64_t>(in_suite, 500); }

bool is_sanitized() { return false; }

}  // namespace tessera::test
