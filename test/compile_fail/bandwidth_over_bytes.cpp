// A size over a bandwidth is a time; the other way round it is nothing.
#include "arch/base/quantity.hpp"

namespace tessera {

constexpr Time time = Bytes{1} / Bandwidth{8};

#ifdef MUST_NOT_COMPILE
constexpr auto wrong = Bandwidth{8} / Bytes{1};
#endif

}  // namespace tessera
