// Ids of different things are neither equal nor different.
#include "arch/base/id.hpp"

namespace tessera {

using RowId = Id<struct RowTag>;
using ColumnId = Id<struct ColumnTag>;
constexpr bool right = RowId{1} == RowId{1};

#ifdef MUST_NOT_COMPILE
constexpr bool wrong = RowId{1} == ColumnId{1};
#endif

}  // namespace tessera
