// As many as seconds allow. Sanitizers take about eight times as long; what they find depends on the kind of a case.
#include "test/support/cases/cases.hpp"

#include <algorithm>

namespace tessera::test {

bool is_sanitized() {
#ifdef TESSERA_SANITIZED
  return true;
#else
  return false;
#endif
}

std::uint64_t cases(std::uint64_t in_suite) {
  return is_sanitized() ? std::max<std::uint64_t>(in_suite / 8, 1) : in_suite;
}

}  // namespace tessera::test
