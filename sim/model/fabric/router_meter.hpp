// What passed through a router of the array.
#pragma once

#include <vector>

#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

class RouterMeter final {
 public:
  void count(Bytes passed) {
    statistics_[messages].add(1);
    statistics_[bytes].add(passed.value());
  }
  [[nodiscard]] std::vector<Statistic> const& statistics() const { return statistics_; }

 private:
  enum Counter : std::size_t { messages, bytes };

  std::vector<Statistic> statistics_{{"messages", "1"}, {"bytes", "B"}};
};

}  // namespace tessera::sim
