// What a link of the array carried, and when.
#pragma once

#include <vector>

#include "sim/model/memory/memory.hpp"
#include "sim/model/protocol/core.hpp"
#include "sim/model/record/busy_histogram.hpp"

namespace tessera::sim {

class LinkMeter final {
 public:
  explicit LinkMeter(BusyHistogram& utilisation) : utilisation_{utilisation} {}

  /// By what it carries; of packets whose flits interleave, by all of them together.
  void keep_busy(Time begin, Time end) {
    utilisation_.add(begin, end);
    statistics_[busy].add((end - begin).value());
  }
  /// For as long as a record says, `by` later.
  void keep_busy(BusyIntervals const& before, Time by) {
    utilisation_.add(before, by);
    statistics_[busy].add(before.total().value());
  }
  /// From now on the utilisation is also written down, until take_record().
  void record() { utilisation_.record(); }
  [[nodiscard]] BusyIntervals take_record() { return utilisation_.take_record(); }
  void count(Bytes carried, std::int64_t times = 1) {
    statistics_[messages].add(times);
    statistics_[bytes].add(times * carried.value());
    statistics_[words].add(times * words_of(carried));
  }
  [[nodiscard]] std::vector<Statistic> const& statistics() const { return statistics_; }

 private:
  enum Counter : std::size_t { busy, messages, bytes, words };

  BusyHistogram& utilisation_;
  std::vector<Statistic> statistics_{
      {"busy", "ps"}, {"messages", "1"}, {"bytes", "B"}, {"words", "1"}};
};

}  // namespace tessera::sim
