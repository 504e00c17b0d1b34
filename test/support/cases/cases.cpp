// As many as seconds allow. Sanitizers take about eight times as long; what they find depends on the kind of a case.
#include "test/support/cases/cases.hpp"

#include <algorithm>

namespace tessera::test {

std::uint64_t cases(std::uint64_t in_suite) {
#ifdef TESSERA_SANITIZED
  return std::max<std::uint64_t>(in_suite / 8, 1);
#else
  return in_suite;
#endif
}

}  // namespace tessera::test
