// Plans as YAML, in and out.
#include <array>
#include <iomanip>
#include <limits>
#include <map>
#include <sstream>
#include <utility>

#include "arch/base/config_name.hpp"
#include "partition/plan/plan.hpp"

namespace tessera::partition {

using workloads::Dim;
using workloads::OperatorId;
using workloads::Phase;

namespace {

char const* const schema = "tessera.plan/2";
char const* const schema_without_pipelines = "tessera.plan/1";
char const* const not_split = "-";

/// Reading it gives the same number.
std::string exact_text(double value) {
  std::ostringstream text;
  text << std::setprecision(std::numeric_limits<double>::max_digits10) << value;
  return text.str();
}

std::optional<Split> split_from(ConfigNode const& node, std::string const& name) {
  if (name == not_split) return std::nullopt;
  std::vector<std::string> names{not_split};
  for (auto const dim : workloads::all_dims) {
    if (name == workloads::name(dim)) return dim;
    names.emplace_back(workloads::name(dim));
  }
  throw node.error(unknown_name("dimension", name, names));
}

/// "n", "-", or with the share of the first half, {n: 0.3}.
std::optional<Split> split_from(ConfigNode const& node) {
  if (node.kind() != ConfigNode::Kind::map) return split_from(node, node.as<std::string>());
  if (node.entries().size() != 1) {
    throw node.error("a split is one dimension, or one with a share: {n: 0.3}");
  }
  auto const& [name, share] = node.entries().front();
  auto split = split_from(node, name);
  if (!split) throw node.error("what is not split has no share; write \"-\"");
  split->first = share.as<double>();
  return split;
}

Splits splits_from(ConfigNode const& node, workloads::Operator const& op) {
  Splits splits;
  for (auto const& entry : node.as_list()) {
    auto const split = split_from(entry);
    auto const problem = split ? split_problem(op, split->dim) : "";
    if (!problem.empty()) throw entry.error(problem);
    splits.push_back(split);
  }
  return splits;
}

ConfigNode to_config(std::optional<Split> const& split) {
  if (!split) return ConfigNode::scalar(not_split);
  if (split->is_even()) return ConfigNode::scalar(workloads::name(split->dim));
  auto map = ConfigNode::map();
  map.add(workloads::name(split->dim), exact_text(split->first));
  return map;
}

ConfigNode to_config(Splits const& splits) {
  auto list = ConfigNode::list();
  for (auto const& split : splits) {
    list.append(to_config(split));
  }
  return list;
}

ConfigNode to_config(Prediction const& predicted) {
  auto map = ConfigNode::map();
  map.add("time_s", exact_text(predicted.time_s));
  map.add("communication", to_text(predicted.communication));
  map.add("energy_j", exact_text(predicted.energy_j));
  return map;
}

Prediction prediction_from(ConfigNode const& node) {
  auto map = node.as_map();
  Prediction predicted;
  map.require({"time_s", "communication", "energy_j"});
  for (auto const* const key : {"time_s", "energy_j"}) {
    if (map.required<double>(key) < 0) throw map.node(key).error("is negative");
  }
  predicted.time_s = map.required<double>("time_s");
  predicted.communication = map.required<Bytes>("communication");
  predicted.energy_j = map.required<double>("energy_j");
  map.finish();
  return predicted;
}

/// The axis of its replicas is not among those that a stage's file splits operators along.
bool has_replicas(std::optional<Pipeline> const& pipeline,
                  IdVector<OperatorId, StagePart> const& parts, OperatorId op) {
  return pipeline && pipeline->stages[parts[op].stage].replicas > 1;
}

IdVector<OperatorId, StagePart> parts_of(std::optional<Pipeline> const& pipeline,
                                         workloads::Network const& network) {
  return pipeline ? parts_of(*pipeline, network) : IdVector<OperatorId, StagePart>{};
}

double gap_from(ConfigNode const& node) {
  auto const gap = node.as<double>();
  if (gap > 0 && gap <= 1) return gap;
  throw node.error(
      "an optimality gap is more than 0 and at most 1 (the part of the cost that is not "
      "proven necessary); leave it out where the plan is optimal");
}

std::string phase_key(Phase phase) { return workloads::name(phase); }

/// The backward phases that a file may give splits of their own.
constexpr std::array<Phase, 2> phases_with_splits{Phase::backward_data, Phase::backward_weight};

/// One list for all phases, or a map with the forward phase's and others.
struct OperatorSplits {
  Splits forward;
  std::map<Phase, Splits> of_phase;
};

OperatorSplits operator_splits_from(ConfigNode const& node, workloads::Operator const& op) {
  if (node.kind() != ConfigNode::Kind::map) return {splits_from(node, op), {}};
  auto map = node.as_map();
  map.require({phase_key(Phase::forward)});
  OperatorSplits all{splits_from(map.node(phase_key(Phase::forward)), op), {}};
  for (auto const phase : phases_with_splits) {
    auto const* const own = map.find(phase_key(phase));
    if (own == nullptr) continue;
    if (!op.has(phase)) {
      throw own->error("operator '" + op.name + "' has no such phase; leave it out");
    }
    auto splits = splits_from(*own, op);
    if (splits != all.forward) all.of_phase.emplace(phase, std::move(splits));
  }
  map.finish();
  return all;
}

/// Every operator of the network, once; a name that the network lacks is an error at its entry.
void read_operators(Plan& plan, ConfigNode const& node, workloads::Network const& network) {
  auto map = node.as_map();
  auto const parts = parts_of(plan.pipeline, network);
  std::vector<std::string> names;
  for (auto const& op : network.operators()) names.push_back(op.name);
  map.require(names);
  for (auto const id : network.operators().ids()) {
    auto const& op = network.at(id);
    auto const along_mesh = [&](Splits splits) {
      if (has_replicas(plan.pipeline, parts, id)) splits.insert(splits.begin(), std::nullopt);
      return splits;
    };
    auto all = operator_splits_from(map.node(op.name), op);
    plan.splits.push_back(along_mesh(std::move(all.forward)));
    for (auto& [phase, splits] : all.of_phase) {
      plan.phase_splits.emplace(std::pair{id, phase}, along_mesh(std::move(splits)));
    }
  }
  map.finish();
}

/// That an operator has a split for each level of the array, or for each axis of its stage.
void expect_depth(ConfigNode const& splits, std::size_t depth, std::string const& whose) {
  auto const written = splits.as_list().size();
  if (written == depth) return;
  throw splits.error("has " + std::to_string(written) + " levels, but " + whose + " " +
                     std::to_string(depth) + "; write a split, or \"-\", for each");
}

void expect_depths(ConfigNode const& operators, Plan const& plan,
                   workloads::Network const& network) {
  auto const parts = parts_of(plan.pipeline, network);
  auto const expect = [&](std::string const& name, ConfigNode const& splits) {
    if (plan.pipeline) {
      auto const stage = parts[network.find(name)].stage;
      expect_depth(splits, plan.pipeline->stages[stage].free_axes(),
                   "the mesh of stage " + std::to_string(stage.index()) + " has");
    } else {
      expect_depth(splits, plan.hierarchy().levels(),
                   "the " + std::to_string(plan.accelerators) + " accelerators have");
    }
  };
  for (auto const& [name, splits] : operators.entries()) {
    if (splits.kind() != ConfigNode::Kind::map) {
      expect(name, splits);
      continue;
    }
    for (auto const& [phase, own] : splits.entries()) expect(name, own);
  }
}

/// Where a plan's file says what is wrong with "operators.conv1"; the whole, if nowhere.
ConfigNode const& node_at(ConfigMap& map, std::string const& key_path) {
  auto const dot = key_path.find('.');
  auto const* const node =
      map.find(key_path == "workload.batch" ? "batch" : key_path.substr(0, dot));
  if (node == nullptr) return map.whole();
  if (node->kind() != ConfigNode::Kind::map) return *node;
  for (auto const& [name, entry] : node->entries()) {
    if (dot != std::string::npos && name == key_path.substr(dot + 1)) return entry;
  }
  return *node;
}

/// As it is read; `skips_first`: the axis of replicas.
ConfigNode operator_config(Plan const& plan, OperatorId op, bool skips_first) {
  auto const written = [skips_first](Splits splits) {
    if (skips_first) splits.erase(splits.begin());
    return to_config(splits);
  };
  auto phases = ConfigNode::map();
  phases.add(phase_key(Phase::forward), written(plan.splits[op]));
  for (auto const phase : phases_with_splits) {
    auto const own = plan.phase_splits.find({op, phase});
    if (own != plan.phase_splits.end()) phases.add(phase_key(phase), written(own->second));
  }
  return phases.entries().size() == 1 ? written(plan.splits[op]) : phases;
}

}  // namespace

ConfigNode heading_of(Plan const& plan) {
  return ConfigNode::map()
      .add("planner", plan.planner)
      .add("network", plan.network)
      .add("array", plan.array)
      .add("batch", std::to_string(plan.batch))
      .add("accelerators", std::to_string(plan.accelerators));
}

ConfigNode to_config(Plan const& plan, workloads::Network const& network) {
  std::vector<std::pair<std::string, ConfigNode>> operators;
  auto const parts = parts_of(plan.pipeline, network);
  for (auto const op : network.operators().ids()) {
    operators.emplace_back(network.at(op).name,
                           operator_config(plan, op, has_replicas(plan.pipeline, parts, op)));
  }
  auto root = ConfigNode::map();
  root.add("schema",
           plan.pipeline || !plan.phase_splits.empty() ? schema : schema_without_pipelines);
  auto const heading = heading_of(plan);  // there while its entries are
  for (auto const& [key, value] : heading.entries()) root.add(key, value);
  if (plan.optimality_gap > 0) root.add("optimality_gap", exact_text(plan.optimality_gap));
  if (plan.pipeline) root.add("pipeline", to_config(*plan.pipeline, network));
  root.add("operators", ConfigNode::map(std::move(operators)));
  if (plan.predicted) root.add("predicted", to_config(*plan.predicted));
  return root;
}

Plan plan_from(ConfigNode const& node, workloads::Network const& network,
               arch::ArraySpec const& array) {
  auto map = node.as_map();
  auto const version = map.required<std::string>("schema");
  map.expect_schema(version == schema_without_pipelines ? version : schema, "a plan",
                    {"planner", "network", "array", "batch", "accelerators", "operators"});
  Plan plan;
  plan.planner = read_name(map.node("planner"));
  plan.network = read_name(map.node("network"));
  plan.array = read_name(map.node("array"));
  plan.batch = map.required<std::int64_t>("batch");
  plan.accelerators = map.required<std::int64_t>("accelerators");
  if (plan.network != network.name()) {
    throw map.node("network").error("the plan is for '" + plan.network + "', the workload is '" +
                                    network.name() + "' (a plan names every operator); plan '" +
                                    network.name() + "' anew");
  }
  if (auto const* const gap = map.find("optimality_gap")) plan.optimality_gap = gap_from(*gap);
  if (auto const* const pipeline = map.find("pipeline")) {
    if (version != schema) {
      throw pipeline->error(std::string{"stages are of a newer schema; write 'schema: "} + schema +
                            "'");
    }
    plan.pipeline = pipeline_from(*pipeline, network, static_cast<std::size_t>(array.accelerators));
  }
  read_operators(plan, map.node("operators"), network);
  if (!plan.phase_splits.empty() && version != schema) {
    throw map.node("operators")
        .error(std::string{"splits of phases are of a newer schema; write 'schema: "} + schema +
               "'");
  }
  if (plan.accelerators == array.accelerators) {
    expect_depths(map.node("operators"), plan, network);
  }
  if (auto const* const predicted = map.find("predicted")) {
    plan.predicted = prediction_from(*predicted);
  }
  map.finish();
  try {
    validate(plan, network, array);
  } catch (ConfigError const& error) {
    throw node_at(map, error.key_path()).error(error.problem());
  }
  return plan;
}

Plan load_plan(std::string const& path, workloads::Network const& network,
               arch::ArraySpec const& array) {
  return plan_from(read_config_file(path), network, array);
}

}  // namespace tessera::partition
