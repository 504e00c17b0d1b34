// The index of one thing does not index another.
#include "arch/base/id.hpp"

namespace tessera {

using RowId = Id<struct RowTag>;
using ColumnId = Id<struct ColumnTag>;
using Rows = IdVector<RowId, int>;
inline int right(Rows const& rows, RowId row) { return rows[row]; }

#ifdef MUST_NOT_COMPILE
inline int wrong(Rows const& rows, ColumnId column) { return rows[column]; }
#endif

}  // namespace tessera
