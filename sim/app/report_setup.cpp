#include "sim/app/report_setup.hpp"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "arch/array/load.hpp"
#include "partition/plan/plan.hpp"
#include "sim/app/layer_table.hpp"
#include "sim/app/stages_report.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

/// Adds what has constants of its own, by its name and what its file says of itself and its
/// sources.
template <typename Spec>
void add_source(Json& sources, Json source, Spec const& spec) {
  source["name"] = spec.name;
  source["description"] = spec.description;
  if (std::find(sources.begin(), sources.end(), source) == sources.end()) {
    sources.push_back(std::move(source));
  }
}

/// Where the constants of the energy ledger (sim/outcome/energy.hpp) are from: those of a
/// component, but for events that the array's own table prices.
[[nodiscard]] Json sources_of(arch::ArraySpec const& array) {
  Json sources = Json::array();
  for (auto const* const event :
       {"reduction_add", "exchange_access", "local_access", "link_word"}) {
    add_source(sources, {{"event", event}}, array);
  }
  for (auto const& group : array.groups) {
    auto const& unit = group.accelerator.processing_unit;
    for (auto const* const component : {"processing-unit", "buffer"}) {
      Json source{{"component", component}};
      if (auto const* const core = std::get_if<arch::CoreUnitSpec>(&unit)) {
        add_source(sources, source, core->core);
      } else {
        add_source(sources, source, array);
      }
    }
    if (auto const* const dram = std::get_if<arch::DramMemorySpec>(&group.accelerator.memory)) {
      add_source(sources, {{"component", "memory"}}, dram->dram);
    }
  }
  return sources;
}

[[nodiscard]] Json plan_of(partition::Plan const& plan, workloads::Network const& network) {
  auto const layers = layers_of(network, plan);
  Json json{{"planner", plan.planner}};
  if (!layers.rows.empty()) {
    json["titles"] = layers.titles;
    json["rows"] = layers.rows;
    json["legend"] = layers.legend;
  }
  if (plan.pipeline) {
    json["stages"] = stages_json(*plan.pipeline, network);
    json["schedule"] = schedule_json(*plan.pipeline);
  }
  return json;
}

}  // namespace

void add_setup(Json& data, traces::RunFile const& run) {
  auto const read = [&](char const* name) { return run.content().text(name).value_or(""); };
  auto const workload = read("config/workload"), array = read("config/array"),
             plan = read("config/plan");
  data["config"] = {{"workload", workload}, {"array", array}, {"plan", plan}};
  if (workload.empty())
    run.refuse("is no run of a network; tessera simulate -o FILE.h5 writes one");
  try {
    auto const spec = arch::array_from(read_config_text(array, "config/array"));
    data["hardware"] = {{"description", spec.description}, {"sources", sources_of(spec)}};
    auto const network = workloads::network_from(read_config_text(workload, "config/workload"));
    data["network"] = {{"operators", network.operators().size()}};
    if (plan.empty()) return;
    data["plan"] = plan_of(
        partition::plan_from(read_config_text(plan, "config/plan"), network, spec), network);
  } catch (ConfigError const& error) {
    data["unreadable"] = error.what();
  }
}

}  // namespace tessera::sim
