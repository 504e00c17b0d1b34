#include "partition/search/pipeline_problem.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "arch/fabric/topology_spec.hpp"
#include "partition/price/work.hpp"

namespace tessera::partition {

using workloads::Phase;

namespace {

constexpr std::array<Phase, 3> computing_phases = {Phase::forward, Phase::backward_data,
                                                   Phase::backward_weight};

double bytes_per_second(Bandwidth bandwidth) { return static_cast<double>(bandwidth.value()) / 8; }

/// Half the links as many at every level down, or all alike: lanes times their bandwidth.
std::vector<PipelineLevel> levels_of_htree(arch::ArraySpec const& array) {
  auto const hierarchy = array.hierarchy();
  std::vector<PipelineLevel> levels;
  for (auto level = array.levels(); level >= 1; --level) {
    auto const lanes = hierarchy.group_size(static_cast<std::size_t>(level));
    auto const lane = bytes_per_second(array.lane_bandwidth(level));
    levels.push_back(
        {static_cast<std::int64_t>(hierarchy.ways(static_cast<std::size_t>(level) - 1)),
         lane * static_cast<double>(lanes)});
  }
  return levels;
}

std::vector<PipelineLevel> levels_of_tree(arch::TopologySpec const& tree) {
  std::vector<PipelineLevel> levels;
  for (auto level = tree.shape.size(); level-- > 0;) {
    bool const is_lowest = level + 1 == tree.shape.size();
    auto const& wire = is_lowest ? tree.port.value_or(tree.links.back())
                                 : tree.links[std::min(level, tree.links.size() - 1)];
    levels.push_back({tree.shape[level], bytes_per_second(wire.bandwidth)});
  }
  return levels;
}

/// Measured, where the network's tensor had to be larger.
double output_bytes(workloads::Network const& network, workloads::Operator const& op,
                    arch::AcceleratorSpec const& accelerator) {
  auto const* const unit = std::get_if<arch::ProfileUnitSpec>(&accelerator.processing_unit);
  auto const measured = unit == nullptr ? std::nullopt : unit->profile.of(op.name).output;
  if (!measured) return static_cast<double>(network.bytes(op.output.tensor).value());
  return static_cast<double>(measured->value()) * static_cast<double>(network.batch()) /
         static_cast<double>(unit->profile.batch);
}

double narrowest_link(arch::Interconnect const& graph) {
  auto narrowest = std::numeric_limits<double>::infinity();
  for (auto const& channel : graph.channels()) {
    if (channel.is_internal) continue;
    narrowest = std::min(narrowest, bytes_per_second(channel.wire.bandwidth));
  }
  return narrowest;
}

std::vector<PipelineLevel> levels_of_network(arch::ArraySpec const& array) {
  auto const topology = arch::topology_from(array.fabric.network);
  bool const is_tree = topology.kind == arch::TopologySpec::Kind::tree && topology.members.empty();
  if (is_tree) return levels_of_tree(topology);
  return {{array.accelerators, narrowest_link(*array.fabric.graph)}};
}

}  // namespace

PipelineGraph pipeline_graph(workloads::Network const& network,
                             arch::AcceleratorSpec const& accelerator) {
  PipelineGraph graph;
  for (auto const id : network.operators().ids()) {
    auto const& op = network.at(id);
    PipelineNode node;
    for (auto const phase : computing_phases) {
      node.compute_s += seconds_on_one(accelerator, op, phase);
    }
    node.activation_bytes = output_bytes(network, op, accelerator);
    if (op.weight) {
      node.parameter_bytes = static_cast<double>(network.bytes(op.weight->tensor).value());
    }
    graph.nodes.push_back(node);
    for (auto const& input : op.inputs) {
      auto const producer = network.at(input.tensor).producer;
      if (producer) graph.edges.push_back({producer->index(), id.index()});
    }
  }
  return graph;
}

PipelineGraph pipeline_graph(Problem const& problem) {
  auto const& groups = problem.array.groups;
  if (groups.size() == 1) return pipeline_graph(problem.network, groups.front().accelerator);
  throw ConfigError{{},
                    "arch.groups",
                    "planners of pipelines know accelerators of one kind only (their times are of "
                    "one); use an array of one group"};
}

std::vector<PipelineLevel> pipeline_levels(arch::ArraySpec const& array) {
  using Topology = arch::FabricSpec::Topology;
  if (array.accelerators == 1) return {{1, bytes_per_second(Bandwidth{8})}};  // never used
  if (array.fabric.topology == Topology::htree) return levels_of_htree(array);
  if (array.fabric.topology == Topology::network) return levels_of_network(array);
  return {{array.accelerators, bytes_per_second(array.lane_bandwidth(1))}};
}

PipelinePartition pipedream_stages(Problem const& problem, std::vector<PipelineState> const& states,
                                   PipeDreamOptions const& options) {
  auto found = pipedream_partition(states, pipeline_levels(problem.array), options);
  if (found) return *std::move(found);
  throw ConfigError{{},
                    "planner",
                    "no partition of " + problem.network.name() + " into stages uses all of " +
                        std::to_string(problem.array.accelerators) +
                        " accelerators within the planner's limits (of memory, or a straight "
                        "pipeline has a stage for each); use fewer accelerators or a higher limit"};
}

}  // namespace tessera::partition
