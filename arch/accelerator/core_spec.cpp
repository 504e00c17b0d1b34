// Reading of tessera.core/1.
#include "arch/accelerator/core_spec.hpp"

#include <array>

#include "arch/accelerator/core_words.hpp"
#include "arch/base/builtin_config.hpp"
#include "arch/base/config_name.hpp"
#include "arch/base/config_words.hpp"

namespace tessera::arch {

std::vector<BuiltinConfig> preset_files();  // arch/presets, by tessera_embed()

namespace {

constexpr std::int64_t most = 1 << 20;  ///< of anything that is counted; keeps products in range

using detail::CoreKind;

[[nodiscard]] std::int64_t count(ConfigMap& map, std::string const& key) {
  auto const value = map.required<std::int64_t>(key);
  if (value < 1 || value > most) {
    throw map.node(key).error("must be from 1 to " + std::to_string(most));
  }
  return value;
}

[[nodiscard]] std::int64_t count(ConfigMap& map, std::string const& key, std::int64_t fallback) {
  return map.find(key) == nullptr ? fallback : count(map, key);
}

[[nodiscard]] SystolicArraySpec read_array(ConfigMap map) {
  SystolicArraySpec array;
  map.require({"rows", "columns", "dataflow", "schedule"}, {"arrays", "operands"});
  array.rows = count(map, "rows");
  array.columns = count(map, "columns");
  array.arrays = count(map, "arrays", array.arrays);
  array.dataflow = map.choice("dataflow", detail::dataflows);
  array.schedule = map.choice("schedule", detail::schedules);
  array.operands = map.choice("operands", detail::operand_orders, array.operands);
  map.finish();
  return array;
}

[[nodiscard]] VectorUnitSpec read_vector(ConfigMap map) {
  map.require({"lanes", "sublanes", "alus", "loads", "stores"});
  VectorUnitSpec const vector{count(map, "lanes"), count(map, "sublanes"), count(map, "alus"),
                              count(map, "loads"), count(map, "stores")};
  map.finish();
  return vector;
}

[[nodiscard]] ScratchpadSpec read_scratchpad(ConfigMap map) {
  map.require({"capacity", "banks"});
  ScratchpadSpec const scratchpad{positive<Bytes>(map, "capacity"), count(map, "banks")};
  if (scratchpad.capacity.value() % scratchpad.banks != 0) {
    throw map.node("banks").error("do not divide the capacity evenly (" +
                                  to_text(scratchpad.capacity) + ")");
  }
  map.finish();
  return scratchpad;
}

[[nodiscard]] TilePadding read_padding(ConfigMap map) {
  map.require({"samples", "m", "n", "k"});
  TilePadding const padding{count(map, "samples"), count(map, "m"), count(map, "n"),
                            count(map, "k")};
  map.finish();
  return padding;
}

[[nodiscard]] FormatEnergy read_format_energy(ConfigMap map) {
  map.require({"multiply", "add"});
  FormatEnergy const energy{map.required<Energy>("multiply"), map.required<Energy>("add")};
  map.finish();
  return energy;
}

/// Of the format that the core computes in, and of those that the file gives so that an override
/// can choose another.
[[nodiscard]] SystolicCoreEnergy read_systolic_energy(ConfigMap map, NumberFormat format) {
  SystolicCoreEnergy energy;
  map.require({name(format), "vector_operation", "scratchpad_byte", "memory_byte"},
              {"fp32", "bf16", "int8"});
  for (auto const& [key, known] : detail::formats) {
    if (auto const* const node = map.find(key)) {
      energy.formats[static_cast<std::size_t>(known)] = read_format_energy(node->as_map());
    }
  }
  energy.vector_operation = map.required<Energy>("vector_operation");
  energy.scratchpad_byte = map.required<Energy>("scratchpad_byte");
  energy.memory_byte = map.required<Energy>("memory_byte");
  map.finish();
  return energy;
}

[[nodiscard]] Time read_kernel_start(ConfigMap& map) {
  auto const start = map.optional<Time>("kernel_start", Time{0});
  if (start > Time{picoseconds_per_second}) throw map.node("kernel_start").error("is over 1 s");
  return start;
}

[[nodiscard]] SystolicCoreSpec read_systolic(ConfigMap& map) {
  SystolicCoreSpec core;
  core.array = read_array(map.node("array").as_map());
  core.vector = read_vector(map.node("vector").as_map());
  core.scratchpad = read_scratchpad(map.node("scratchpad").as_map());
  if (auto const* const padding = map.find("padding")) {
    core.padding = read_padding(padding->as_map());
  }
  core.format = map.choice("format", detail::formats);
  core.memory_bandwidth = positive<Bandwidth>(map, "memory_bandwidth");
  core.energy = read_systolic_energy(map.node("energy").as_map(), core.format);
  return core;
}

[[nodiscard]] RowStationaryEnergy read_row_stationary_energy(ConfigMap map) {
  RowStationaryEnergy energy;
  map.require({"mac", "register_file", "network", "buffer", "memory", "cycle", "gated_share"});
  energy.mac = map.required<Energy>("mac");
  energy.register_file = map.required<Energy>("register_file");
  energy.network = map.required<Energy>("network");
  energy.buffer = map.required<Energy>("buffer");
  energy.memory = map.required<Energy>("memory");
  energy.cycle = map.required<Energy>("cycle");
  energy.gated_share = map.required<double>("gated_share");
  if (!(energy.gated_share >= 0 && energy.gated_share <= 1)) {
    throw map.node("gated_share").error("must be from 0 to 1");
  }
  map.finish();
  return energy;
}

/// The three kinds of data, in the words of a PE's scratchpads or of the networks.
template <typename Words>
[[nodiscard]] Words read_words(ConfigMap map) {
  map.require({"filter", "ifmap", "psum"});
  Words const words{count(map, "filter"), count(map, "ifmap"), count(map, "psum")};
  map.finish();
  return words;
}

[[nodiscard]] RowStationaryCoreSpec read_row_stationary(ConfigMap& map) {
  RowStationaryCoreSpec core;
  auto array = map.node("array").as_map();
  array.require({"rows", "columns"});
  core.rows = count(array, "rows");
  core.columns = count(array, "columns");
  array.finish();
  core.scratchpads = read_words<PeScratchpads>(map.node("scratchpads").as_map());
  core.networks = read_words<RowStationaryNetworks>(map.node("networks").as_map());
  core.buffer = read_scratchpad(map.node("buffer").as_map());
  core.word = positive<Bytes>(map, "word");
  core.memory_bandwidth = positive<Bandwidth>(map, "memory_bandwidth");
  core.energy = read_row_stationary_energy(map.node("energy").as_map());
  return core;
}

/// What a core must say, once it says of which kind it is.
[[nodiscard]] Keys keys_of(ConfigMap& map) {
  auto const* const kind = map.find("kind");
  if (kind == nullptr) return {"name", "kind"};
  if (kind->text() == name_of(detail::core_kinds, CoreKind::row_stationary)) {
    return {"name",     "clock",  "array", "scratchpads",
            "networks", "buffer", "word",  "memory_bandwidth",
            "energy"};
  }
  return {"name",   "clock",      "cores_per_chip", "chips_per_board",  "array",
          "vector", "scratchpad", "format",         "memory_bandwidth", "energy"};
}

[[nodiscard]] std::vector<BuiltinConfig> core_files() { return files_in("cores", preset_files()); }

}  // namespace

char const* name(NumberFormat format) {
  constexpr std::array<char const*, 3> names = {"fp32", "bf16", "int8"};
  return names.at(static_cast<std::size_t>(format));
}

Bytes size_of(NumberFormat format) {
  constexpr std::array<std::int64_t, 3> sizes = {4, 2, 1};
  return Bytes{sizes.at(static_cast<std::size_t>(format))};
}

FormatEnergy const& SystolicCoreEnergy::of(NumberFormat format) const {
  auto const& energy = formats.at(static_cast<std::size_t>(format));
  EXPECTS(energy.has_value(), name(format));
  return *energy;
}

std::int64_t CoreSpec::macs_per_cycle() const {
  if (auto const* const core = std::get_if<SystolicCoreSpec>(&unit)) {
    return core->array.rows * core->array.columns * core->array.arrays;
  }
  auto const& core = std::get<RowStationaryCoreSpec>(unit);
  return core.rows * core.columns;
}

CoreSpec viewed(CoreSpec core, CoreView view) {
  auto const cores = view == CoreView::core   ? 1
                     : view == CoreView::chip ? core.cores_per_chip
                                              : core.cores_per_chip * core.chips_per_board;
  if (cores == 1) return core;
  auto& systolic = std::get<SystolicCoreSpec>(core.unit);
  systolic.array.arrays *= cores;
  systolic.vector.sublanes *= cores;
  systolic.scratchpad.capacity = systolic.scratchpad.capacity * cores;
  systolic.scratchpad.banks *= cores;
  systolic.memory_bandwidth = systolic.memory_bandwidth * cores;
  core.cores_per_chip = 1;
  core.chips_per_board = view == CoreView::chip ? core.chips_per_board : 1;
  return core;
}

CoreSpec core_from(ConfigNode const& node) {
  auto map = node.as_map();
  map.expect_schema(detail::core_schema, "a core", keys_of(map));
  CoreSpec core;
  core.name = read_name(map.node("name"));
  core.description = map.optional<std::string>("description", {});
  auto const kind = map.choice("kind", detail::core_kinds);
  core.clock = read_clock(map);
  core.kernel_start = read_kernel_start(map);
  if (kind == CoreKind::systolic) {
    core.cores_per_chip = count(map, "cores_per_chip");
    core.chips_per_board = count(map, "chips_per_board");
    core.unit = read_systolic(map);
  } else {
    core.unit = read_row_stationary(map);
  }
  map.finish();
  return core;
}

CoreSpec load_core(std::string const& name_or_path, std::vector<std::string> const& overrides) {
  return core_from(core_config(name_or_path, overrides));
}

ConfigNode core_config(std::string const& name_or_path, std::vector<std::string> const& overrides) {
  return load_config({"core", "core", core_files(), {}}, name_or_path, overrides);
}

std::vector<BuiltinEntry> builtin_cores() { return described_once<core_files>(); }

}  // namespace tessera::arch
