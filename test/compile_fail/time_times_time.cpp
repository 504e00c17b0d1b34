// Nothing here is measured in square picoseconds.
#include "arch/base/quantity.hpp"

namespace tessera {

constexpr auto twice = Time{1} * 2;

#ifdef MUST_NOT_COMPILE
constexpr auto wrong = Time{1} * Time{2};
#endif

}  // namespace tessera
