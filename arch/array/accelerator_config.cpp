// A processing unit and a memory: simple ones as keys, detailed ones as files of their own.
#include "arch/array/accelerator_config.hpp"

#include "arch/accelerator/core_writer.hpp"
#include "arch/base/config_path.hpp"
#include "arch/base/config_words.hpp"
#include "arch/memory/dram_writer.hpp"

namespace tessera::arch {

namespace {

using MacCount = MacRateUnitSpec::MacCount;
enum class UnitKind { mac_rate, core, profile, model };
enum class MemoryKind { ideal, bandwidth, dram, model };

Names<UnitKind> const unit_kinds = {{"mac-rate", UnitKind::mac_rate},
                                    {"core", UnitKind::core},
                                    {"profile", UnitKind::profile},
                                    {"model", UnitKind::model}};
Names<MacCount> const mac_counts = {{"output-map", MacCount::output_map},
                                    {"input-map", MacCount::input_map}};
Names<bool> const update_charges = {{"charged", true}, {"free", false}};
Names<CoreView> const views = {
    {"core", CoreView::core}, {"chip", CoreView::chip}, {"board", CoreView::board}};
enum class TransferPath { beside_memory, through_memory };
Names<TransferPath> const transfer_paths = {{"beside-memory", TransferPath::beside_memory},
                                            {"through-memory", TransferPath::through_memory}};
Names<MemoryKind> const memory_kinds = {{"ideal", MemoryKind::ideal},
                                        {"bandwidth", MemoryKind::bandwidth},
                                        {"dram", MemoryKind::dram},
                                        {"model", MemoryKind::model}};
enum class Through { local, links };
Names<Through> const ways_to_cube = {{"local", Through::local}, {"links", Through::links}};
constexpr std::int64_t most_outstanding = 1 << 20;  ///< tags of HMC 2.1 have 11 bits for each link

[[nodiscard]] MacRateUnitSpec read_mac_rate(ConfigMap& map) {
  MacRateUnitSpec unit;
  unit.macs_per_cycle = map.required<std::int64_t>("macs_per_cycle");
  if (unit.macs_per_cycle < 1) throw map.node("macs_per_cycle").error("must be 1 or more");
  unit.mac_count = map.choice("mac_count", mac_counts, unit.mac_count);
  unit.charges_update = map.choice("update", update_charges, unit.charges_update);
  return unit;
}

[[nodiscard]] CoreUnitSpec read_core(ConfigMap& map) {
  auto const single = core_from(map.node("core"));
  auto const view = map.choice("view", views, CoreView::core);
  return {viewed(single, view), single, view};
}

[[nodiscard]] ModelledUnitSpec read_modelled_unit(ConfigMap& map) {
  map.require({"model", "macs_per_cycle"});
  ModelledUnitSpec unit{read_model(map), map.required<std::int64_t>("macs_per_cycle")};
  if (unit.macs_per_cycle < 1) throw map.node("macs_per_cycle").error("must be 1 or more");
  return unit;
}

/// The clock of a detailed core is in its own file.
void read_processing_unit(ConfigMap& accelerator_map, AcceleratorSpec& accelerator) {
  auto map = accelerator_map.node("processing_unit").as_map();
  auto const kind = map.choice("kind", unit_kinds);
  if (kind == UnitKind::core) {
    auto const unit = read_core(map);
    accelerator.clock = unit.core.clock;
    accelerator.processing_unit = unit;
  } else {
    accelerator_map.require({"clock", "memory"});
    accelerator.clock = read_clock(accelerator_map);
    if (kind == UnitKind::mac_rate) {
      accelerator.processing_unit = read_mac_rate(map);
    } else if (kind == UnitKind::model) {
      accelerator.processing_unit = read_modelled_unit(map);
    } else {
      accelerator.processing_unit = ProfileUnitSpec{profile_from(map.node("times"))};
    }
  }
  map.finish();
}

/// How requests come to a cube, in the words of `tessera probe memory --through`.
[[nodiscard]] std::optional<DramMemorySpec::Links> read_links(ConfigMap& map,
                                                              DramSpec const& dram) {
  if (map.choice("through", ways_to_cube, Through::local) == Through::local) return std::nullopt;
  if (!dram.hmc) {
    throw map.node("through").error("needs a memory with links (" + dram.name + " is no HMC)");
  }
  if (dram.policy.queues == DramPolicy::Queues::separate) {
    throw map.node("through").error("needs one queue a vault (" + dram.name +
                                    " has separate ones; set policy.queues: shared)");
  }
  DramMemorySpec::Links links;
  links.outstanding = map.optional("outstanding", links.outstanding);
  if (links.outstanding < 1 || links.outstanding > most_outstanding) {
    throw map.node("outstanding").error("must be from 1 to " + std::to_string(most_outstanding));
  }
  return links;
}

[[nodiscard]] DramMemorySpec read_dram_memory(ConfigMap& map) {
  DramMemorySpec memory{dram_from(map.node("dram"))};
  memory.links = read_links(map, memory.dram);
  return memory;
}

void read_memory(ConfigMap map, AcceleratorSpec& accelerator) {
  auto const kind = map.choice("kind", memory_kinds);
  if (kind == MemoryKind::dram) {
    auto const memory = read_dram_memory(map);
    accelerator.memory_capacity = memory.dram.organization.capacity();
    accelerator.memory = memory;
  } else {
    map.require(kind == MemoryKind::ideal   ? Keys{"capacity"}
                : kind == MemoryKind::model ? Keys{"model", "capacity"}
                                            : Keys{"bandwidth", "latency", "capacity"});
    if (kind == MemoryKind::ideal) {
      accelerator.memory = IdealMemorySpec{};
    } else if (kind == MemoryKind::model) {
      accelerator.memory = ModelledMemorySpec{read_model(map)};
    } else {
      accelerator.memory =
          BandwidthMemorySpec{positive<Bandwidth>(map, "bandwidth"), read_latency(map)};
    }
    accelerator.memory_capacity = positive<Bytes>(map, "capacity");
  }
  map.finish();
}

struct UnitWriter {
  ConfigNode operator()(MacRateUnitSpec const& unit) const {
    auto node = ConfigNode::map();
    return node.add("kind", name_of(unit_kinds, UnitKind::mac_rate))
        .add("macs_per_cycle", std::to_string(unit.macs_per_cycle))
        .add("mac_count", name_of(mac_counts, unit.mac_count))
        .add("update", name_of(update_charges, unit.charges_update));
  }
  ConfigNode operator()(CoreUnitSpec const& unit) const {
    auto node = ConfigNode::map();
    return node.add("kind", name_of(unit_kinds, UnitKind::core))
        .add("core", to_config(unit.single))
        .add("view", name_of(views, unit.view));
  }
  ConfigNode operator()(ProfileUnitSpec const& unit) const {
    auto node = ConfigNode::map();
    return node.add("kind", name_of(unit_kinds, UnitKind::profile))
        .add("times", to_config(unit.profile));
  }
  ConfigNode operator()(ModelledUnitSpec const& unit) const {
    auto node = ConfigNode::map();
    return node.add("kind", name_of(unit_kinds, UnitKind::model))
        .add("model", unit.model.name.text())
        .add("macs_per_cycle", std::to_string(unit.macs_per_cycle))
        .add("keys", unit.model.keys);
  }
};

struct MemoryWriter {
  AcceleratorSpec const& accelerator;

  ConfigNode operator()(IdealMemorySpec const& /*memory*/) const {
    auto node = ConfigNode::map();
    return node.add("kind", name_of(memory_kinds, MemoryKind::ideal))
        .add("capacity", to_text(accelerator.memory_capacity));
  }
  ConfigNode operator()(BandwidthMemorySpec const& memory) const {
    auto node = ConfigNode::map();
    return node.add("kind", name_of(memory_kinds, MemoryKind::bandwidth))
        .add("bandwidth", to_text(memory.bandwidth))
        .add("latency", to_text(memory.latency))
        .add("capacity", to_text(accelerator.memory_capacity));
  }
  ConfigNode operator()(DramMemorySpec const& memory) const {
    auto node = ConfigNode::map();
    node.add("kind", name_of(memory_kinds, MemoryKind::dram)).add("dram", to_config(memory.dram));
    if (!memory.dram.hmc) return node;
    node.add("through", name_of(ways_to_cube, memory.links ? Through::links : Through::local));
    if (memory.links) node.add("outstanding", std::to_string(memory.links->outstanding));
    return node;
  }
  ConfigNode operator()(ModelledMemorySpec const& memory) const {
    auto node = ConfigNode::map();
    return node.add("kind", name_of(memory_kinds, MemoryKind::model))
        .add("model", memory.model.name.text())
        .add("capacity", to_text(accelerator.memory_capacity))
        .add("keys", memory.model.keys);
  }
};

using ReadFile = ConfigNode (*)(std::string const& name, std::vector<std::string> const& overrides);
using ListFiles = std::vector<BuiltinEntry> (*)();

/// Measured times are the user's own.
std::vector<BuiltinEntry> no_builtins() { return {}; }

/// The file of the core, memory or profile that a scalar names. An unknown name is an error at the
/// scalar.
[[nodiscard]] ConfigNode file_named(ConfigNode const& scalar, ReadFile read, ListFiles builtins) {
  try {
    return read(name_or_path(scalar, builtins), {});
  } catch (ConfigError const& problem) {
    if (!problem.where().file.empty()) throw;
    throw scalar.error(problem.problem());
  }
}

/// Where transfers contend with tiles for a memory, both must ask it piece by piece.
void read_transfers(ConfigMap& accelerator_map, AcceleratorSpec& accelerator) {
  auto const* const transfers = accelerator_map.find("transfers");
  if (transfers == nullptr) return;
  auto map = transfers->as_map();
  if (map.choice("path", transfer_paths) == TransferPath::through_memory) {
    bool const has_tiles = std::holds_alternative<CoreUnitSpec>(accelerator.processing_unit);
    auto const* const memory = std::get_if<DramMemorySpec>(&accelerator.memory);
    if (!has_tiles || memory == nullptr) {
      throw map.node("path").error(
          "through-memory needs a processing unit of kind core and a memory of kind dram");
    }
    if (accelerator.reduce_bandwidth) {
      throw accelerator_map.node("reduce").error(
          "is for transfers beside the memory; through it, sums are read and written there");
    }
    auto const block = positive<Bytes>(map, "block");
    if (block < memory->dram.block()) {
      throw map.node("block").error("is less than a block of the memory (" +
                                    to_text(memory->dram.block()) + ")");
    }
    accelerator.transfer_block = block;
  }
  map.finish();
}

}  // namespace

AcceleratorSpec read_accelerator(ConfigMap map) {
  AcceleratorSpec accelerator;
  if (map.find("processing_unit") == nullptr) map.require({"processing_unit", "memory"});
  read_processing_unit(map, accelerator);
  read_memory(map.node("memory").as_map(), accelerator);
  accelerator.dispatch_latency = read_latency_cycles(map, "dispatch");
  if (auto const* const reduce = map.find("reduce")) {
    auto rate = reduce->as_map();
    accelerator.reduce_bandwidth = positive<Bandwidth>(rate, "bandwidth");
    rate.finish();
  }
  read_transfers(map, accelerator);
  map.finish();
  return accelerator;
}

ConfigNode accelerator_config(AcceleratorSpec const& accelerator) {
  auto node = ConfigNode::map();
  if (!std::holds_alternative<CoreUnitSpec>(accelerator.processing_unit)) {
    node.add("clock", to_text(accelerator.clock));
  }
  node.add("processing_unit", std::visit(UnitWriter{}, accelerator.processing_unit))
      .add("memory", std::visit(MemoryWriter{accelerator}, accelerator.memory));
  write_latency_cycles(node, "dispatch", accelerator.dispatch_latency);
  if (accelerator.reduce_bandwidth) {
    auto reduce = ConfigNode::map();
    node.add("reduce", reduce.add("bandwidth", to_text(*accelerator.reduce_bandwidth)));
  }
  if (accelerator.transfer_block) {
    auto transfers = ConfigNode::map();
    transfers.add("path", name_of(transfer_paths, TransferPath::through_memory));
    node.add("transfers", transfers.add("block", to_text(*accelerator.transfer_block)));
  }
  return node;
}

void expand_components(ConfigNode& array) {
  array = array.with_scalars([](std::string const& key, ConfigNode const& scalar) {
    if (key == "core") return file_named(scalar, core_config, builtin_cores);
    if (key == "times") return file_named(scalar, profile_config, no_builtins);
    return key == "dram" ? file_named(scalar, dram_config, builtin_memories) : scalar;
  });
}

}  // namespace tessera::arch
