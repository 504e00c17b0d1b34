// All that a run writes and reports, as text, for runs that must be equal in everything.
#pragma once

#include <sstream>
#include <string>

#include "traces/sink.hpp"

namespace tessera::test {

/// Writes down every event.
class TextSink final : public traces::Sink {
 public:
  void begin(traces::RunDescription const& /*run*/) override {}
  void record(traces::TaskEvent const& event) override {
    text << event.task << ' ' << int{event.kind} << int{event.phase} << ' ' << int{event.level}
         << ' ' << event.accelerator << '>' << event.destination << ' ' << event.op << ' '
         << event.start << ' ' << event.end << ' ' << event.bytes << ' ' << event.macs << ' '
         << event.waited_for << ' ' << int{event.cause} << ' ' << event.slack << '\n';
  }
  void end(traces::RunSummary const& /*summary*/) override {}

  std::ostringstream text;
};

/// All that a run reports, as text.
[[nodiscard]] inline std::string everything(traces::RunSummary const& summary) {
  std::ostringstream text;
  text << summary.complete << ' ' << summary.time << ' ' << summary.cycles << ' '
       << summary.communication << ' ' << summary.macs << ' ' << summary.fingerprint << '\n';
  for (auto const& entry : summary.breakdown) {
    text << entry.op << ' ' << int{entry.phase} << ' ' << entry.compute << ' ' << entry.memory
         << ' ' << entry.communication << ' ' << entry.idle << ' ' << entry.macs << ' '
         << entry.memory_bytes << ' ' << entry.kernel_starts << '\n';
  }
  for (auto const& counter : summary.counters) {
    text << counter.resource << ' ' << counter.name << ' ' << counter.value << '\n';
  }
  for (auto const& histogram : summary.utilisation) {
    text << histogram.resource << ' ' << histogram.width;
    for (auto const busy : histogram.busy) text << ' ' << busy;
    text << '\n';
  }
  for (auto const& entry : summary.energy) {
    text << entry.component << ' ' << entry.event << ' ' << entry.count << '\n';
  }
  for (auto const& link : summary.links) {
    text << link.from << '>' << link.to << ' ' << link.level << ' ' << link.lanes << ' '
         << link.lane_bandwidth << ' ' << link.messages << ' ' << link.bytes << ' ' << link.busy
         << ' ' << link.utilisation << ' ' << link.energy << '\n';
  }
  for (auto const& entry : summary.traffic) {
    text << entry.source << '>' << entry.destination << ' ' << entry.messages << ' ' << entry.bytes
         << '\n';
  }
  for (auto const& stage : summary.stages) {
    text << stage.stage << ' ' << stage.accelerator << ' ' << stage.begin << ' ' << stage.end << ' '
         << stage.compute << ' ' << stage.bubble << ' ' << stage.in_flight << ' '
         << stage.weight_versions << '\n';
  }
  EXPECT_FALSE(summary.reasons.value().what_if.empty());
  for (auto const& piece : summary.reasons.value().critical_path) {
    text << piece.begin << ' ' << piece.end << ' ' << piece.task << ' ' << int{piece.cause} << ' '
         << piece.link << '\n';
  }
  return text.str();
}

}  // namespace tessera::test
