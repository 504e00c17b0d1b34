// A memory with one bandwidth and one latency.
#pragma once

#include <vector>

#include "sim/model/memory/memory.hpp"

namespace tessera::sim {

/// Serves loads and stores in order of arrival. Each keeps the memory busy for bytes / bandwidth;
/// it is done `latency` after that, and the dispatcher hears of it one clock later. Latencies
/// overlap with the next request. The numbers are the array's (arch/presets cites them).
///
/// Leaves out: banks, rows, refresh, read/write turnaround.
class BandwidthMemory final : public Memory {
 public:
  BandwidthMemory(arch::BandwidthMemorySpec const& spec, MessageClock clock, TaskGraph const& graph,
                  BusyHistogram& utilisation);

  [[nodiscard]] Time transfer(Time at, Transfer const& transfer) override;

  void serialize(Time now, StateWriter& out) const override;
  [[nodiscard]] char const* kind() const override { return "memory of a bandwidth"; }
  [[nodiscard]] std::vector<Statistic> const& statistics() const override {
    return counters_.all();
  }

 private:
  arch::BandwidthMemorySpec spec_;
  BusyHistogram& utilisation_;

  Time free_{0};  ///< when the last request so far stops occupying the memory
  MemoryCounters counters_;
};

}  // namespace tessera::sim
