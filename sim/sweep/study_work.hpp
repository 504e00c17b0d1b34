// Simulating the points of a study that have no result yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arch/base/quantity.hpp"
#include "sim/sweep/study_folder.hpp"
#include "sim/terminal/progress.hpp"

namespace tessera::sim {

struct StudyWork {
  std::size_t workers = 1;
  std::size_t slice = 0;  ///< every `slices`-th point from this one on
  std::size_t slices = 1;
  Host host = Host::engine;  ///< changes no result
  bool retry = false;        ///< points that failed, timed out or were out of memory, too
  Programs programs = Programs::this_one;    ///< whose results count
  std::optional<std::int64_t> most_seconds;  ///< a point may take
  std::optional<Bytes> most_memory;          ///< likewise
  Progress::Wanted progress = Progress::Wanted::no;
};

/// Points by state.
struct StudyTally {
  std::size_t points = 0;
  std::size_t done = 0;
  std::size_t infeasible = 0;
  std::size_t failed = 0;  ///< timed out and out of memory included
  std::size_t torn_lines = 0;
  std::size_t stale = 0;

  [[nodiscard]] std::size_t left() const { return points - done - infeasible - failed; }
};
[[nodiscard]] StudyTally tally_of(std::vector<StudyPoint> const& points,
                                  StudyResults const& results);

/// Those of the `slices` that hold a point to be simulated, rising. `slice` is not looked at.
[[nodiscard]] std::vector<std::size_t> slices_left(std::vector<StudyPoint> const& points,
                                                   StudyResults const& results,
                                                   StudyWork const& work);

/// In other processes, many points in each where `work` lets them; records are on the disk as soon
/// as they have come. Throws Interrupted; what was recorded stays.
void work_on(std::string const& folder, StudyWork const& work);
/// The same of some of the study's points.
void work_on(std::string const& folder, std::vector<StudyPoint> const& points,
             StudyWork const& work);

/// Takes over what other studies found out about points of this one that have no result: done and
/// infeasible ones, of programs that count. Returns how many. Throws ConfigError where a folder is
/// none of a study.
std::size_t reuse_results(std::string const& folder, std::vector<std::string> const& others,
                          Programs programs);

}  // namespace tessera::sim
