// Reading of tessera.array/1 and /2, and writing of /2.
#include "arch/array/load.hpp"

#include <algorithm>
#include <iterator>

#include "arch/array/accelerator_config.hpp"
#include "arch/array/energy_config.hpp"
#include "arch/array/fabric_config.hpp"
#include "arch/base/builtin_config.hpp"
#include "arch/base/config_name.hpp"
#include "arch/base/config_words.hpp"

namespace tessera::arch {

std::vector<BuiltinConfig> preset_files();  // arch/presets, by tessera_embed()

namespace {

constexpr char const* array_schema = "tessera.array/2";
constexpr char const* schema_of_root_links = "tessera.array/1";
constexpr std::int64_t most_accelerators = std::int64_t{1} << 20;
constexpr std::int64_t most_in_a_grid = 65536;  // a router for each, that knows its way to each
constexpr std::size_t most_ways = 13;           // every part of a group talks to every other one

using Overlap = ExecutionSpec::Overlap;

Names<Overlap> const overlaps = {{"none", Overlap::none},
                                 {"communication", Overlap::communication}};

using Kernels = ExecutionSpec::Kernels;

Names<SumPieces> const sum_names = {{"exact", SumPieces::exact}, {"padded", SumPieces::padded}};
Names<Kernels> const kernel_names = {{"free", Kernels::free}, {"in-phase", Kernels::in_phase}};

using Collectives = ExecutionSpec::Collectives;

/// Level by level, an algorithm of `table`, or the cheapest of all.
[[nodiscard]] Names<Collectives> collective_names(CollectiveTable const& table) {
  Names<Collectives> names = {{"hierarchical", {}}};
  Collectives cheapest{"auto"};
  for (auto const& [name, algorithm] : all_of(table)) {
    if (!algorithm->is_for_steps()) continue;
    cheapest.candidates.push_back(algorithm);
    names.emplace_back(name, Collectives{name, {algorithm}});
  }
  names.emplace_back("auto", std::move(cheapest));
  // What arrays' files have called a ring both ways from the first.
  Collectives both_ways{"bidirectional", {table.make("bidirectional-ring")}};
  names.emplace_back("bidirectional", std::move(both_ways));
  return names;
}

[[nodiscard]] std::string out_of_range(std::string const& what, std::int64_t most) {
  return "are out of range (the largest " + what + " has " + std::to_string(most) +
         "); use a number from 1 to " + std::to_string(most);
}

[[nodiscard]] std::int64_t read_accelerators(ConfigMap& map) {
  auto const count = map.required<std::int64_t>("accelerators");
  auto const refused = [&](std::string const& problem) {
    return map.node("accelerators").error(std::to_string(count) + " accelerators " + problem);
  };
  if (count < 1 || count > most_accelerators) {
    throw refused(out_of_range("array that is simulated", most_accelerators));
  }
  auto const ways = Hierarchy{static_cast<std::size_t>(count)}.ways();
  if (!ways.empty() && ways.front() > most_ways) {  // the largest factor is the first
    throw refused("do not form a hierarchy of small groups (" + std::to_string(ways.front()) +
                  " parts at one level would all talk to each other); use a number without prime "
                  "factors over " +
                  std::to_string(most_ways) + ", best a power of two");
  }
  return count;
}

/// `accelerator` for all of them, or `groups` of them.
[[nodiscard]] std::vector<AcceleratorGroup> read_groups(ConfigMap& map, std::int64_t accelerators) {
  auto const* const list = map.find("groups");
  if (list == nullptr) {
    return {{accelerators, read_accelerator(map.node("accelerator").as_map())}};
  }
  if (auto const* const alone = map.find("accelerator")) {
    throw alone->error(
        "does not go with groups, which have accelerators of their own; say which: "
        "groups.0.accelerator");
  }
  std::vector<AcceleratorGroup> groups;
  std::int64_t sum = 0;
  for (auto const& node : list->as_list()) {
    auto group = node.as_map();
    group.require({"count", "accelerator"});
    auto const count = group.required<std::int64_t>("count");
    if (count < 1 || count > accelerators) {
      throw group.node("count").error("must be from 1 to " + std::to_string(accelerators));
    }
    groups.push_back(
        {count, read_accelerator(group.node("accelerator").as_map()), read_group_bandwidth(group)});
    group.finish();
    sum += count;
  }
  if (sum != accelerators) {
    throw list->error(
        "hold " + std::to_string(sum) + " accelerators, but the array has " +
        std::to_string(accelerators) +
        "; set 'accelerators' and each group's 'count' (groups.0.count, ...) together");
  }
  return groups;
}

/// Why its kernels cannot begin in phase with its memory; nothing where they can.
[[nodiscard]] std::string objection_to_phase(AcceleratorSpec const& accelerator) {
  auto const* const unit = std::get_if<CoreUnitSpec>(&accelerator.processing_unit);
  auto const* const memory = std::get_if<DramMemorySpec>(&accelerator.memory);
  if (unit == nullptr || memory == nullptr) return "an accelerator is no core with a DRAM";
  auto const& dram = memory->dram;
  if (memory->links || accelerator.transfer_block) {
    return "an accelerator's DRAM serves more than its kernels, or behind links";
  }
  if (!dram.is_in_order()) {
    return "it takes one rank of DRAM, scheduler 'fcfs', page 'open' or 'closed', and refresh "
           "'all-bank' or 'none'";
  }
  auto const start = unit->core.kernel_start;
  auto const pause = dram.clock_period * (dram.timing.until_closed() + dram.timing.tRFC);
  if (start >= pause) return {};
  return "kernels start in " + to_text(start) +
         ", and closing all rows and refreshing them takes " + to_text(pause);
}

[[nodiscard]] Kernels read_kernels(ConfigMap& map, std::vector<AcceleratorGroup> const& groups) {
  auto const kernels = map.choice("kernels", kernel_names, Kernels::free);
  if (kernels == Kernels::free) return kernels;
  for (auto const& group : groups) {
    auto const objection = objection_to_phase(group.accelerator);
    if (!objection.empty()) {
      throw map.node("kernels").error("'in-phase' does not go here: " + objection + "; use free");
    }
  }
  return kernels;
}

[[nodiscard]] ExecutionSpec read_execution(ConfigMap map, FabricSpec const& fabric,
                                           std::vector<AcceleratorGroup> const& groups,
                                           CollectiveTable const& collectives) {
  ExecutionSpec execution;
  execution.overlap = map.choice("overlap", overlaps, execution.overlap);
  execution.kernels = read_kernels(map, groups);
  execution.sums = map.choice("sums", sum_names, execution.sums);
  execution.collectives =
      map.choice("collectives", collective_names(collectives), execution.collectives);
  bool const is_grid = fabric.topology == FabricSpec::Topology::torus || !fabric.grid.empty();
  auto const& [name, candidates] = execution.collectives;
  bool const needs_grid = candidates.size() == 1 && candidates.front() != nullptr &&
                          candidates.front()->rank_order() == RankOrder::dimensions;
  if (needs_grid && !is_grid) {
    throw map.node("collectives")
        .error("'" + name +
               "' goes round the dimensions of a grid, and this fabric is none (a torus, or a "
               "network of kind mesh or torus); use ring or auto");
  }
  map.finish();
  return execution;
}

/// Those on what the user wrote, where the file is one of ours.
[[nodiscard]] std::vector<Remark> on_overrides(std::vector<Remark> const& remarks) {
  std::vector<Remark> theirs;
  std::copy_if(remarks.begin(), remarks.end(), std::back_inserter(theirs),
               [](Remark const& remark) { return remark.where.line == 0; });
  return theirs;
}

/// A fabric in packets works ahead of what accelerators send it.
void check_dispatch(ArraySpec const& array, ConfigNode const& root) {
  if (!array.fabric.packets) return;
  for (auto const& group : array.groups) {
    if (group.accelerator.dispatch_latency > Cycles{0}) continue;
    throw root.as_map().node("fabric").as_map().node("packet").error(
        "does not go with accelerators whose 'dispatch' takes no time; give that a latency of 1");
  }
}

/// The presets that are arrays; memories and cores have folders of their own.
[[nodiscard]] std::vector<BuiltinConfig> array_files() { return files_in("", preset_files()); }

/// One accelerator for all, or groups of them.
void write_accelerators(ConfigNode& node, ArraySpec const& spec) {
  node.add("accelerators", std::to_string(spec.accelerators));
  if (spec.groups.size() == 1) {
    node.add("accelerator", accelerator_config(spec.groups.front().accelerator));
    return;
  }
  auto groups = ConfigNode::list();
  for (auto const& [count, accelerator, link_bandwidth] : spec.groups) {
    auto group = ConfigNode::map();
    group.add("count", std::to_string(count)).add("accelerator", accelerator_config(accelerator));
    if (link_bandwidth) {
      auto link = ConfigNode::map();
      group.add("link", link.add("bandwidth", link_bandwidth_text(*link_bandwidth)));
    }
    groups.append(std::move(group));
  }
  node.add("groups", std::move(groups));
}

}  // namespace

ArraySpec array_from(ConfigNode const& node, CollectiveTable const& collectives) {
  auto map = node.as_map();
  auto const* const accelerator = map.find("groups") == nullptr ? "accelerator" : "groups";
  auto const* const schema = map.find("schema");
  bool const is_of_root = schema != nullptr && schema->text() == schema_of_root_links;
  map.expect_schema(is_of_root ? schema_of_root_links : array_schema, "an array",
                    {"name", "accelerators", accelerator, "fabric", "energy"});
  ArraySpec array;
  array.name = read_name(map.node("name"));
  array.description = map.optional<std::string>("description", {});
  array.accelerators = read_accelerators(map);
  array.groups = read_groups(map, array.accelerators);
  array.fabric = read_fabric(map.node("fabric").as_map(), array.accelerators);
  bool const is_torus = array.fabric.topology == FabricSpec::Topology::torus;
  if (is_torus && array.accelerators > most_in_a_grid) {
    throw map.node("accelerators")
        .error(std::to_string(array.accelerators) + " accelerators " +
               out_of_range("torus", most_in_a_grid));
  }
  if (auto const* const execution = map.find("execution")) {
    array.execution = read_execution(execution->as_map(), array.fabric, array.groups, collectives);
  }
  array.energy = read_energy(map.node("energy").as_map(), array.groups);
  if (auto const* const planner = map.find("planner")) {
    static_cast<void>(planner->as_map());  // must be one
    array.planner = *planner;
  }
  map.finish();
  check_dispatch(array, node);
  settle_links(array, node, is_of_root ? WrittenBandwidth::at_root : WrittenBandwidth::own);
  return array;
}

ConfigNode to_config(ArraySpec const& spec) {
  auto execution = ConfigNode::map();
  execution.add("overlap", name_of(overlaps, spec.execution.overlap));
  if (spec.execution.kernels != Kernels::free) {
    execution.add("kernels", name_of(kernel_names, spec.execution.kernels));
  }
  if (spec.execution.sums != SumPieces::exact) {
    execution.add("sums", name_of(sum_names, spec.execution.sums));
  }
  if (!spec.execution.collectives.go_by_levels()) {
    execution.add("collectives", spec.execution.collectives.name);
  }
  auto node = ConfigNode::map();
  node.add("schema", array_schema).add("name", spec.name).add("description", spec.description);
  write_accelerators(node, spec);
  node.add("fabric", fabric_config(spec.fabric))
      .add("execution", std::move(execution))
      .add("energy", energy_config(spec));
  if (!spec.planner.entries().empty()) node.add("planner", spec.planner);
  return node;
}

ConfigNode array_config(std::string const& name_or_path,
                        std::vector<std::string> const& overrides) {
  return load_config({"array", "arch", array_files(), expand_components}, name_or_path, overrides);
}

ArraySpec load(std::string const& name_or_path, std::vector<std::string> const& overrides,
               CollectiveTable const& collectives) {
  auto const presets = array_files();
  auto array = array_from(array_config(name_or_path, overrides), collectives);
  bool const is_preset =
      std::any_of(presets.begin(), presets.end(),
                  [&](BuiltinConfig const& preset) { return preset.name == name_or_path; });
  if (is_preset) array.remarks = on_overrides(array.remarks);
  return array;
}

std::vector<BuiltinEntry> builtin_arrays() { return described_once<array_files>(); }

}  // namespace tessera::arch
