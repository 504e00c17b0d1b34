// What the types must refuse, case by case: the line after each #ifdef (refused_test.py). All else compiles.
#include "arch/base/clock.hpp"
#include "arch/base/id.hpp"
#include "arch/base/quantity.hpp"

// A size over a bandwidth is a time; the other way round it is nothing.
namespace tessera::bandwidth_over_bytes {

constexpr Time time = Bytes{1} / Bandwidth{8};

#ifdef MUST_NOT_COMPILE
constexpr auto wrong = Bandwidth{8} / Bytes{1};
#endif

}  // namespace tessera::bandwidth_over_bytes

// Elements have a size only together with the size of one.
namespace tessera::bytes_from_elements {

constexpr Bytes size{Elements{4}.value() * 4};

#ifdef MUST_NOT_COMPILE
constexpr Bytes wrong = Elements{4};
#endif

}  // namespace tessera::bytes_from_elements

// A size and a time have no sum.
namespace tessera::bytes_plus_time {

constexpr auto sum = Bytes{1} + Bytes{1};

#ifdef MUST_NOT_COMPILE
constexpr auto wrong = Bytes{1} + Time{1};
#endif

}  // namespace tessera::bytes_plus_time

// Cycles are a time only on a named clock.
namespace tessera::cycles_compared_with_time {

constexpr bool same = Clock{Frequency{1}}.edge(Cycles{1}) == Time{1};

#ifdef MUST_NOT_COMPILE
constexpr bool wrong = Cycles{1} == Time{1};
#endif

}  // namespace tessera::cycles_compared_with_time

// A picosecond is not divisible.
namespace tessera::fraction_of_a_picosecond {

constexpr Time time{3};

#ifdef MUST_NOT_COMPILE
constexpr Time wrong{0.3};
#endif

}  // namespace tessera::fraction_of_a_picosecond

// Ids are names, not numbers.
namespace tessera::id_arithmetic {

using RowId = Id<struct RowTag>;
constexpr RowId next{RowId{1}.index() + 1};

#ifdef MUST_NOT_COMPILE
constexpr auto wrong = RowId{1} + 1;
#endif

}  // namespace tessera::id_arithmetic

// The index of one thing does not index another.
namespace tessera::id_of_another_kind {

using RowId = Id<struct RowTag>;
using ColumnId = Id<struct ColumnTag>;
using Rows = IdVector<RowId, int>;
inline int right(Rows const& rows, RowId row) { return rows[row]; }

#ifdef MUST_NOT_COMPILE
inline int wrong(Rows const& rows, ColumnId column) { return rows[column]; }
#endif

}  // namespace tessera::id_of_another_kind

// Ids of different things are neither equal nor different.
namespace tessera::ids_compared {

using RowId = Id<struct RowTag>;
using ColumnId = Id<struct ColumnTag>;
constexpr bool right = RowId{1} == RowId{1};

#ifdef MUST_NOT_COMPILE
constexpr bool wrong = RowId{1} == ColumnId{1};
#endif

}  // namespace tessera::ids_compared

// A bare number is no id.
namespace tessera::int_to_id {

using RowId = Id<struct RowTag>;
constexpr RowId right{1};

#ifdef MUST_NOT_COMPILE
constexpr RowId wrong = 1;
#endif

}  // namespace tessera::int_to_id

// A bare number is no time.
namespace tessera::int_to_time {

constexpr Time time{1};

#ifdef MUST_NOT_COMPILE
constexpr Time wrong = 1;
#endif

}  // namespace tessera::int_to_time

// Nothing here is measured in square picoseconds.
namespace tessera::time_times_time {

constexpr auto twice = Time{1} * 2;

#ifdef MUST_NOT_COMPILE
constexpr auto wrong = Time{1} * Time{2};
#endif

}  // namespace tessera::time_times_time

// A time is no bare number.
namespace tessera::time_to_int {

constexpr std::int64_t number = Time{1}.value();

#ifdef MUST_NOT_COMPILE
constexpr std::int64_t wrong = Time{1};
#endif

}  // namespace tessera::time_to_int
