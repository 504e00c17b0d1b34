// A TPU-v3 core against cycles that a third party measured, and a chip against a published training rate: the networks below, as
// `tessera probe compute --core tpu-v3 --memory core -w NETWORK` computes them.
//
// Tensors stream as fp32 and are multiplied in bf16, as XLA does by default. Left out: the input pipeline, batch normalisation,
// the all-reduce.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/model/compute/layer_costs.hpp"
#include "sim/validation/suites.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

using Kind = Tolerance::Kind;
using workloads::Phase;

/// A network of the zoo, or what is in a file of one.
struct MeasuredNetwork {
  char const* title;
  char const* zoo_name;
  char const* batch;
  char const* input;
  char const* operators;
};

constexpr std::array<MeasuredNetwork, 10> measured_networks = {{
    {"gemm_256x256x256", "", "256", "features: 256",
     "{name: y, kind: linear, input: x, outputs: 256}"},
    {"gemm_1024x1024x1024", "", "1024", "features: 1024",
     "{name: y, kind: linear, input: x, outputs: 1024}"},
    {"conv_64x28x28x128x128x3x1x1", "", "64", "channels: 128, rows: 28, columns: 28",
     "{name: y, kind: conv, input: x, filters: 128, kernel: 3, padding: 1}"},
    {"conv_64x7x7x512x512x3x1x1", "", "64", "channels: 512, rows: 7, columns: 7",
     "{name: y, kind: conv, input: x, filters: 512, kernel: 3, padding: 1}"},
    {"layernorm_512x768", "", "512", "features: 768", "{name: y, kind: layer_norm, input: x}"},
    {"softmax_512x512", "", "512", "features: 512", "{name: y, kind: softmax, input: x}"},
    {"softmax_8192x8192", "", "8192", "features: 8192", "{name: y, kind: softmax, input: x}"},
    {"attention_16x512x64", "", "1", "positions: 512, features: 1024",
     "{name: k, kind: recast, input: x, positions: 512, features: 1024}, "
     "{name: v, kind: recast, input: x, positions: 512, features: 1024}, "
     "{name: s, kind: scores, inputs: [x, k], heads: 16}, {name: p, kind: softmax, input: s}, "
     "{name: y, kind: context, inputs: [p, v]}"},
    {"resnet18", "accpar/resnet-18", "1", "", ""},
    {"resnet50", "accpar/resnet-50", "1", "", ""},
}};

workloads::Network network_of(MeasuredNetwork const& measured) {
  std::string const batch = measured.batch;
  if (*measured.zoo_name != '\0') return workloads::load(measured.zoo_name, {"batch=" + batch});
  auto const text = std::string{"{schema: tessera.network/1, name: measured, batch: "} + batch +
                    ", element: fp32, input: {name: x, " + measured.input + "}, operators: [" +
                    measured.operators + "]}";
  return workloads::network_from(read_config_text(text, measured.title));
}

MeasuredNetwork const& measured_network(std::string const& title) {
  auto const* const found =
      std::find_if(measured_networks.begin(), measured_networks.end(),
                   [&](MeasuredNetwork const& network) { return network.title == title; });
  EXPECTS(found != measured_networks.end(), title);
  return *found;
}

ComputeCost cost_of(arch::CoreSpec const& core, workloads::Network const& network,
                    std::vector<Phase> const& phases) {
  ComputeOptions options;
  options.memory = ComputeOptions::Memory::core;
  return total(layer_costs(core, network, phases, options));
}

Row tpu_v3_row(std::string source, std::string title, std::string metric) {
  Row row;
  row.suite = "tpu-v3";
  row.source = std::move(source);
  row.title = std::move(title);
  row.metric = std::move(metric);
  return row;
}

constexpr char const* artifact = "PyTorchSim artifact";

Row measured_row(ConfigMap line) {
  auto row = tpu_v3_row(artifact, line.required<std::string>("workload"), "cycles");
  row.reference = Figure::written(line.required<std::string>("measured_cycles"));
  auto const network = network_of(measured_network(row.title));
  auto const cost = cost_of(arch::load_core("tpu-v3"), network, {Phase::forward});
  row.value = Figure::of_count(cost.cycles.value());
  row.tolerance = {Kind::relative, 0.20};
  row.note = line.required<std::string>("explanation");
  for (auto const* const peer : {"mnpusim", "timeloop", "maestro", "scalesim_v3"}) {
    static_cast<void>(line.required<std::string>(peer));  // what they say: for readers
  }
  line.finish();
  return judged(row);
}

Row mean_error_row(std::vector<Row> const& measured) {
  double sum = 0;
  for (auto const& row : measured) sum += std::fabs(row.error);
  auto row = tpu_v3_row(artifact, "all", "mean absolute error");
  row.unit = "%";
  row.reference = Figure::written("10");
  row.value = Figure::of(100 * sum / static_cast<double>(measured.size()));
  row.tolerance.kind = Kind::at_most;
  return judged(row);
}

/// A training step of ResNet-50 on one of the 1024 chips that share a batch of 32768.
Row training_row() {
  constexpr std::int64_t images = 32;
  auto const chip = arch::viewed(arch::load_core("tpu-v3"), arch::CoreView::chip);
  auto const network = workloads::load("accpar/resnet-50", {"batch=" + std::to_string(images)});
  auto const step =
      cost_of(chip, network, {workloads::own_phases.begin(), workloads::own_phases.end()});
  auto const seconds =
      static_cast<double>(step.cycles.value()) / static_cast<double>(chip.clock.value());
  auto row = tpu_v3_row("arXiv 1811.06992", "ResNet-50, one chip of 1024", "training rate");
  row.unit = "images/s";
  row.reference = Figure::written("1025");  // 1.05 M images/s on 1024 chips
  row.value = Figure::of(images / seconds);
  row.tolerance = {Kind::relative, 0.20};
  row.deviation = "D7";
  return judged(row);
}

/// Two operations per MAC, of a whole chip.
Row peak_row(std::string const& core, std::string const& published) {
  auto const chip = arch::viewed(arch::load_core(core), arch::CoreView::chip);
  auto row = tpu_v3_row("CACM 63(7), 2020, Table 3", core + " chip", "peak");
  row.unit = "TFLOPS";
  row.reference = Figure::written(published);
  row.value = Figure::of(2e-12 * static_cast<double>(chip.macs_per_cycle()) *
                         static_cast<double>(chip.clock.value()));
  row.tolerance = {Kind::absolute, 0.5};  // half of the last printed digit
  return judged(row);
}

class TpuV3Suite final : public Suite {
 public:
  [[nodiscard]] std::vector<Row> run(ValidationOptions const& /*options*/) const override {
    std::vector<Row> rows;
    for (auto const& line : reference_table("tpu-v3/cycles")) {
      rows.push_back(measured_row(line.as_map()));
    }
    rows.push_back(mean_error_row(rows));
    rows.push_back(training_row());
    rows.push_back(peak_row("tpu-v2", "46"));
    rows.push_back(peak_row("tpu-v3", "123"));
    return rows;
  }
};

}  // namespace

std::unique_ptr<Suite> tpu_v3_suite() { return std::make_unique<TpuV3Suite>(); }

}  // namespace tessera::sim
