// What a link of the array carried, and when.
#pragma once

#include <vector>

#include "sim/model/busy_histogram.hpp"
#include "sim/model/core.hpp"
#include "sim/model/memory.hpp"

namespace tessera::sim {

class LinkMeter final {
 public:
  explicit LinkMeter(BusyHistogram& utilisation) : utilisation_{utilisation} {}

  /// A message or a packet that kept it busy from `begin` to `end`.
  void add(Time begin, Time end, Bytes carried) {
    utilisation_.add(begin, end);
    statistics_[busy].add((end - begin).value());
    statistics_[messages].add(1);
    statistics_[bytes].add(carried.value());
    statistics_[words].add(words_of(carried));
  }
  [[nodiscard]] std::vector<Statistic> const& statistics() const { return statistics_; }

 private:
  enum Counter : std::size_t { busy, messages, bytes, words };

  BusyHistogram& utilisation_;
  std::vector<Statistic> statistics_{
      {"busy", "ps"}, {"messages", "1"}, {"bytes", "B"}, {"words", "1"}};
};

}  // namespace tessera::sim
