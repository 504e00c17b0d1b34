// A size and a time have no sum.
#include "arch/base/quantity.hpp"

namespace tessera {

constexpr auto sum = Bytes{1} + Bytes{1};

#ifdef MUST_NOT_COMPILE
constexpr auto wrong = Bytes{1} + Time{1};
#endif

}  // namespace tessera
