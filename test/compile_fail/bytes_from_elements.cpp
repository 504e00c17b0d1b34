// Elements have a size only together with the size of one.
#include "arch/base/quantity.hpp"

namespace tessera {

constexpr Bytes size{Elements{4}.value() * 4};

#ifdef MUST_NOT_COMPILE
constexpr Bytes wrong = Elements{4};
#endif

}  // namespace tessera
