#include "sim/model/compute/timed_unit.hpp"

namespace tessera::sim {

TimedUnit::Result TimedUnit::compute(Task const& task, Cycles first) {
  Time const start = clock().edge(first);
  Time const end = clock().edge(first + length_of(task));

  utilisation_.add(start, end);
  statistics_[busy].add((end - start).value());
  statistics_[task_macs].add(task.macs.value());
  statistics_[tasks].add(1);
  statistics_[buffer_accesses].add(task.buffer_accesses.value());
  return {end};
}

}  // namespace tessera::sim
