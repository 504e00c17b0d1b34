#include "sim/study/run_description.hpp"

#include "arch/array/load.hpp"
#include "arch/array/topology_places.hpp"
#include "arch/base/config.hpp"
#include "partition/price/cost_model.hpp"
#include "sim/outcome/critical_path.hpp"
#include "sim/study/host.hpp"
#include "sim/study/version.hpp"

namespace tessera::sim {

namespace {

/// An array of a run file as this version writes it; what is none stays what it is.
std::string array_today(std::string const& text) {
  try {
    return write_config(arch::to_config(arch::array_from(read_config_text(text, "there"))));
  } catch (ConfigError const&) {
    return text;
  }
}

std::vector<traces::PlaceEntry> places_of(arch::ArraySpec const& array) {
  arch::Topology const topology{array};
  auto const places = arch::places_of(topology);
  std::vector<traces::PlaceEntry> entries;
  for (std::size_t i = 0; i < places.size(); ++i) {
    entries.push_back({topology.node_names()[i], places[i].x, places[i].y});
  }
  return entries;
}

std::vector<traces::PlanEntry> plan_costs_of(Experiment const& experiment,
                                             partition::Plan const& plan) {
  std::vector<traces::PlanEntry> entries;
  for (auto const& cost : partition::phase_costs({experiment.network, experiment.array}, plan)) {
    entries.push_back({static_cast<std::uint32_t>(cost.op.index()),
                       static_cast<std::uint8_t>(cost.phase),
                       cost.seconds * static_cast<double>(experiment.steps),
                       (cost.communication * experiment.steps).value()});
  }
  return entries;
}

}  // namespace

traces::RunDescription describe(Experiment const& experiment) {
  auto const& network = experiment.network;
  traces::RunDescription run;
  run.tessera_version = version();
  run.commit = commit();
  run.command_line = experiment.command_line;
  run.host = host_name();
  run.seed = experiment.run.shuffle_seed;
  run.workload = network.source_text();
  run.array = write_config(arch::to_config(experiment.array));
  run.array_today = array_today;
  run.network_name = network.name();
  run.array_name = experiment.array.name;
  if (experiment.run.trace_commands) {
    run.names.command_kinds = command_names();
    for (std::int64_t i = 0; i < experiment.array.accelerators; ++i) {
      run.names.channels.push_back("accelerator-" + std::to_string(i) + ".memory");
    }
  }
  run.planner = experiment.planner;
  run.batch = network.batch();
  run.steps = experiment.steps;
  run.accelerators = experiment.array.accelerators;
  for (auto const& op : network.operators()) run.names.operators.push_back(op.name);
  for (auto const kind : {TaskKind::load, TaskKind::compute, TaskKind::store, TaskKind::transfer,
                          TaskKind::barrier}) {
    run.names.task_kinds.emplace_back(name(kind));
  }
  for (auto const phase : workloads::all_phases) run.names.phases.emplace_back(name(phase));
  run.names.causes = outcome::wait_cause_names();
  run.names.path_causes = outcome::path_cause_names();
  return run;
}

traces::RunDescription describe(Experiment const& experiment, partition::Plan const& plan) {
  auto run = describe(experiment);
  run.planner = plan.planner;
  run.plan = write_config(partition::to_config(plan, experiment.network));
  run.places = places_of(experiment.array);
  if (experiment.output) run.plan_costs = plan_costs_of(experiment, plan);
  return run;
}

}  // namespace tessera::sim
