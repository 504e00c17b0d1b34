// `tessera list`: what is built in.
#include <memory>

#include <nlohmann/json.hpp>

#include "arch/accelerator/core_spec.hpp"
#include "arch/array/load.hpp"
#include "arch/base/nearest_name.hpp"
#include "arch/fabric/interconnect_spec.hpp"
#include "arch/memory/dram_spec.hpp"
#include "partition/plan/pipeline.hpp"
#include "partition/planners/planner.hpp"
#include "sim/command/command.hpp"
#include "sim/command/options.hpp"
#include "sim/study/result.hpp"
#include "sim/terminal/table.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

/// Names and descriptions.
using Catalogue = Named<std::string>;

template <typename Entries>
Catalogue catalogue_of(Entries const& entries) {
  Catalogue catalogue;
  for (auto const& entry : entries) catalogue.emplace_back(entry.name, entry.description);
  return catalogue;
}

Catalogue catalogue(std::string const& kind) {
  if (kind == "networks") return catalogue_of(workloads::builtin_networks());
  if (kind == "archs" || kind == "arrays") return catalogue_of(arch::builtin_arrays());
  if (kind == "cores") return catalogue_of(arch::builtin_cores());
  if (kind == "memories") return catalogue_of(arch::builtin_memories());
  if (kind == "fabrics") return catalogue_of(arch::builtin_interconnects());
  if (kind == "planners") return catalogue_of(partition::builtin_planners().entries());
  if (kind == "schedules") return partition::plan_schedules();
  std::vector<std::string> const kinds = {"networks", "archs",    "cores",    "memories",
                                          "fabrics",  "planners", "schedules"};
  if (kind.empty()) throw ConfigError({}, {}, "say what to list: " + joined(kinds));
  throw ConfigError({}, {}, unknown_name("list", kind, kinds));
}

std::string as_table(Catalogue const& catalogue) {
  Table table{{{"name", Table::Align::left}, {"description", Table::Align::left}}};
  for (auto const& [name, description] : catalogue) table.add({name, description});
  return table.text();
}

std::string as_json(std::string const& kind, Catalogue const& catalogue) {
  auto entries = Json::array();
  for (auto const& [name, description] : catalogue) {
    entries.push_back({{"name", name}, {"description", description}});
  }
  return document({{"schema", "tessera.list/1"}, {kind, entries}});
}

/// "arrays" is another word for what the command line calls archs.
std::string key_of(std::string const& kind) { return kind == "arrays" ? "archs" : kind; }

struct ListOptions {
  std::string kind;
  ReportOptions report;
};

}  // namespace

Command list_command(Parser& tessera) {
  auto const options = std::make_shared<ListOptions>();
  auto* const parser = tessera.add_subcommand("list", "What is built in, with its source");
  parser->footer("Example:\n  tessera list networks");
  parser
      ->add_option("kind", options->kind,
                   "networks, archs (or arrays), cores, memories, fabrics, planners or schedules")
      ->type_name("KIND");
  add_report_options(*parser, options->report);
  return {parser, [options]() -> Outcome {
            auto const found = catalogue(options->kind);
            return {options->report.json ? as_json(key_of(options->kind), found) : as_table(found)};
          }};
}

}  // namespace tessera::sim
