// A memory with one bandwidth and one latency.
#pragma once

#include <vector>

#include "sim/model/memory.hpp"

namespace tessera::sim {

/// Serves loads and stores in order of arrival. Each keeps the memory busy for bytes / bandwidth;
/// it is done `latency` after that, and the dispatcher hears of it one clock later. Latencies
/// overlap with the next request. The numbers are the array's (arch/presets cites them).
///
/// Leaves out: banks, rows, refresh, read/write turnaround.
class BandwidthMemory final : public Memory {
 public:
  BandwidthMemory(arch::BandwidthMemorySpec const& spec, Clock clock, TaskGraph const& graph,
                  BusyHistogram& utilisation);

  void push(Time now, Port port, Message const& message) override;
  [[nodiscard]] std::optional<Time> advance(Time now, Outbox& out) override;

  [[nodiscard]] Time transfer(Time at, Transfer const& transfer) override;

  void serialize(Time now, StateWriter& out) const override;
  void shift(Time by) override { free_ += by; }
  [[nodiscard]] std::vector<Statistic> const& statistics() const override {
    return counters_.all();
  }

 private:
  void serve(Message const& issue, Time now, Outbox& out);

  arch::BandwidthMemorySpec spec_;
  Clock clock_;
  TaskGraph const& graph_;
  BusyHistogram& utilisation_;

  Time free_{0};  ///< when the last request so far stops occupying the memory
  std::vector<Message> arrived_;
  MemoryCounters counters_;
};

}  // namespace tessera::sim
