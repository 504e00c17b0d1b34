// Where a simulation sends what happened.
#pragma once

#include "traces/event.hpp"

namespace tessera::traces {

/// begin, then any number of records, then end. A sink that writes a file makes it appear only in
/// end().
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void begin(RunDescription const& run) = 0;
  virtual void record(TaskEvent const& event) = 0;
  /// Does it make anything of the tasks? If not, nobody has to work them out for it.
  [[nodiscard]] virtual bool keeps_tasks() const { return true; }
  /// Of those of accelerators that mirror others?
  [[nodiscard]] virtual bool keeps_mirrored_tasks() const { return keeps_tasks(); }
  /// A command of a DRAM channel; those of one channel come in order of time. A sink need not keep
  /// them.
  virtual void record_command(CommandEvent const&) {}
  virtual void end(RunSummary const& summary) = 0;
};

/// Keeps nothing.
class NullSink final : public Sink {
 public:
  void begin(RunDescription const&) override {}
  void record(TaskEvent const&) override {}
  [[nodiscard]] bool keeps_tasks() const override { return false; }
  void end(RunSummary const&) override {}
};

}  // namespace tessera::traces
