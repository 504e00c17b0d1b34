// A study on disk. Several workers may write to one folder at once, on several machines, and each may die at any moment:
//
//   DIR/sweep.yaml            what was asked for
//   DIR/points.jsonl          its points, a line each, in the order of the file
//   DIR/inputs/HASH.yaml      the networks, arrays and plans that they name
//   DIR/results/*.jsonl       records (study_record.hpp): a file for each worker process, which appends to it line by line,
//                             synced at once; nobody else ever writes to it
//
// The first three are written beside and renamed, by several planners at once if need be: of one sweep they are the same. There are no
// locks: a point that two workers do is done twice, with the same fingerprint, which reading checks. A line that a worker could not end
// is no record.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "sim/sweep/study_point.hpp"
#include "sim/sweep/study_record.hpp"

namespace tessera::sim {

/// Writes what is wanted. Throws ConfigError: the folder holds something else, or cannot be
/// written. Returns how many points were not wanted before, and how many no longer are.
struct StudyChange {
  std::size_t added = 0;
  std::size_t dropped = 0;
};
StudyChange write_study(std::string const& folder, SweepSpec const& spec, StudyPoints const& study);

/// What planners left that died before their files had their names.
void remove_unfinished(std::string const& folder);

/// Throws ConfigError where the folder is none of a study, or a file of it is damaged.
[[nodiscard]] std::vector<StudyPoint> read_study_points(std::string const& folder);
/// Those that `points` name.
[[nodiscard]] StudyInputs read_study_inputs(std::string const& folder,
                                            std::vector<StudyPoint> const& points);
[[nodiscard]] SweepSpec read_study_sweep(std::string const& folder);

/// The one record of each point that counts: done before all else, then the newest.
struct StudyResults {
  std::map<std::string, StudyRecord> records;  ///< by id
  std::size_t torn_lines = 0;
  std::size_t stale = 0;  ///< points that only another program has results of
};
enum class Programs : std::uint8_t { this_one, any };
/// Throws FailureError (our fault) when two results of one point by one program differ.
[[nodiscard]] StudyResults read_results(std::string const& folder, Programs programs);

/// A worker's own file of results.
class ResultSegment final {
 public:
  explicit ResultSegment(std::string const& folder);
  ~ResultSegment();
  ResultSegment(ResultSegment const&) = delete;
  ResultSegment& operator=(ResultSegment const&) = delete;

  /// A record's line, as to_text(StudyRecord) makes it. Throws ConfigError when it cannot be
  /// written; then the file ends with the record before.
  void append(std::string line);
  /// What was appended is on the disk when it returns. Throws ConfigError when it cannot be.
  void sync() const;

 private:
  [[nodiscard]] ConfigError problem() const;

  std::string path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace tessera::sim
