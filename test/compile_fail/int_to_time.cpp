// A bare number is no time.
#include "arch/base/quantity.hpp"

namespace tessera {

constexpr Time time{1};

#ifdef MUST_NOT_COMPILE
constexpr Time wrong = 1;
#endif

}  // namespace tessera
