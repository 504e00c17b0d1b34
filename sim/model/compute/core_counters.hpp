// What a core unit counts of every computation.
#pragma once

#include <vector>

#include "sim/model/compute/tile_engine.hpp"
#include "sim/model/protocol/core.hpp"
#include "sim/task/task_graph.hpp"

namespace tessera::sim {

class CoreCounters final {
 public:
  void count(Task const& task, TileEngine::Outcome const& outcome, ComputeCost const& cost);
  [[nodiscard]] std::vector<Statistic> const& all() const { return statistics_; }

 private:
  enum Counter : std::size_t {
    busy,
    waited,
    task_macs,
    executed_macs,
    tasks,
    tiles,
    late_tiles,
    buffer_accesses,
    buffer_bytes,
    register_accesses,
    network_words,
    vector_operations,
  };

  std::vector<Statistic> statistics_{{"busy", "ps"},         {"waited", "ps"},
                                     {"macs", "MAC"},        {"executed_macs", "MAC"},
                                     {"tasks", "1"},         {"tiles", "1"},
                                     {"late_tiles", "1"},    {"buffer_accesses", "1"},
                                     {"buffer_bytes", "B"},  {"register_accesses", "1"},
                                     {"network_words", "1"}, {"vector_operations", "1"}};
};

}  // namespace tessera::sim
