// Building and naming cores.
#include "sim/model/array/array_cores.hpp"

#include "sim/model/fabric/route_finder.hpp"

namespace tessera::sim {

namespace {

std::string const unit_name = ".processing-unit";
std::string const memory_name = ".memory";

Router make_router(Blueprint const& blueprint, arch::NodeId node) {
  return {blueprint.hop_latency(), RouteFinder{blueprint.topology, node, blueprint.outgoing[node]}};
}

/// Where messages take no time, hosts tell the steps of an instant apart.
MessageCarriers carriers_in(Blueprint const& blueprint, MessageCarriers wanted) {
  return blueprint.has_instant_messages() ? MessageCarriers::each_by_itself : wanted;
}

std::optional<Router> make_own_router(Blueprint const& blueprint, AcceleratorId id,
                                      MessageCarriers carriers) {
  arch::NodeId const node{id.index()};
  bool const has_one =
      carriers == MessageCarriers::each_by_itself && blueprint.has_message_router(node);
  return has_one ? std::optional{make_router(blueprint, node)} : std::nullopt;
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

TransferEnds ends_of(arch::AcceleratorSpec const& accelerator, Memory& memory) {
  TransferEnds ends;
  ends.reduce_bandwidth = accelerator.reduce_bandwidth;
  if (!accelerator.transfer_block) return ends;
  ends.memory = &memory;
  ends.block = *accelerator.transfer_block;
  return ends;
}

}  // namespace

AcceleratorCores::AcceleratorCores(AcceleratorId id, Blueprint const& blueprint,
                                   SharedWork const& shared, Records& records)
    : dispatcher{id, blueprint.clock(id), blueprint.schedule, records},
      memory{make_memory(
          blueprint.spec(id).memory,
          {blueprint.clock(id), blueprint.schedule.graph(),
           records.utilisation[blueprint.schedule.graph().describe(id) + memory_name], shared.drams,
           listener(records, id), shared.memo.is_used(), blueprint.array.execution.kernels},
          shared.models.memories)},
      processing_unit{make_processing_unit(
          blueprint.spec(id),
          {blueprint.clock(id), blueprint.schedule, id, shared.programs, shared.memo, *memory,
           records.utilisation[blueprint.schedule.graph().describe(id) + unit_name]},
          shared.models.units)},
      network_interface{id, blueprint.clock(id), blueprint.schedule.graph(), blueprint.topology,
                        ends_of(blueprint.spec(id), *memory)},
      router{make_own_router(blueprint, id, shared.carriers)} {}

ArrayCores::ArrayCores(Blueprint const& the_blueprint, Records& records, KeptWork& the_kept,
                       MessageCarriers carriers, HardwareModels const& models)
    : blueprint{the_blueprint},
      kept{the_kept},
      synchronizer{the_blueprint.folding(), the_blueprint.hop_latency(),
                   the_blueprint.schedule.graph().barrier_members()} {
  SharedWork const shared{models, kept.programs, kept.memo, kept.drams,
                          carriers_in(blueprint, carriers)};
  for (std::size_t index = 0; index < blueprint.topology.accelerators(); ++index) {
    accelerators.emplace_back(AcceleratorId{index}, blueprint, shared, records);
  }
  build_fabric(records, shared);
}

void ArrayCores::build_fabric(Records& records, SharedWork const& shared) {
  arch::Topology const& topology = blueprint.topology;
  if (blueprint.array.fabric.packets) {
    packets.emplace(blueprint.array.fabric, topology, records.utilisation, shared.models.networks);
    return;
  }
  if (shared.carriers == MessageCarriers::one_core) {
    std::vector<MessageCore::Ends> ends;
    for (auto& cores : accelerators) ends.push_back({&cores.dispatcher, &cores.network_interface});
    messages.emplace(std::move(ends), blueprint.schedule.graph(), topology, blueprint.hop_latency(),
                     records.utilisation);
    return;
  }
  for (std::size_t node = accelerators.size(); node < topology.node_names().size(); ++node) {
    switches.push_back(make_router(blueprint, arch::NodeId{node}));
  }
  for (arch::LinkId const id : topology.links().ids()) {
    arch::Link const& spec = topology.links()[id];
    links.emplace_back(spec, blueprint.hop_latency(), lane_of(blueprint, id),
                       records.utilisation[spec.name]);
  }
}

std::vector<Resource> ArrayCores::resources() const {
  arch::Topology const whole{blueprint.array};
  std::vector<Resource> all;
  for (std::size_t index = 0; index < whole.accelerators(); ++index) {
    list_accelerator(whole.node_names()[index], blueprint.folding().representative(index), all);
  }
  list_switches(whole, all);
  list_links(whole, all);
  auto const& synchronized = synchronizer.statistics();
  all.push_back({Resource::Kind::synchronizer, "synchronizer", &synchronized});
  return all;
}

IdVector<TaskId, TaskWork> ArrayCores::work() {
  IdVector<TaskId, TaskWork> all;
  auto const& tasks = blueprint.schedule.graph().tasks();
  all.reserve(tasks.size());
  for (auto const& task : tasks) all.push_back(work_of(task));
  return all;
}

TaskWork ArrayCores::work_of(Task const& task) {
  auto const& spec = blueprint.spec(task.accelerator);
  switch (task.kind) {
    case TaskKind::load:
    case TaskKind::store:
      return {task.bytes};
    case TaskKind::compute: {
      auto const* const unit = std::get_if<arch::CoreUnitSpec>(&spec.processing_unit);
      if (unit == nullptr) return {};
      auto const totals = kept.programs.totals(unit->core, blueprint.schedule.graph(), task);
      return {totals.memory_traffic, totals.compute, totals.kernel_starts, totals.behind_loads};
    }
    case TaskKind::transfer: {
      bool const is_added_up = task.reduces;  // so it is read at its destination, too
      auto const read = spec.transfer_block ? task.bytes : Bytes{0};
      bool const is_written = blueprint.spec(task.destination).transfer_block.has_value();
      auto const written = is_written ? task.bytes : Bytes{0};
      return {read + written * (is_added_up ? 2 : 1)};
    }
    case TaskKind::barrier:
      break;
  }
  return {};
}

void ArrayCores::list_accelerator(std::string const& name, std::size_t representative,
                                  std::vector<Resource>& into) const {
  using Kind = Resource::Kind;
  AcceleratorCores const& cores = accelerators[representative];
  auto const stand_in = blueprint.topology.node_names()[representative];
  into.push_back({Kind::dispatcher, name + ".dispatcher", &cores.dispatcher.statistics()});
  into.push_back({Kind::processing_unit, name + unit_name, &cores.processing_unit->statistics()});
  into.back().histogram = stand_in + unit_name;
  into.push_back({Kind::memory, name + memory_name, &cores.memory->statistics()});
  into.back().histogram = stand_in + memory_name;
  into.push_back({Kind::network_interface, name + ".network-interface",
                  &cores.network_interface.statistics()});
  arch::NodeId const node{representative};
  if (!blueprint.has_message_router(node)) return;
  into.push_back({Kind::router, name + ".router",
                  messages ? &messages->fabric().statistics(node) : &cores.router->statistics()});
}

/// One resource for all routers of a fabric in packets.
void ArrayCores::list_switches(arch::Topology const& whole, std::vector<Resource>& into) const {
  if (packets) {
    into.push_back({Resource::Kind::router, "routers", &packets->statistics()});
    return;
  }
  auto const nodes = whole.node_names().size();
  auto const stand_in = [&](std::size_t node) {
    return blueprint.topology.stand_in(whole, arch::NodeId{node}).index() - accelerators.size();
  };
  auto const own = blueprint.topology.node_names().size() - accelerators.size();
  std::vector<std::size_t> stands_for(own, 0);
  for (auto node = whole.accelerators(); node < nodes; ++node) ++stands_for[stand_in(node)];
  for (auto node = whole.accelerators(); node < nodes; ++node) {
    auto const place = stand_in(node);
    into.push_back({Resource::Kind::router, whole.node_names()[node], &switch_statistics(place)});
    into.back().times = times(stands_for[place]);
  }
}

void ArrayCores::list_links(arch::Topology const& whole, std::vector<Resource>& into) const {
  auto const& topology = blueprint.topology;
  std::vector<std::size_t> stands_for(topology.links().size(), 0);
  for (auto const id : whole.links().ids()) ++stands_for[topology.stand_in(whole, id).index()];
  for (auto const id : whole.links().ids()) {
    auto const stand_in = topology.stand_in(whole, id);
    auto const& link = whole.links()[id];
    into.push_back({Resource::Kind::link, link.name, &link_statistics(stand_in)});
    into.back().lanes = link.lanes;
    into.back().histogram = topology.links()[stand_in].name;
    into.back().times = times(stands_for[stand_in.index()]);
  }
}

std::vector<Statistic> const& ArrayCores::link_statistics(arch::LinkId link) const {
  if (packets) return packets->statistics(link);
  return messages ? messages->fabric().statistics(link) : links[link.index()].statistics();
}

std::vector<Statistic> const& ArrayCores::switch_statistics(std::size_t index) const {
  if (!messages) return switches[index].statistics();
  return messages->fabric().statistics(arch::NodeId{accelerators.size() + index});
}

/// All copies of its accelerators send over as many copies of a core: its share of them.
std::int64_t ArrayCores::times(std::size_t stands_for) const {
  auto const copies = blueprint.folding().copies();
  EXPECTS(copies % stands_for == 0, copies, stands_for);
  return static_cast<std::int64_t>(copies / stands_for);
}

RepeatedBlocks ArrayCores::repeated_blocks() const {
  RepeatedBlocks blocks;
  for (AcceleratorCores const& cores : accelerators) blocks += cores.memory->repeated_blocks();
  return blocks;
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
