// A bare number is no id.
#include "arch/base/id.hpp"

namespace tessera {

using RowId = Id<struct RowTag>;
constexpr RowId right{1};

#ifdef MUST_NOT_COMPILE
constexpr RowId wrong = 1;
#endif

}  // namespace tessera
