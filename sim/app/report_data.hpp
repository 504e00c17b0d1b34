// A run as the page of `tessera report` reads it: small things as JSON, columns of numbers in one packed stream.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/export/perfetto_export.hpp"
#include "sim/study/result.hpp"
#include "traces/run_file.hpp"

namespace tessera::sim {

/// {"attributes": {...}, "names": {...}, "tables": {"links": {"rows": 60, "columns": {...}}, ...},
///  "tasks": {...}, "utilisation": {...}, "counters": [...], "hardware": {...}, "plan": {...},
///  "config": {...}, "bytes": "base64"}. A column is a list of texts or {"form", "offset", "count"}
/// of the bytes (sim/export/column_pack.hpp); what the file lacks is absent.
[[nodiscard]] Json report_data(traces::RunFile const& run, TasksDone const& done);

}  // namespace tessera::sim
