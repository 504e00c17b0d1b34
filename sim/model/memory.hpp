// The accelerator's memory: what all models of it share, and the choice among them.
#pragma once

#include <memory>
#include <vector>

#include "arch/array_spec.hpp"
#include "sim/model/busy_histogram.hpp"
#include "sim/model/core.hpp"

namespace tessera::sim {

/// The ports of every memory.
struct MemoryPorts {
  enum In : Port { from_dispatcher };
  enum Out : Port { to_dispatcher };
  static constexpr Port inputs = 1;
  static constexpr Port outputs = 1;
};

/// The counters of every memory. A word has 32 bits; each task is rounded up to whole words.
class MemoryCounters final {
 public:
  /// One load or store that keeps the memory busy for `busy`.
  void count(Task const& task, Time busy);
  [[nodiscard]] std::vector<Statistic> const& all() const { return statistics_; }

 private:
  enum Counter : std::size_t { busy_time, bytes_read, bytes_written, words };
  std::vector<Statistic> statistics_{
      {"busy", "ps"}, {"bytes_read", "B"}, {"bytes_written", "B"}, {"words", "1"}};
};

/// The 32-bit words that `bytes` fill, the last one perhaps partly.
[[nodiscard]] std::int64_t words_of(Bytes bytes);

/// The model that `spec` names.
[[nodiscard]] std::unique_ptr<Core> make_memory(arch::MemorySpec const& spec, Clock clock,
                                                TaskGraph const& graph, BusyHistogram& utilisation);

}  // namespace tessera::sim
