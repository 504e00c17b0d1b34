// A study as one table: a row a point, in the order of its file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/sweep/study_folder.hpp"

namespace tessera::sim {

/// Cells that a row does not have are empty.
struct StudyTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

enum class HostColumns : std::uint8_t { left_out, added };

/// The columns: id, the sweep's keys as they were set, state, what was simulated and predicted
/// (units are the ends of their names), the sweep's own results, why a point has none, and which
/// program simulated it.
/// Throws ConfigError where a result of the sweep cannot be computed.
[[nodiscard]] StudyTable table_of(SweepSpec const& spec, std::vector<StudyPoint> const& points,
                                  StudyResults const& results, HostColumns host);

/// RFC 4180, with a line of titles.
[[nodiscard]] std::string csv_text(StudyTable const& table);

/// Points of two studies that have the same id and other fingerprints: id, both, and how much
/// longer the second takes, as a fraction.
[[nodiscard]] StudyTable differences(StudyResults const& first, StudyResults const& second);

}  // namespace tessera::sim
