// Cycles are a time only on a named clock.
#include "arch/base/clock.hpp"

namespace tessera {

constexpr bool same = Clock{Frequency{1}}.edge(Cycles{1}) == Time{1};

#ifdef MUST_NOT_COMPILE
constexpr bool wrong = Cycles{1} == Time{1};
#endif

}  // namespace tessera
