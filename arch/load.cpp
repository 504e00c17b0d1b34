// Reading and writing of tessera.array/1.
#include "arch/load.hpp"

#include "arch/base/builtin_config.hpp"

namespace tessera::arch {

std::vector<BuiltinConfig> preset_files();  // arch/presets, by tessera_embed()

namespace {

constexpr char const* schema = "tessera.array/1";
constexpr std::int64_t most_accelerators = 4096;

using MacCount = MacRateUnitSpec::MacCount;
using Topology = FabricSpec::Topology;
using Overlap = ExecutionSpec::Overlap;
enum class UnitKind { mac_rate };
enum class MemoryKind { ideal, bandwidth };

template <typename Enum>
using Names = std::vector<std::pair<std::string, Enum>>;

// The words of the file, in both directions.
Names<UnitKind> const unit_kinds = {{"mac-rate", UnitKind::mac_rate}};
Names<MacCount> const mac_counts = {{"output-map", MacCount::output_map},
                                    {"input-map", MacCount::input_map}};
Names<bool> const update_charges = {{"charged", true}, {"free", false}};
Names<MemoryKind> const memory_kinds = {{"ideal", MemoryKind::ideal},
                                        {"bandwidth", MemoryKind::bandwidth}};
Names<Topology> const topologies = {{"htree", Topology::htree}, {"torus", Topology::torus}};
Names<Overlap> const overlaps = {{"none", Overlap::none},
                                 {"communication", Overlap::communication}};
Names<bool> const local_memories = {{"counted", true}, {"ignored", false}};

template <typename Enum>
[[nodiscard]] std::string name_of(Names<Enum> const& names, Enum value) {
  for (auto const& [name, entry] : names) {
    if (entry == value) return name;
  }
  EXPECTS(false, static_cast<int>(value));
  return {};
}

/// A quantity that a model divides by.
template <typename Q>
[[nodiscard]] Q positive(ConfigMap& map, std::string const& key) {
  auto const value = map.required<Q>(key);
  if (!(value > Q{0})) throw map.node(key).error("is zero; it must be more");
  return value;
}

[[nodiscard]] Frequency read_clock(ConfigMap& map) {
  auto const frequency = positive<Frequency>(map, "clock");
  if (frequency > Frequency{picoseconds_per_second}) {
    throw map.node("clock").error("is over 1 THz (time is counted in picoseconds)");
  }
  return frequency;
}

[[nodiscard]] Time read_latency(ConfigMap& map) {
  auto const latency = map.required<Time>("latency");
  if (latency > Time{picoseconds_per_second}) {
    throw map.node("latency").error("is over 1 s (no link or memory is that slow)");
  }
  return latency;
}

[[nodiscard]] std::int64_t read_accelerators(ConfigMap& map) {
  auto const count = map.required<std::int64_t>("accelerators");
  bool const is_power_of_two = count > 0 && (count & (count - 1)) == 0;
  if (!is_power_of_two || count > most_accelerators) {
    throw map.node("accelerators")
        .error(std::to_string(count) +
               " accelerators do not form a binary hierarchy; use a power of two from 1 to " +
               std::to_string(most_accelerators));
  }
  return count;
}

[[nodiscard]] MacRateUnitSpec read_processing_unit(ConfigMap map) {
  MacRateUnitSpec unit;
  static_cast<void>(map.choice("kind", unit_kinds));
  unit.macs_per_cycle = map.required<std::int64_t>("macs_per_cycle");
  if (unit.macs_per_cycle < 1) throw map.node("macs_per_cycle").error("must be 1 or more");
  unit.mac_count = map.choice("mac_count", mac_counts, unit.mac_count);
  unit.charges_update = map.choice("update", update_charges, unit.charges_update);
  map.finish();
  return unit;
}

void read_memory(ConfigMap map, AcceleratorSpec& accelerator) {
  if (map.choice("kind", memory_kinds) == MemoryKind::ideal) {
    accelerator.memory = IdealMemorySpec{};
  } else {
    accelerator.memory =
        BandwidthMemorySpec{positive<Bandwidth>(map, "bandwidth"), read_latency(map)};
  }
  accelerator.memory_capacity = positive<Bytes>(map, "capacity");
  map.finish();
}

[[nodiscard]] AcceleratorSpec read_accelerator(ConfigMap map) {
  AcceleratorSpec accelerator;
  accelerator.clock = read_clock(map);
  accelerator.processing_unit = read_processing_unit(map.node("processing_unit").as_map());
  read_memory(map.node("memory").as_map(), accelerator);
  map.finish();
  return accelerator;
}

[[nodiscard]] FabricSpec read_fabric(ConfigMap map) {
  FabricSpec fabric;
  fabric.topology = map.choice("topology", topologies);
  fabric.clock = read_clock(map);
  auto link = map.node("link").as_map();
  fabric.bandwidth = positive<Bandwidth>(link, "bandwidth");
  fabric.latency = read_latency(link);
  link.finish();
  map.finish();
  return fabric;
}

[[nodiscard]] ExecutionSpec read_execution(ConfigMap map) {
  ExecutionSpec execution;
  execution.overlap = map.choice("overlap", overlaps, execution.overlap);
  map.finish();
  return execution;
}

[[nodiscard]] EnergyTable read_energy(ConfigMap map) {
  EnergyTable energy;
  energy.multiply = map.required<Energy>("multiply");
  energy.add = map.required<Energy>("add");
  energy.buffer_access = map.required<Energy>("buffer_access");
  energy.memory_access = map.required<Energy>("memory_access");
  energy.link_word = map.required<Energy>("link_word");
  energy.counts_local_memory =
      map.choice("local_memory", local_memories, energy.counts_local_memory);
  auto& accesses = energy.memory_accesses_per_exchanged_word;
  accesses = map.optional("exchanged_word_accesses", accesses);
  if (accesses < 0) throw map.node("exchanged_word_accesses").error("must be 0 or more");
  map.finish();
  return energy;
}

/// The finest lane must be a whole number of bit/s, or the lanes would not add up to the links.
void check_lanes(ArraySpec const& array, ConfigNode const& bandwidth) {
  auto const lanes = array.lanes_at_root();
  auto const whole = array.fabric.bandwidth.value();
  if (whole % lanes == 0) return;
  auto const below = whole / lanes * lanes;
  throw bandwidth.error(in_quotes(to_text(array.fabric.bandwidth)) + " does not divide into " +
                        std::to_string(lanes) + " lanes of a whole number of b/s (" +
                        std::to_string(array.accelerators) + " accelerators); use " +
                        std::to_string(below + lanes) + " b/s");
}

/// The presets that are arrays; memories and cores have folders of their own.
[[nodiscard]] std::vector<BuiltinConfig> array_files() { return files_in("", preset_files()); }

[[nodiscard]] ConfigNode write_memory(AcceleratorSpec const& accelerator) {
  auto node = ConfigNode::map();
  if (auto const* const memory = std::get_if<BandwidthMemorySpec>(&accelerator.memory)) {
    node.add("kind", name_of(memory_kinds, MemoryKind::bandwidth))
        .add("bandwidth", to_text(memory->bandwidth))
        .add("latency", to_text(memory->latency));
  } else {
    node.add("kind", name_of(memory_kinds, MemoryKind::ideal));
  }
  return node.add("capacity", to_text(accelerator.memory_capacity));
}

[[nodiscard]] ConfigNode write_accelerator(AcceleratorSpec const& accelerator) {
  auto const& unit = accelerator.processing_unit;
  auto unit_node = ConfigNode::map();
  unit_node.add("kind", name_of(unit_kinds, UnitKind::mac_rate))
      .add("macs_per_cycle", std::to_string(unit.macs_per_cycle))
      .add("mac_count", name_of(mac_counts, unit.mac_count))
      .add("update", name_of(update_charges, unit.charges_update));
  auto node = ConfigNode::map();
  return node.add("clock", to_text(accelerator.clock))
      .add("processing_unit", std::move(unit_node))
      .add("memory", write_memory(accelerator));
}

[[nodiscard]] ConfigNode write_fabric(FabricSpec const& fabric) {
  auto link = ConfigNode::map();
  link.add("bandwidth", to_text(fabric.bandwidth)).add("latency", to_text(fabric.latency));
  auto node = ConfigNode::map();
  return node.add("topology", name_of(topologies, fabric.topology))
      .add("clock", to_text(fabric.clock))
      .add("link", std::move(link));
}

[[nodiscard]] ConfigNode write_energy(EnergyTable const& energy) {
  auto node = ConfigNode::map();
  return node.add("multiply", to_text(energy.multiply))
      .add("add", to_text(energy.add))
      .add("buffer_access", to_text(energy.buffer_access))
      .add("memory_access", to_text(energy.memory_access))
      .add("link_word", to_text(energy.link_word))
      .add("local_memory", name_of(local_memories, energy.counts_local_memory))
      .add("exchanged_word_accesses", std::to_string(energy.memory_accesses_per_exchanged_word));
}

}  // namespace

ArraySpec array_from(ConfigNode const& node) {
  auto map = node.as_map();
  map.expect_schema(schema, "an array");
  ArraySpec array;
  array.name = map.required<std::string>("name");
  array.description = map.optional<std::string>("description", {});
  array.accelerators = read_accelerators(map);
  array.accelerator = read_accelerator(map.node("accelerator").as_map());
  array.fabric = read_fabric(map.node("fabric").as_map());
  if (auto const* const execution = map.find("execution")) {
    array.execution = read_execution(execution->as_map());
  }
  array.energy = read_energy(map.node("energy").as_map());
  map.finish();
  check_lanes(array, node.as_map().node("fabric").as_map().node("link").as_map().node("bandwidth"));
  return array;
}

ConfigNode to_config(ArraySpec const& spec) {
  auto execution = ConfigNode::map();
  execution.add("overlap", name_of(overlaps, spec.execution.overlap));
  auto node = ConfigNode::map();
  return node.add("schema", schema)
      .add("name", spec.name)
      .add("description", spec.description)
      .add("accelerators", std::to_string(spec.accelerators))
      .add("accelerator", write_accelerator(spec.accelerator))
      .add("fabric", write_fabric(spec.fabric))
      .add("execution", std::move(execution))
      .add("energy", write_energy(spec.energy));
}

ArraySpec load(std::string const& name_or_path, std::vector<std::string> const& overrides) {
  return array_from(load_config({"array", "arch", array_files()}, name_or_path, overrides));
}

std::vector<BuiltinEntry> builtin_arrays() { return described(array_files()); }

}  // namespace tessera::arch
