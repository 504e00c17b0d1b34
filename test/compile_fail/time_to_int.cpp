// A time is no bare number.
#include "arch/base/quantity.hpp"

namespace tessera {

constexpr std::int64_t number = Time{1}.value();

#ifdef MUST_NOT_COMPILE
constexpr std::int64_t wrong = Time{1};
#endif

}  // namespace tessera
