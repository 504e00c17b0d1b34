#include "sim/model/compute/core_counters.hpp"

namespace tessera::sim {

void CoreCounters::count(Task const& task, TileEngine::Outcome const& outcome,
                         ComputeCost const& cost) {
  statistics_[busy].add(outcome.computed.value());
  statistics_[waited].add(outcome.waited.value());
  statistics_[task_macs].add(task.macs.value());
  statistics_[executed_macs].add(cost.executed.value());
  statistics_[tasks].add(1);
  statistics_[tiles].add(outcome.tiles);
  statistics_[late_tiles].add(outcome.late_tiles);
  statistics_[buffer_accesses].add(cost.accesses.value());
  statistics_[buffer_bytes].add(cost.buffer_traffic.value());
  statistics_[register_accesses].add(cost.register_accesses.value());
  statistics_[network_words].add(cost.network_words.value());
  statistics_[vector_operations].add(cost.vector_operations);
}

}  // namespace tessera::sim
