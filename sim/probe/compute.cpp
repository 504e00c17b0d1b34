// `tessera probe compute`: products, layers or networks on one PE array, phase by phase.
#include <memory>
#include <optional>

#include "sim/command/options.hpp"
#include "sim/import/topology_file.hpp"
#include "sim/probe/compute_report.hpp"
#include "sim/probe/probes.hpp"
#include "sim/study/settings.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

using workloads::Phase;

struct TypedOptions {
  std::optional<std::string> array;
  std::optional<std::string> dataflow;
  std::optional<std::string> schedule;
  std::optional<std::string> core;
  std::optional<std::string> eyeriss;
  std::vector<std::int64_t> gemm;
  std::optional<std::string> layers;
  std::optional<std::string> workload;
  std::string phase = "forward";
  std::optional<std::int64_t> batch;
  std::vector<std::string> settings;
  std::string memory = "ideal";
  ReportOptions report;
};

/// The overrides of --set and --batch.
struct Overrides {
  std::vector<std::string> workload;
  std::vector<std::string> core;
};

Overrides overrides_of(TypedOptions const& options) {
  auto parts = split_by_prefix(options.settings, {"workload", "core"});
  if (options.batch) parts[0].push_back("batch=" + std::to_string(*options.batch));
  return {parts[0], parts[1]};
}

/// "128x256"
std::pair<std::int64_t, std::int64_t> sides_of(std::string const& text) {
  constexpr std::int64_t largest = 4096;
  auto const by = text.find('x');
  if (by == std::string::npos) {
    throw ConfigError({"--array"}, {}, in_quotes(text) + " is not ROWSxCOLUMNS, such as 128x128");
  }
  auto const side = [&](std::string const& digits) {
    auto node = ConfigNode::scalar(digits);
    node.set_origin({"--array"});
    auto const value = node.as<std::int64_t>();
    if (value >= 1 && value <= largest) return value;
    throw node.error("a side must be from 1 to " + std::to_string(largest));
  };
  return {side(text.substr(0, by)), side(text.substr(by + 1))};
}

/// One array as SCALE-Sim has it, in a core that is otherwise a TPU-v3's.
arch::CoreSpec plain_core(TypedOptions const& options, std::vector<std::string> const& overrides) {
  auto const [rows, columns] = sides_of(*options.array);
  auto const dataflow = options.dataflow.value_or("ws");
  auto const word = dataflow == "ws" ? "weight" : dataflow == "os" ? "output" : "input";
  std::vector<std::string> plain = {
      "array={rows: " + std::to_string(rows) + ", columns: " + std::to_string(columns) +
          ", arrays: 1, dataflow: " + word +
          "-stationary, schedule: " + options.schedule.value_or("serial") + ", operands: fixed}",
      "padding={samples: 1, m: 1, n: 1, k: 1}"};
  plain.insert(plain.end(), overrides.begin(), overrides.end());
  auto core = arch::load_core("tpu-v3", plain);
  core.name = std::to_string(rows) + "x" + std::to_string(columns) + " " + dataflow;
  return core;
}

arch::CoreSpec row_stationary_core(std::string const& name,
                                   std::vector<std::string> const& overrides) {
  auto core = arch::load_core(name, overrides);
  if (std::holds_alternative<arch::RowStationaryCoreSpec>(core.unit)) return core;
  throw ConfigError({"--eyeriss"}, {}, in_quotes(name) + " is no row-stationary core; use --core");
}

arch::CoreSpec core_of(TypedOptions const& options, std::vector<std::string> const& overrides) {
  auto const chosen = int{options.array.has_value()} + int{options.core.has_value()} +
                      int{options.eyeriss.has_value()};
  if (chosen != 1) {
    throw ConfigError({}, {}, "probe compute needs one of --array, --core and --eyeriss");
  }
  if (!options.array && (options.dataflow || options.schedule)) {
    throw ConfigError({}, {},
                      "--dataflow and --schedule belong to --array (a core has its own); "
                      "use --set core.array.dataflow=...");
  }
  if (options.array) return plain_core(options, overrides);
  return options.core ? arch::load_core(*options.core, overrides)
                      : row_stationary_core(*options.eyeriss, overrides);
}

std::vector<Phase> phases_of(std::string const& name) {
  if (name == "forward") return {Phase::forward};
  if (name == "backward-data") return {Phase::backward_data};
  if (name == "backward-weight") return {Phase::backward_weight};
  if (name == "update") return {Phase::update};
  return {workloads::own_phases.begin(), workloads::own_phases.end()};
}

/// Layers without a network around them.
std::vector<LayerCost> costs_of(std::vector<NamedShape> const& layers, arch::CoreSpec const& core,
                                std::vector<Phase> const& phases, ComputeOptions const& options) {
  ComputeMemo memo{core, options};
  std::vector<LayerCost> costs;
  for (auto const& layer : layers) {
    for (auto const phase : phases) {
      costs.push_back({layer.name, phase, memo.cost(layer.shape, phase)});
    }
  }
  return costs;
}

NamedShape gemm_of(std::vector<std::int64_t> const& extents) {
  auto const m = extents[0];
  auto const n = extents[1];
  auto const k = extents[2];
  if (is_countable({1, m, n, k})) return {"gemm", linear_shape(m, n, k)};
  throw ConfigError({"--gemm"}, {},
                    "each of M, N and K must be from 1 to 10^9, and their product at "
                    "most 10^15");
}

void check_work(TypedOptions const& options, Overrides const& overrides) {
  auto const chosen = int{!options.gemm.empty()} + int{options.layers.has_value()} +
                      int{options.workload.has_value()};
  if (chosen != 1) {
    throw ConfigError({}, {}, "probe compute needs one of --gemm, --layers and --workload");
  }
  if (!options.workload && !overrides.workload.empty()) {
    throw ConfigError({}, {},
                      "--batch and --set workload.KEY belong to --workload (a product and a "
                      "layer file have their own samples)");
  }
}

ComputeProbe probe_of(TypedOptions const& options) {
  auto const overrides = overrides_of(options);
  check_work(options, overrides);
  ComputeProbe probe;
  probe.core = core_of(options, overrides.core);
  probe.memory =
      options.memory == "core" ? ComputeOptions::Memory::core : ComputeOptions::Memory::ideal;
  ComputeOptions how;
  how.memory = probe.memory;
  if (!options.workload) how.activations = ComputeOptions::Activations::left_out;
  auto const phases = phases_of(options.phase);
  if (options.workload) {
    auto const network = workloads::load(*options.workload, overrides.workload);
    probe.title = network.name() + ", batch " + std::to_string(network.batch());
    probe.phases = layer_costs(probe.core, network, phases, how);
  } else if (options.layers) {
    probe.title = *options.layers;
    probe.phases = costs_of(read_topology(*options.layers), probe.core, phases, how);
  } else {
    probe.title = "M, N, K = " + std::to_string(options.gemm[0]) + ", " +
                  std::to_string(options.gemm[1]) + ", " + std::to_string(options.gemm[2]);
    probe.phases = costs_of({gemm_of(options.gemm)}, probe.core, phases, how);
  }
  return probe;
}

Outcome run(TypedOptions const& options) {
  auto const probe = probe_of(options);
  return {options.report.json ? as_json(probe) : as_text(probe)};
}

void add_core_options(Parser& parser, TypedOptions& options) {
  parser
      .add_option("--array", options.array,
                  "A plain systolic array as SCALE-Sim has it; clock, memory, vector unit and "
                  "energies are those of tpu-v3")
      ->type_name("ROWSxCOLUMNS");
  parser
      .add_option("--dataflow", options.dataflow, "What stays in the PEs of --array; default: ws")
      ->one_of({"ws", "os", "is"})
      ->type_name("ws|os|is");
  parser
      .add_option("--schedule", options.schedule,
                  "Of --array: a fold after the other, or the next one loading under it; default: "
                  "serial")
      ->one_of({"serial", "overlapped"})
      ->type_name("serial|overlapped");
  parser.add_option("--core", options.core, "A built-in core (tessera list cores) or a path")
      ->type_name("CORE");
  parser.add_option("--eyeriss", options.eyeriss, "A row-stationary core")->type_name("CORE");
}

void add_work_options(Parser& parser, TypedOptions& options) {
  parser.add_option("--gemm", options.gemm, "A product of M x K and K x N numbers")
      ->delimiter(',')
      ->expected(3)
      ->one_value_each()
      ->type_name("M,N,K");
  parser.add_option("--layers", options.layers, "A topology file of SCALE-Sim (conv or gemm)")
      ->type_name("FILE.csv");
  parser
      .add_option("-w,--workload", options.workload,
                  "Network: a built-in name (tessera list networks) or a path")
      ->type_name("NETWORK");
  parser.add_option("--phase", options.phase, "Of the training step")
      ->one_of({"forward", "backward-data", "backward-weight", "update", "all"})
      ->capture_default_str()
      ->type_name("forward|backward-data|backward-weight|update|all");
  parser.add_option("--batch", options.batch, "Samples of the network")->type_name("N");
  parser
      .add_option("--set", options.settings,
                  "Override a key: workload.batch=16, core.array.rows=256; may be repeated")
      ->one_value_each()
      ->type_name("KEY=VALUE");
  parser
      .add_option("--memory", options.memory,
                  "Are tiles always there, or do they stream at the core's memory bandwidth?")
      ->one_of({"ideal", "core"})
      ->capture_default_str()
      ->type_name("ideal|core");
}

}  // namespace

Command compute_probe(Parser& probe) {
  auto const options = std::make_shared<TypedOptions>();
  auto* const parser =
      probe.add_subcommand("compute", "Products, layers or networks on a PE array");
  parser->footer(
      "Products and layer files are without activations. Example:\n"
      "  tessera probe compute --array 128x128 --dataflow ws --gemm 512,512,512");
  add_core_options(*parser, *options);
  add_work_options(*parser, *options);
  add_report_options(*parser, options->report);
  return {parser, [options] { return run(*options); }};
}

}  // namespace tessera::sim
