// A picosecond is not divisible.
#include "arch/base/quantity.hpp"

namespace tessera {

constexpr Time time{3};

#ifdef MUST_NOT_COMPILE
constexpr Time wrong{0.3};
#endif

}  // namespace tessera
