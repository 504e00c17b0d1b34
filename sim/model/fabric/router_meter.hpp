// What passed through a router of the array.
#pragma once

#include <vector>

#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

class RouterMeter final {
 public:
  void count(Bytes passed, std::int64_t times = 1) {
    statistics_[messages].add(times);
    statistics_[bytes].add(times * passed.value());
  }
  [[nodiscard]] std::vector<Statistic> const& statistics() const { return statistics_; }

 private:
  enum Counter : std::size_t { messages, bytes };

  std::vector<Statistic> statistics_{{"messages", "1"}, {"bytes", "B"}};
};

}  // namespace tessera::sim
