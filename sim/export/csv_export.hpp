// A run file as tables of text (CSV, RFC 4180), one file for each: DIR/tasks.csv, DIR/links.csv, ..., and the attributes of the file in
// DIR/run.csv. Columns are as in the run file; in tasks, breakdown and others that number operators, phases, kinds and causes, those
// have their names. What is busy how much over time is a row for each resource and bin.
#pragma once

#include <string>
#include <vector>

#include "sim/export/perfetto_export.hpp"
#include "traces/overwrite.hpp"
#include "traces/run_file.hpp"

namespace tessera::sim {

/// Makes the folder when it is not there; of the files that are there, only those of the same run
/// are replaced unless it is forced. Returns what was written, by path.
[[nodiscard]] std::vector<std::string> export_csv(traces::RunFile const& run,
                                                  std::string const& folder,
                                                  traces::Overwrite overwrite,
                                                  TasksDone const& done);

}  // namespace tessera::sim
