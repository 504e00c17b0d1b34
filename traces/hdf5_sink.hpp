// Writes a run to an HDF5 file, laid out as schema.md says. The file appears when the run has
// ended; of the events only one chunk of each kind is in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "traces/hdf5_file.hpp"
#include "traces/overwrite.hpp"
#include "traces/sink.hpp"
#include "traces/trace_level.hpp"

namespace tessera::traces {

/// What the columns of /tasks are in a TaskEvent.
[[nodiscard]] std::vector<Column> task_columns();

class Hdf5Sink final : public Sink {
 public:
  /// Throws ConfigError at once when `path` cannot be written; every other call throws it when the
  /// disk is full. Then, and when the sink is destroyed before end(), no file is left.
  Hdf5Sink(std::string path, TraceLevel level, Overwrite overwrite = Overwrite::same);

  /// Throws ConfigError when something else than this run is there and may not be overwritten
  /// (check_same_run()).
  void begin(RunDescription const& run) override;
  void record(TaskEvent const& event) override;
  [[nodiscard]] bool keeps_tasks() const override { return level_ >= TraceLevel::repeats; }
  [[nodiscard]] bool keeps_mirrored_tasks() const override { return level_ >= TraceLevel::tasks; }
  void record_command(CommandEvent const& event) override;
  /// The file appears, also when the run is not complete; its attribute `complete` says so.
  void end(RunSummary const& summary) override;

 private:
  enum class State : std::uint8_t { created, begun, ended };

  void append_tasks();
  void append_commands();

  std::string path_;
  TraceLevel level_;
  Overwrite overwrite_;
  State state_ = State::created;
  Hdf5File file_;
  std::optional<Hdf5Table> tasks_;  // after the file that it is in
  std::optional<Hdf5Table> commands_;
  std::vector<TaskEvent> task_buffer_;
  std::vector<CommandEvent> command_buffer_;
};

}  // namespace tessera::traces
