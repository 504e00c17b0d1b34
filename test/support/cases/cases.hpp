// How many random cases laws are held on. The suite and the long run are the same tests, linked with another number.
#pragma once

#include <cstdint>

namespace tessera::test {

/// `in_suite` of them in the suite, an eighth of that where it runs under sanitizers, and at least
/// 500 in the long run (laws_long_tests). Cases are seeds, from 1 on.
[[nodiscard]] std::uint64_t cases(std::uint64_t in_suite);

/// Whether this is the suite under sanitizers. Where the smaller cases of a test do all that the
/// larger ones do, less often, they learn nothing from the larger ones.
[[nodiscard]] bool is_sanitized();

}  // namespace tessera::test
