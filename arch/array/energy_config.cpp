// The constants that have no file of their own.
#include "arch/array/energy_config.hpp"

#include <algorithm>

#include "arch/base/config_words.hpp"

namespace tessera::arch {

namespace {

constexpr std::int64_t most_accesses = 1000;  ///< of memory per exchanged word; a few are meant

Names<bool> const local_memories = {{"counted", true}, {"ignored", false}};

/// Units without a core's file count MACs and words of a buffer at the array's constants.
[[nodiscard]] bool has_plain_units(std::vector<AcceleratorGroup> const& groups) {
  return std::any_of(groups.begin(), groups.end(), [](AcceleratorGroup const& group) {
    return !std::holds_alternative<CoreUnitSpec>(group.accelerator.processing_unit);
  });
}

[[nodiscard]] bool all_are_dram(std::vector<AcceleratorGroup> const& groups) {
  return std::all_of(groups.begin(), groups.end(), [](AcceleratorGroup const& group) {
    return std::holds_alternative<DramMemorySpec>(group.accelerator.memory);
  });
}

/// The key path of the first accelerator's core.
[[nodiscard]] std::string core_path(std::vector<AcceleratorGroup> const& groups) {
  return (groups.size() == 1 ? "" : "groups.0.") + std::string{"accelerator.processing_unit.core"};
}

/// Energies of a multiplication and of a buffer, which cores have in files of their own.
void refuse_unit_energies(ConfigMap& map, std::vector<AcceleratorGroup> const& groups) {
  auto const& unit = std::get<CoreUnitSpec>(groups.front().accelerator.processing_unit).core.unit;
  auto const* const systolic = std::get_if<SystolicCoreSpec>(&unit);
  auto const refuse = [&](std::string const& key, std::string const& of_core) {
    if (auto const* const node = map.find(key)) {
      throw node->error("does nothing here (all accelerators are cores, whose files have it); " +
                        ("leave it out, and set " + core_path(groups)) + ".energy." + of_core);
    }
  };
  refuse("multiply",
         systolic != nullptr ? name(systolic->format) + std::string{".multiply"} : "mac");
  refuse("buffer_access", systolic != nullptr ? "scratchpad_byte" : "buffer");
}

}  // namespace

EnergyTable read_energy(ConfigMap map, std::vector<AcceleratorGroup> const& groups) {
  EnergyTable energy;
  map.require(has_plain_units(groups)
                  ? Keys{"multiply", "add", "buffer_access", "memory_access", "link_word"}
                  : Keys{"add", "memory_access", "link_word"});
  if (has_plain_units(groups)) {
    energy.multiply = map.required<Energy>("multiply");
    energy.buffer_access = map.required<Energy>("buffer_access");
  } else {
    refuse_unit_energies(map, groups);
  }
  energy.add = map.required<Energy>("add");
  energy.memory_access = map.required<Energy>("memory_access");
  energy.link_word = map.required<Energy>("link_word");
  if (auto const* const local = map.find("local_memory");
      local != nullptr && all_are_dram(groups)) {
    throw local->error(
        "does nothing here (all memories are DRAM, whose files have the energy of an access); "
        "leave "
        "it out");
  }
  energy.counts_local_memory =
      map.choice("local_memory", local_memories, energy.counts_local_memory);
  auto& accesses = energy.memory_accesses_per_exchanged_word;
  accesses = map.optional("exchanged_word_accesses", accesses);
  if (accesses < 0 || accesses > most_accesses) {
    throw map.node("exchanged_word_accesses")
        .error("must be from 0 to " + std::to_string(most_accesses));
  }
  map.finish();
  return energy;
}

ConfigNode energy_config(ArraySpec const& array) {
  auto const& energy = array.energy;
  bool const has_plain = has_plain_units(array.groups);
  auto node = ConfigNode::map();
  if (has_plain) node.add("multiply", to_text(energy.multiply));
  node.add("add", to_text(energy.add));
  if (has_plain) node.add("buffer_access", to_text(energy.buffer_access));
  node.add("memory_access", to_text(energy.memory_access))
      .add("link_word", to_text(energy.link_word));
  if (!all_are_dram(array.groups)) {
    node.add("local_memory", name_of(local_memories, energy.counts_local_memory));
  }
  return node.add("exchanged_word_accesses",
                  std::to_string(energy.memory_accesses_per_exchanged_word));
}

}  // namespace tessera::arch
