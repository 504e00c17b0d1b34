// Systolic arrays against SCALE-Sim (Samajdar et al., ISPASS 2020; its code, commit 1d62b68): every cycle of its golden traces
// and of 201 recorded layers. Its reports hold the index of the last cycle, one less than the cycles.
#include "sim/model/compute/systolic_array.hpp"
#include "sim/validation/suites.hpp"

namespace tessera::sim {

namespace {

using arch::Dataflow;
using arch::SystolicArraySpec;

constexpr std::int64_t golden_side = 32;

SystolicArraySpec scale_sim_array(std::int64_t side, Dataflow dataflow) {
  return {side,
          side,
          1,
          dataflow,
          SystolicArraySpec::Schedule::serial,
          SystolicArraySpec::Operands::fixed};
}

/// A line of a table, and what its array takes.
struct SystolicCase {
  Gemm gemm;
  std::int64_t side = 1;
  std::string array;  ///< "ws, 32 x 32"
  std::int64_t cycles = 0;
};

SystolicCase case_of(ConfigMap& line, std::int64_t side) {
  SystolicCase found;
  found.gemm.m = line.required<std::int64_t>("M");
  found.gemm.n = line.required<std::int64_t>("N");
  found.gemm.k = line.required<std::int64_t>("K");
  found.side = side;
  auto const text = std::to_string(side);
  found.array = line.required<std::string>("dataflow") + ", " + text + " x " + text;
  auto const dataflow = line.choice<Dataflow>("dataflow", {{"ws", Dataflow::weight_stationary},
                                                           {"os", Dataflow::output_stationary},
                                                           {"is", Dataflow::input_stationary}});
  found.cycles = systolic_cost(scale_sim_array(side, dataflow), found.gemm).cycles.value();
  return found;
}

Row systolic_row(std::string source, std::string title) {
  Row row;
  row.suite = "systolic";
  row.source = std::move(source);
  row.title = std::move(title);
  row.metric = "cycles";
  return row;
}

std::vector<Row> golden_rows() {
  std::vector<Row> rows;
  for (auto const& line : reference_table("systolic/scalesim_golden")) {
    auto map = line.as_map();
    auto const found = case_of(map, golden_side);
    auto row = systolic_row("SCALE-Sim, golden traces", "GEMM_mnk, " + found.array);
    row.reference = Figure::written(map.required<std::string>("cycles"));
    row.value = Figure::of_count(found.cycles);
    rows.push_back(judged(row));
    map.finish();
  }
  return rows;
}

std::vector<Row> layer_rows() {
  std::vector<Row> rows;
  for (auto const& line : reference_table("systolic/scalesim_v3_layers")) {
    auto map = line.as_map();
    auto const found = case_of(map, map.required<std::int64_t>("array_side"));
    auto row = systolic_row("SCALE-Sim v3, stall-free",
                            map.required<std::string>("topology") + '/' +
                                map.required<std::string>("layer") + ", " + found.array);
    row.metric = "last cycle";
    row.reference = Figure::written(map.required<std::string>("reported_cycles"));
    row.value = Figure::of_count(found.cycles - 1);
    row.note = map.required<std::string>("source") == "peer"
                   ? "rows of its demand matrices"
                   : "its closed form (too large for its demand matrices)";
    EXPECTS(found.gemm.macs() == Macs{map.required<std::int64_t>("macs")}, row.title);
    rows.push_back(judged(row));
    map.finish();
  }
  return rows;
}

/// Its paper counts R cycles more for every fold that keeps the outputs: their drain.
Row paper_row() {
  Gemm const gemm{1, 256, 128, 256};
  auto const array = scale_sim_array(golden_side, Dataflow::output_stationary);
  auto const folds = folds_of(array, gemm).count();
  auto row = systolic_row("ISPASS'20, equation 1", "GEMM_mnk, os, 32 x 32");
  row.reference =
      Figure::of_count(folds * (2 * array.rows + array.columns + gemm.k - 2));  // 2 Sr + Sc + T - 2
  row.value = Figure::of_count(systolic_cost(array, gemm).cycles.value());
  row.deviation = "D4";
  return judged(row);
}

class SystolicSuite final : public Suite {
 public:
  [[nodiscard]] std::vector<Row> run(ValidationOptions const& /*options*/) const override {
    auto rows = golden_rows();
    auto const layers = layer_rows();
    rows.insert(rows.end(), layers.begin(), layers.end());
    rows.push_back(paper_row());
    return rows;
  }
};

}  // namespace

std::unique_ptr<Suite> systolic_suite() { return std::make_unique<SystolicSuite>(); }

}  // namespace tessera::sim
