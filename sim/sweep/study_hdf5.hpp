// A study's table as HDF5: one table, `/points`, with the columns of the CSV, numbers as numbers and each with its unit.
#pragma once

#include <string>

#include "sim/sweep/study_table.hpp"

namespace tessera::sim {

/// The schema that the file names as its attribute.
constexpr auto study_table_schema = "tessera.study.table/1";

/// Of a column, from the end of its name: "s" of time_s; "1" where it has none.
[[nodiscard]] char const* unit_of(std::string const& column);

/// A column is of integers or of numbers where all of its cells are; an empty one is no number
/// then (NaN). Throws ConfigError when the file cannot be written; it appears when it is complete.
void write_hdf5(StudyTable const& table, std::string const& path);

}  // namespace tessera::sim
