// The table of contents of memory models.
#include "sim/model/memory.hpp"

#include "sim/model/bandwidth_memory.hpp"
#include "sim/model/ideal_memory.hpp"

namespace tessera::sim {

void MemoryCounters::count(Task const& task, Time busy) {
  bool const reads = task.kind == TaskKind::load;
  statistics_[busy_time].add(busy.value());
  statistics_[reads ? bytes_read : bytes_written].add(task.bytes.value());
  statistics_[words].add(words_of(task.bytes));
}

std::int64_t words_of(Bytes bytes) {
  constexpr std::int64_t word = 4;
  return detail::multiply_divide_ceil(bytes.value(), 1, word);
}

namespace {

struct MemoryMaker {
  Clock const& clock;
  TaskGraph const& graph;
  BusyHistogram& utilisation;

  std::unique_ptr<Core> operator()(arch::IdealMemorySpec const& /*spec*/) const {
    return std::make_unique<IdealMemory>(clock, graph);
  }
  std::unique_ptr<Core> operator()(arch::BandwidthMemorySpec const& spec) const {
    return std::make_unique<BandwidthMemory>(spec, clock, graph, utilisation);
  }
};

}  // namespace

std::unique_ptr<Core> make_memory(arch::MemorySpec const& spec, Clock clock, TaskGraph const& graph,
                                  BusyHistogram& utilisation) {
  return std::visit(MemoryMaker{clock, graph, utilisation}, spec);
}

}  // namespace tessera::sim
