// Building and naming cores.
#include "sim/model/array_cores.hpp"

#include "sim/model/route_finder.hpp"

namespace tessera::sim {

namespace {

std::string accelerator_name(std::size_t index) { return "accelerator-" + std::to_string(index); }

BusyHistogram& histogram(Blueprint const& blueprint, Records& records, std::string const& resource,
                         std::string const& kind) {
  return records.utilisation[blueprint.histogram_name(resource, kind)];
}

Router make_router(Blueprint const& blueprint, arch::NodeId node) {
  return {blueprint.fabric_clock, RouteFinder{blueprint.topology, node, blueprint.outgoing[node]}};
}

std::optional<Router> make_own_router(Blueprint const& blueprint, AcceleratorId id) {
  if (blueprint.array.fabric.topology != arch::FabricSpec::Topology::torus) return std::nullopt;
  return make_router(blueprint, arch::NodeId{id.index()});
}

Link::LaneOf lane_of(Blueprint const& blueprint, arch::LinkId id) {
  return [&topology = blueprint.topology, id](AcceleratorId source) {
    return topology.lane(id, arch::NodeId{source.index()});
  };
}

/// Who hears of the commands of an accelerator's memory.
std::function<void(Time, DramCommand const&)> listener(Records& records, AcceleratorId id) {
  if (!records.commands) return {};
  return [&records, id](Time time, DramCommand const& command) {
    records.commands(id, time, command);
  };
}

}  // namespace

AcceleratorCores::AcceleratorCores(AcceleratorId id, Blueprint const& blueprint,
                                   SharedWork const& shared, Records& records)
    : dispatcher{id, blueprint.clock(id), blueprint.schedule, records},
      memory{make_memory(
          blueprint.spec(id).memory,
          {blueprint.clock(id), blueprint.schedule.graph(),
           histogram(blueprint, records, accelerator_name(id.index()) + ".memory", "memories"),
           listener(records, id)})},
      processing_unit{make_processing_unit(
          blueprint.spec(id),
          {blueprint.schedule, id, shared.programs, shared.memo, *memory,
           histogram(blueprint, records, accelerator_name(id.index()) + ".processing-unit",
                     "processing-units")})},
      network_interface{id, blueprint.clock(id), blueprint.schedule.graph(), blueprint.topology},
      router{make_own_router(blueprint, id)} {}

ArrayCores::ArrayCores(Blueprint const& the_blueprint, Records& records, PhaseMemo::Use memo_use)
    : blueprint{the_blueprint},
      programs{the_blueprint.schedule.graph()},
      memo{memo_use},
      synchronizer{the_blueprint.topology.accelerators(), the_blueprint.fabric_clock} {
  arch::Topology const& topology = blueprint.topology;
  SharedWork const shared{programs, memo};
  for (std::size_t index = 0; index < topology.accelerators(); ++index) {
    accelerators.emplace_back(AcceleratorId{index}, blueprint, shared, records);
  }
  for (std::size_t node = accelerators.size(); node < topology.node_names().size(); ++node) {
    switches.push_back(make_router(blueprint, arch::NodeId{node}));
  }
  for (arch::LinkId const id : topology.links().ids()) {
    arch::Link const& spec = topology.links()[id];
    links.emplace_back(spec, blueprint.fabric_clock, lane_of(blueprint, id),
                       histogram(blueprint, records, spec.name, "links"));
  }
}

std::vector<Resource> ArrayCores::resources() const {
  using Kind = Resource::Kind;
  std::vector<Resource> all;
  auto const list = [&all](Kind kind, std::string name, Core const& core) {
    all.push_back({kind, std::move(name), &core});
  };
  auto const list_timed = [&](Kind kind, std::string const& name, Core const& core,
                              std::string const& histogram_kind) {
    list(kind, name, core);
    all.back().histogram = blueprint.histogram_name(name, histogram_kind);
  };
  for (std::size_t index = 0; index < accelerators.size(); ++index) {
    AcceleratorCores const& cores = accelerators[index];
    std::string const prefix = accelerator_name(index) + '.';
    list(Kind::dispatcher, prefix + "dispatcher", cores.dispatcher);
    list_timed(Kind::processing_unit, prefix + "processing-unit", *cores.processing_unit,
               "processing-units");
    list_timed(Kind::memory, prefix + "memory", *cores.memory, "memories");
    list(Kind::network_interface, prefix + "network-interface", cores.network_interface);
    if (cores.router) list(Kind::router, prefix + "router", *cores.router);
  }
  auto const& names = blueprint.topology.node_names();
  for (std::size_t index = 0; index < switches.size(); ++index) {
    list(Kind::router, names[accelerators.size() + index], switches[index]);
  }
  for (std::size_t index = 0; index < links.size(); ++index) {
    arch::Link const& spec = blueprint.topology.links()[arch::LinkId{index}];
    list_timed(Kind::link, spec.name, links[index], "links");
    all.back().lanes = spec.lanes;
  }
  list(Kind::synchronizer, "synchronizer", synchronizer);
  return all;
}

std::vector<std::string> ArrayCores::waits_for() const {
  std::vector<std::string> lines = synchronizer.waits_for();
  for (AcceleratorCores const& cores : accelerators) {
    for (std::string& line : cores.dispatcher.waits_for()) lines.push_back(std::move(line));
  }
  return lines;
}

void ArrayCores::close(Time end) {
  for (AcceleratorCores& cores : accelerators) {
    cores.dispatcher.close(end);
    cores.memory->close(end);
  }
}

}  // namespace tessera::sim
