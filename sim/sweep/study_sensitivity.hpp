// What one step of one axis changes, everything else as it is.
#pragma once

#include <string>
#include <vector>

#include "sim/sweep/study_table.hpp"

namespace tessera::sim {

/// A row for each step of each axis, from a value to the next in the sweep's file: axis (the keys
/// of several that vary together joined by +), from, to, pairs (of points that are done and differ
/// in this alone; keys that are derived follow), and by which factor `column` changes: its
/// geometric mean over the pairs, the least and the most. A step without a pair has no factors.
/// Points that the file includes one by one, and values of the column that are not above 0, are in
/// no pair. Throws ConfigError where no point has such a column of numbers.
[[nodiscard]] StudyTable sensitivities(SweepSpec const& spec, std::vector<StudyPoint> const& points,
                                       StudyTable const& table, std::string const& column);

}  // namespace tessera::sim
