#include "sim/app/show_things.hpp"

#include <algorithm>

#include "arch/accelerator/core_spec.hpp"
#include "arch/accelerator/profile_spec.hpp"
#include "arch/array/load.hpp"
#include "arch/base/builtin_config.hpp"
#include "arch/base/config_source.hpp"
#include "arch/fabric/interconnect_spec.hpp"
#include "arch/memory/dram_spec.hpp"
#include "partition/plan/explicit_orders.hpp"
#include "partition/planners/planner.hpp"
#include "partition/schedule/schedule.hpp"
#include "sim/study/settings.hpp"
#include "workloads/load.hpp"

// By tessera_embed(): the texts of arch/presets and of workloads/zoo.
namespace tessera::arch {
std::vector<BuiltinConfig> preset_files();
}
namespace tessera::workloads {
std::vector<BuiltinConfig> zoo_files();
}

namespace tessera::sim {

namespace {

/// The kinds that are files: the folder of the presets, the schema, and what --set calls them.
struct FileKind {
  ThingKind kind;
  char const* folder;
  char const* schema;
  char const* scope;
};

[[nodiscard]] std::vector<FileKind> const& file_kinds() {
  static std::vector<FileKind> const all = {
      {ThingKind::network, "", "tessera.network/", "workload"},
      {ThingKind::array, "", "tessera.array/", "arch"},
      {ThingKind::core, "cores", "tessera.core/", "core"},
      {ThingKind::memory, "memory", "tessera.memory/", "memory"},
      {ThingKind::fabric, "fabrics", "tessera.interconnect/", "fabric"},
      {ThingKind::profile, "profiles", "tessera.profile/", "profile"}};
  return all;
}

[[nodiscard]] FileKind const* file_kind(ThingKind kind) {
  auto const& all = file_kinds();
  auto const found = std::find_if(all.begin(), all.end(),
                                  [kind](FileKind const& entry) { return entry.kind == kind; });
  return found == all.end() ? nullptr : &*found;
}

[[nodiscard]] std::string word_of(ThingKind kind) {
  for (auto const& [word, entry] : thing_kinds()) {
    if (entry == kind) return word;
  }
  return {};
}

[[nodiscard]] std::vector<BuiltinConfig> builtin_files(FileKind const& kind) {
  if (kind.kind == ThingKind::network) return workloads::zoo_files();
  return files_in(kind.folder, arch::preset_files());
}

[[nodiscard]] std::vector<std::string> names_of(ThingKind kind) {
  if (kind == ThingKind::planner) return partition::builtin_planners().names();
  if (kind == ThingKind::schedule) return partition::builtin_schedules().names();
  std::vector<std::string> names;
  for (auto const& file : builtin_files(*file_kind(kind))) names.emplace_back(file.name);
  return names;
}

[[nodiscard]] bool ends_in_yaml(std::string const& name) {
  constexpr std::string_view suffix = ".yaml";
  return name.size() > suffix.size() &&
         name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
}

/// Of the user's file.
[[nodiscard]] Thing thing_in(std::string const& path) {
  auto const node = read_config_file(path);
  auto map = node.as_map();
  map.require({"schema"}, {});
  auto const schema = map.required<std::string>("schema");
  for (auto const& kind : file_kinds()) {
    if (schema.rfind(kind.schema, 0) == 0) return {kind.kind, path};
  }
  throw map.node("schema").error(
      "is nothing that show knows (networks, arrays, cores, memories, "
      "fabrics and profiles are)");
}

[[nodiscard]] std::string choices_text(partition::PlannerOption const& option) {
  if (option.choices.empty()) return option.fallback ? "" : "a number or a list";
  std::string text;
  for (auto const& choice : option.choices) text += (text.empty() ? "" : " | ") + choice;
  return text;
}

/// A planner is code: its options, as the section `planner` of an array's file has them.
[[nodiscard]] std::string planner_text(std::string const& name) {
  std::string text;
  auto const planners = partition::builtin_planners();
  for (auto const& entry : planners.entries()) {
    if (entry.name == name) text = "# Planner " + name + ": " + entry.description + "\n";
  }
  text +=
      "#\n# Its options, as an array's file has them; --set planner.KEY=VALUE changes one. Those "
      "in "
      "a comment have\n# no default of their own: the planner or the array decides.\nplanner:\n";
  for (auto const& option : partition::options_of(name)) {
    auto line =
        option.fallback ? "  " + option.key + ": " + *option.fallback : "  # " + option.key + ":";
    auto const choices = choices_text(option);
    if (!choices.empty())
      line += std::string(line.size() < 30 ? 30 - line.size() : 1, ' ') + "# " + choices;
    text += line + '\n';
  }
  return text;
}

constexpr std::size_t shown_stages = 4;
constexpr std::int64_t shown_micro_batches = 8;

/// A schedule is code: what it has a small pipeline do.
[[nodiscard]] std::string schedule_text(std::string const& name) {
  auto const schedules = partition::builtin_schedules();
  std::string text;
  for (auto const& entry : schedules.entries()) {
    if (entry.name == name) text = "# Schedule " + name + ": " + entry.description + "\n";
  }
  partition::PipelineShape shape;
  shape.replicas.assign(shown_stages, 1);
  shape.micro_batches = shown_micro_batches;
  if (name == "interleaved-1f1b") shape.chunks = 2;
  auto const program =
      partition::program_of(*schedules.make(name, partition::ScheduleOptions{}), shape);
  text +=
      "#\n# In a plan: pipeline: {schedule: " + name +
      ", micro_batches: " + std::to_string(shown_micro_batches) +
      ", stages: [...]}. Of four stages" + (shape.chunks > 1 ? " of two chunks" : "") +
      ", each does in a step\n# (F forward, B backward, D error, W gradient, U update; schedule "
      "'explicit' takes any such orders):\norders:\n";
  for (auto const& stage : program.orders) {
    text += "  - [";
    auto const order = partition::to_config(stage.front());
    for (auto const& pass : order.as_list()) {
      text += (text.back() == '[' ? "" : ", ") + pass.text();
    }
    text += "]\n";
  }
  return text;
}

}  // namespace

std::vector<std::pair<std::string, ThingKind>> const& thing_kinds() {
  static std::vector<std::pair<std::string, ThingKind>> const all = {
      {"network", ThingKind::network}, {"array", ThingKind::array},
      {"core", ThingKind::core},       {"memory", ThingKind::memory},
      {"fabric", ThingKind::fabric},   {"profile", ThingKind::profile},
      {"planner", ThingKind::planner}, {"schedule", ThingKind::schedule}};
  return all;
}

Thing find_thing(std::string const& name, std::optional<ThingKind> kind) {
  std::vector<std::string> known;
  std::vector<Thing> found;
  for (auto const& entry : thing_kinds()) {
    if (kind && *kind != entry.second) continue;
    for (auto const& builtin : names_of(entry.second)) {
      known.push_back(builtin);
      if (builtin == name) found.push_back({entry.second, name});
    }
  }
  if (found.size() == 1) return found.front();
  if (found.empty() && ends_in_yaml(name)) {
    auto thing = thing_in(name);
    if (kind && *kind != thing.kind) {
      throw ConfigError({name}, {}, "is a file of another kind: --kind " + word_of(thing.kind));
    }
    return thing;
  }
  if (found.empty()) {
    throw ConfigError(
        {}, {},
        unknown_name(kind ? word_of(*kind) : "name", name, known, "tessera list KIND") +
            "; or a path to a .yaml file");
  }
  std::string kinds;
  for (auto const& thing : found) kinds += (kinds.empty() ? "" : " and a ") + word_of(thing.kind);
  throw ConfigError({}, {},
                    in_quotes(name) + " is a " + kinds + "; say which with --kind " +
                        word_of(found.front().kind));
}

std::string text_of(Thing const& thing) {
  if (thing.kind == ThingKind::planner) return planner_text(thing.name);
  if (thing.kind == ThingKind::schedule) return schedule_text(thing.name);
  for (auto const& file : builtin_files(*file_kind(thing.kind))) {
    if (file.name == thing.name) return std::string{file.text};
  }
  return tessera::detail::read_text_file(thing.name);
}

std::vector<std::string> overrides_of(Thing const& thing,
                                      std::vector<std::string> const& settings) {
  auto const* const kind = file_kind(thing.kind);
  if (kind == nullptr) {
    throw ConfigError({}, {},
                      in_quotes(thing.name) + " is a " + word_of(thing.kind) +
                          ", which is code and has no file; show it without options");
  }
  return split_by_prefix(settings, {kind->scope}).front();
}

ConfigNode written(Thing const& thing, std::vector<std::string> const& settings) {
  auto const overrides = overrides_of(thing, settings);
  if (thing.kind == ThingKind::network) return workloads::network_config(thing.name, overrides);
  if (thing.kind == ThingKind::array) return arch::array_config(thing.name, overrides);
  if (thing.kind == ThingKind::core) return arch::core_config(thing.name, overrides);
  if (thing.kind == ThingKind::memory) return arch::dram_config(thing.name, overrides);
  if (thing.kind == ThingKind::fabric) return arch::interconnect_config(thing.name, overrides);
  return arch::profile_config(thing.name, overrides);
}

}  // namespace tessera::sim
