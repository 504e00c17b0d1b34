// The table of contents of memory models.
#include "sim/model/memory/memory.hpp"

#include "sim/model/memory/bandwidth_memory.hpp"
#include "sim/model/memory/cube_memory.hpp"
#include "sim/model/memory/dram_memory.hpp"
#include "sim/model/memory/ideal_memory.hpp"
#include "sim/model/memory/read_write_memory.hpp"

namespace tessera::sim {

void MemoryCounters::count(Access access, Bytes size, Time busy) {
  statistics_[busy_time].add(busy.value());
  statistics_[access == Access::read ? bytes_read : bytes_written].add(size.value());
  statistics_[words].add(words_of(size));
}

Memory::Result Memory::perform(Task const& task, Time now) {
  return {transfer(now, {access_of(task), Bytes{0}, task.bytes})};
}

Time Memory::transfer_of_link(Time now, Access access, Bytes size) {
  if (master_ != nullptr) master_->ask_before(now);
  auto const end = transfer(now, {access, next_of_links_, size});
  next_of_links_ += size;
  return end;
}

void Memory::call_through(std::size_t channel, MemoryChannel& /*caller*/) {
  EXPECTS(channel < inside().simulated.size(), channel);
}

Access access_of(Task const& task) {
  return task.kind == TaskKind::load ? Access::read : Access::write;
}

std::int64_t words_of(Bytes bytes) { return ceil_ratio(bytes, Bytes{4}); }

namespace {

struct MemoryMaker {
  MemoryParts const& parts;
  MemoryModels const& models;

  std::unique_ptr<Memory> operator()(arch::IdealMemorySpec const& /*spec*/) const {
    return std::make_unique<IdealMemory>(parts.clock, parts.graph);
  }
  std::unique_ptr<Memory> operator()(arch::BandwidthMemorySpec const& spec) const {
    return std::make_unique<BandwidthMemory>(spec, parts.clock, parts.graph, parts.utilisation);
  }
  std::unique_ptr<Memory> operator()(arch::DramMemorySpec const& spec) const {
    if (spec.links) return std::make_unique<CubeMemory>(spec, parts);
    return std::make_unique<DramMemory>(spec.dram, parts);
  }
  std::unique_ptr<Memory> operator()(arch::ModelledMemorySpec const& spec) const {
    return make_model(models, spec.model, parts);
  }
};

}  // namespace

MemoryModels builtin_memory_models() {
  MemoryModels models{"memory model"};
  models.add<ReadWriteMemory>("read-write", "reads and writes at bandwidths of their own");
  return models;
}

std::unique_ptr<Memory> make_memory(arch::MemorySpec const& spec, MemoryParts const& parts,
                                    MemoryModels const& models) {
  return std::visit(MemoryMaker{parts, models}, spec);
}

}  // namespace tessera::sim
