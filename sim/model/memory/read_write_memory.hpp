// A memory that reads and writes at bandwidths of their own: phase-change and flash memories write more slowly than they read.
#pragma once

#include <algorithm>
#include <vector>

#include "arch/base/config.hpp"
#include "sim/model/memory/memory.hpp"

namespace tessera::sim {

/// Keys: read_bandwidth, write_bandwidth, latency. Serves one request after another; each is done
/// `latency` after the memory has moved it. In an array's file:
///
///   memory: {kind: model, model: read-write, capacity: 64 GiB,
///            keys: {read_bandwidth: 40 GB/s, write_bandwidth: 14 GB/s, latency: 300 ns}}
///
/// Leaves out: banks, buffers, wear.
class ReadWriteMemory final : public Memory {
 public:
  ReadWriteMemory(ConfigMap& keys, MemoryParts const& parts)
      : Memory{parts.clock, parts.graph},
        read_{bandwidth(keys, "read_bandwidth")},
        write_{bandwidth(keys, "write_bandwidth")},
        latency_{keys.required<Time>("latency")},
        utilisation_{parts.utilisation} {}

  [[nodiscard]] Time transfer(Time at, Transfer const& transfer) override {
    auto const start = std::max(at, free_);
    free_ = start + transfer.size / (transfer.access == Access::read ? read_ : write_);
    utilisation_.add(start, free_);
    counters_.count(transfer.access, transfer.size, free_ - start);
    return free_ + latency_;
  }

  void serialize(Time now, StateWriter& out) const override { out.put_future(free_, now); }
  [[nodiscard]] char const* kind() const override { return "read-write memory"; }
  [[nodiscard]] std::vector<Statistic> const& statistics() const override {
    return counters_.all();
  }

 private:
  static Bandwidth bandwidth(ConfigMap& keys, std::string const& key) {
    auto const value = keys.required<Bandwidth>(key);
    if (value == Bandwidth{0}) throw keys.node(key).error("must be more than 0");
    return value;
  }

  Bandwidth read_, write_;
  Time latency_;
  BusyHistogram& utilisation_;
  Time free_{0};  ///< when the last request so far stops occupying the memory
  MemoryCounters counters_;
};

}  // namespace tessera::sim
