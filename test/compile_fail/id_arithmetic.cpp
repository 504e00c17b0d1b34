// Ids are names, not numbers.
#include "arch/base/id.hpp"

namespace tessera {

using RowId = Id<struct RowTag>;
constexpr RowId next{RowId{1}.index() + 1};

#ifdef MUST_NOT_COMPILE
constexpr auto wrong = RowId{1} + 1;
#endif

}  // namespace tessera
