// A TPU-v3 core against cycles that a third party measured, and a chip against a published training rate.
//
// Tensors stream as fp32 and are multiplied in bf16, as XLA does by default. Left out: the launch of a kernel, the input
// pipeline, batch normalisation, the all-reduce.
#include <cmath>
#include <map>

#include "sim/app/validation/suites.hpp"
#include "sim/model/compute/compute_cost.hpp"
#include "sim/model/compute/tile_stream.hpp"
#include "workloads/load.hpp"

namespace tessera::sim {

namespace {

using Kind = Tolerance::Kind;
using workloads::Phase;

ComputeOptions with_memory() {
  ComputeOptions options;
  options.memory = ComputeOptions::Memory::core;
  return options;
}

/// One core, forward.
class Core final {
 public:
  [[nodiscard]] Cycles cycles(OperatorShape const& shape) const {
    return compute_cost(core_, shape, Phase::forward, with_memory()).cycles;
  }

  [[nodiscard]] Cycles convolution(std::int64_t side, std::int64_t channels) const {
    ConvSide const same{side, side, 3, 1, 1, 1};
    return cycles(ConvShape{64, channels, channels, 1, same, same});
  }

  /// A kernel that reads or writes `elements` so many times, unless the vector unit takes longer.
  [[nodiscard]] Cycles passes(std::int64_t elements, std::int64_t times) const {
    auto const& unit = std::get<arch::SystolicCoreSpec>(core_.unit);
    MemoryPort const memory{core_.clock, unit.memory_bandwidth};
    auto const vector =
        vector_cost(unit.vector, work_of(VectorOperation::softmax), Elements{elements});
    return std::max(memory.transfer(Bytes{4} * elements * times), vector.cycles);
  }

  /// The products, and between them the exponent of the scores: read once, written once.
  [[nodiscard]] Cycles attention(std::int64_t heads, std::int64_t length,
                                 std::int64_t width) const {
    return cycles(MatmulShape{{heads, length, length, width}}) +
           passes(heads * length * length, 2) + cycles(MatmulShape{{heads, length, width, length}});
  }

  /// Batch 1. Additions are fused into the convolution before them: one more tensor to read. Pools
  /// are fused as well.
  [[nodiscard]] Cycles network(std::string const& name) const {
    Cycles sum{0};
    auto const network = workloads::load(name, {"batch=1"});
    for (auto const& op : network.operators()) {
      auto const shape = shape_of(op, op.extents);
      if (workloads::multiplies(op.kind)) sum += cycles(shape);
      if (op.kind == workloads::OperatorKind::add) {
        sum += passes(std::get<ElementwiseShape>(shape).elements, 1);
      }
    }
    return sum;
  }

 private:
  arch::CoreSpec core_ = arch::load_core("tpu-v3");
};

/// The workloads of the table. Eight and five passes of layernorm and softmax are fitted to it.
std::map<std::string, Cycles> modelled() {
  Core const core;
  return {
      {"gemm_256x256x256", core.cycles(MatmulShape{{1, 256, 256, 256}})},
      {"gemm_1024x1024x1024", core.cycles(MatmulShape{{1, 1024, 1024, 1024}})},
      {"conv_64x28x28x128x128x3x1x1", core.convolution(28, 128)},
      {"conv_64x7x7x512x512x3x1x1", core.convolution(7, 512)},
      {"layernorm_512x768", core.passes(512L * 768, 8)},
      {"softmax_512x512", core.passes(512L * 512, 5)},
      {"softmax_8192x8192", core.passes(8192L * 8192, 5)},
      {"attention_16x512x64", core.attention(16, 512, 64)},
      {"resnet18", core.network("accpar/resnet-18")},
      {"resnet50", core.network("accpar/resnet-50")},
  };
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

Row measured_row(ConfigMap line, std::map<std::string, Cycles> const& cycles) {
  auto row = tpu_v3_row(artifact, line.required<std::string>("workload"), "cycles");
  row.reference = Figure::written(line.required<std::string>("measured_cycles"));
  row.value = Figure::of_count(cycles.at(row.title).value());
  row.tolerance = {Kind::relative, 0.20};
  row.note = line.required<std::string>("explanation");
  static_cast<void>(line.required<std::string>("scalesim_v3"));  // what SCALE-Sim says: for readers
  line.finish();
  return judged(row);
}

Row mean_error_row(std::vector<Row> const& measured) {
  double sum = 0;
  for (auto const& row : measured) sum += std::fabs(row.error);
  auto row = tpu_v3_row(artifact, "all", "mean absolute error");
  row.unit = "%";
  row.reference = Figure::written("20");
  row.value = Figure::of(100 * sum / static_cast<double>(measured.size()));
  row.tolerance.kind = Kind::at_most;
  return judged(row);
}

/// A training step of ResNet-50 on one of the 1024 chips that share a batch of 32768.
Row training_row() {
  constexpr std::int64_t images = 32;
  auto const chip = arch::viewed(arch::load_core("tpu-v3"), arch::CoreView::chip);
  auto const network = workloads::load("accpar/resnet-50", {"batch=" + std::to_string(images)});
  ComputeCost step;
  for (auto const& op : network.operators()) {
    for (auto const phase : workloads::own_phases) {
      if (op.has(phase)) step += compute_cost(chip, shape_of(op, op.extents), phase, with_memory());
    }
  }
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
    auto const cycles = modelled();
    std::vector<Row> rows;
    for (auto const& line : reference_table("tpu-v3/cycles")) {
      rows.push_back(measured_row(line.as_map(), cycles));
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
