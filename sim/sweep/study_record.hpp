// What became of a point: a line of a study's results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/study/process_pool.hpp"
#include "sim/study/result.hpp"

namespace tessera::sim {

enum class PointState : std::uint8_t {
  done,
  infeasible,     ///< planning, or the fit of the plan, refuses it: a result
  failed,         ///< a simulation without progress, a broken invariant, a process that died
  timed_out,      ///< it took longer than a point may
  out_of_memory,  ///< it needed more than a point may have
};
[[nodiscard]] std::string name_of(PointState state);
/// Would it end otherwise with more time, memory or luck?
[[nodiscard]] bool may_be_retried(PointState state);

struct StudyRecord {
  std::string id;
  PointState state = PointState::done;
  std::string reason;                                        ///< of all but done
  std::string program;                                       ///< version and commit
  std::vector<std::pair<std::string, std::string>> columns;  ///< of a point that is done
  std::vector<std::pair<std::string, std::string>> host;     ///< likewise: what it cost

  [[nodiscard]] std::string const* column(std::string const& name) const;
};

/// "0.1.0 (commit)": of this program.
[[nodiscard]] std::string this_program();

/// The columns and the host columns of a simulated point: names end in their unit (_s, _j, _bytes).
void add_columns(Point const& point, StudyRecord& record);

/// The names of all columns that a table may have besides its keys, those that every row has first.
[[nodiscard]] std::vector<std::string> table_columns();

/// What planning, lowering, simulating and measuring took together, in seconds.
void add_host_time(double wall_s, double cpu_s, StudyRecord& record);
[[nodiscard]] std::optional<double> host_time_of(StudyRecord const& record);

/// The record of a job that did not return one.
[[nodiscard]] StudyRecord failed_record(std::string const& id, Ended const& ended);

/// One line of JSON, without its end.
[[nodiscard]] std::string to_text(StudyRecord const& record);
/// None of a line that is no record: torn, or of something else.
[[nodiscard]] std::optional<StudyRecord> record_from(std::string const& line);

}  // namespace tessera::sim
