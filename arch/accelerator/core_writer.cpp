// Key by key, in the order of the presets.
#include "arch/accelerator/core_writer.hpp"

#include "arch/accelerator/core_words.hpp"

namespace tessera::arch {

namespace {

using Counts = std::initializer_list<std::pair<char const*, std::int64_t>>;

void add_counts(ConfigNode& node, Counts counts) {
  for (auto const& [key, value] : counts) node.add(key, std::to_string(value));
}

[[nodiscard]] ConfigNode map_of(Counts counts) {
  auto node = ConfigNode::map();
  add_counts(node, counts);
  return node;
}

[[nodiscard]] ConfigNode config_of(SystolicArraySpec const& it) {
  auto node = map_of({{"rows", it.rows}, {"columns", it.columns}, {"arrays", it.arrays}});
  return node.add("dataflow", name_of(detail::dataflows, it.dataflow))
      .add("schedule", name_of(detail::schedules, it.schedule))
      .add("operands", name_of(detail::operand_orders, it.operands));
}

[[nodiscard]] ConfigNode config_of(VectorUnitSpec const& it) {
  return map_of({{"lanes", it.lanes},
                 {"sublanes", it.sublanes},
                 {"alus", it.alus},
                 {"loads", it.loads},
                 {"stores", it.stores}});
}

[[nodiscard]] ConfigNode config_of(ScratchpadSpec const& it) {
  auto node = ConfigNode::map();
  return node.add("capacity", to_text(it.capacity)).add("banks", std::to_string(it.banks));
}

[[nodiscard]] ConfigNode config_of(TilePadding const& it) {
  return map_of({{"samples", it.samples}, {"m", it.m}, {"n", it.n}, {"k", it.k}});
}

[[nodiscard]] ConfigNode config_of(FormatEnergy const& it) {
  auto node = ConfigNode::map();
  return node.add("multiply", to_text(it.multiply)).add("add", to_text(it.add));
}

[[nodiscard]] ConfigNode config_of(SystolicCoreEnergy const& it) {
  auto node = ConfigNode::map();
  for (auto const& [name, format] : detail::formats) {
    auto const& energy = it.formats.at(static_cast<std::size_t>(format));
    if (energy) node.add(name, config_of(*energy));
  }
  return node.add("vector_operation", to_text(it.vector_operation))
      .add("scratchpad_byte", to_text(it.scratchpad_byte))
      .add("memory_byte", to_text(it.memory_byte));
}

[[nodiscard]] ConfigNode config_of(RowStationaryEnergy const& it) {
  auto node = ConfigNode::map();
  return node.add("mac", to_text(it.mac))
      .add("register_file", to_text(it.register_file))
      .add("network", to_text(it.network))
      .add("buffer", to_text(it.buffer))
      .add("memory", to_text(it.memory))
      .add("cycle", to_text(it.cycle))
      .add("gated_share", to_text(it.gated_share));
}

/// Of the three kinds of data.
template <typename Words>
[[nodiscard]] ConfigNode words_of(Words const& it) {
  return map_of({{"filter", it.filter}, {"ifmap", it.ifmap}, {"psum", it.psum}});
}

struct CoreUnitWriter {
  CoreSpec const& core;
  ConfigNode& node;

  void operator()(SystolicCoreSpec const& unit) const {
    add_kind(detail::CoreKind::systolic);
    add_counts(
        node, {{"cores_per_chip", core.cores_per_chip}, {"chips_per_board", core.chips_per_board}});
    node.add("array", config_of(unit.array))
        .add("vector", config_of(unit.vector))
        .add("scratchpad", config_of(unit.scratchpad))
        .add("padding", config_of(unit.padding))
        .add("format", name_of(detail::formats, unit.format))
        .add("memory_bandwidth", to_text(unit.memory_bandwidth))
        .add("kernel_start", to_text(core.kernel_start))
        .add("energy", config_of(unit.energy));
  }

  void operator()(RowStationaryCoreSpec const& unit) const {
    add_kind(detail::CoreKind::row_stationary);
    node.add("array", map_of({{"rows", unit.rows}, {"columns", unit.columns}}))
        .add("scratchpads", words_of(unit.scratchpads))
        .add("networks", words_of(unit.networks))
        .add("buffer", config_of(unit.buffer))
        .add("word", to_text(unit.word))
        .add("memory_bandwidth", to_text(unit.memory_bandwidth))
        .add("kernel_start", to_text(core.kernel_start))
        .add("energy", config_of(unit.energy));
  }

  void add_kind(detail::CoreKind kind) const {
    node.add("kind", name_of(detail::core_kinds, kind)).add("clock", to_text(core.clock));
  }
};

}  // namespace

ConfigNode to_config(CoreSpec const& spec) {
  auto node = ConfigNode::map();
  node.add("schema", detail::core_schema).add("name", spec.name);
  if (!spec.description.empty()) node.add("description", spec.description);
  std::visit(CoreUnitWriter{spec, node}, spec.unit);
  return node;
}

}  // namespace tessera::arch
