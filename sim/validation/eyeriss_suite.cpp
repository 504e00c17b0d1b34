// The row-stationary model against the Eyeriss chip: Chen et al., JSSC 52(1), 2017, Tables V (AlexNet) and VI (VGG-16),
// convolutions at 200 MHz, with the chip's mappings. Left out by the model, so not compared: the part of the total latency that
// waits for DRAM; run-length compression.
#include <algorithm>
#include <tuple>

#include "arch/accelerator/core_spec.hpp"
#include "sim/model/compute/row_stationary.hpp"
#include "sim/validation/suites.hpp"

namespace tessera::sim {

namespace {

using Kind = Tolerance::Kind;

ConvShape conv_of(ConfigMap& line) {
  ConvSide side;
  side.input = line.required<std::int64_t>("input");
  side.output = line.required<std::int64_t>("output");
  side.taps = line.required<std::int64_t>("taps");
  side.stride = line.required<std::int64_t>("stride");
  ConvShape conv;
  conv.samples = line.required<std::int64_t>("images");
  conv.filters = line.required<std::int64_t>("filters");
  conv.channels = line.required<std::int64_t>("channels");
  conv.groups = line.required<std::int64_t>("groups");
  conv.rows = conv.columns = side;
  return conv;
}

RowStationaryMapping mapping_of(ConfigMap& line) {
  RowStationaryMapping mapping;
  mapping.n = line.required<std::int64_t>("n");
  mapping.e = line.required<std::int64_t>("e");
  mapping.f = line.required<std::int64_t>("f");
  mapping.p = line.required<std::int64_t>("p");
  mapping.q = line.required<std::int64_t>("q");
  mapping.r = line.required<std::int64_t>("r");
  mapping.t = line.required<std::int64_t>("t");
  return mapping;
}

/// What the tables print of a layer, or of all.
struct Measured {
  double processing_ms = 0;
  double buffer_mb = 0;  ///< 10^6 bytes
  double dram_mb = 0;
  double energy_uj = 0;         ///< power times processing time
  std::int64_t active_pes = 0;  ///< of a layer; 0 of all

  [[nodiscard]] double power_mw() const { return energy_uj / processing_ms; }

  Measured& operator+=(Measured const& other) {
    processing_ms += other.processing_ms;
    buffer_mb += other.buffer_mb;
    dram_mb += other.dram_mb;
    energy_uj += other.energy_uj;
    return *this;
  }
};

Measured measured_of(ConfigMap& line) {
  Measured chip;
  chip.processing_ms = line.required<double>("processing_ms");
  chip.buffer_mb = line.required<double>("buffer_mb");
  chip.dram_mb = line.required<double>("dram_mb");
  chip.energy_uj = line.required<double>("power_mw") * chip.processing_ms;
  static_cast<void>(line.required<double>("total_ms"));  // with the wait for DRAM
  return chip;
}

/// The chip: its model, in the units of the tables.
class Chip final {
 public:
  [[nodiscard]] Measured process(ConvShape const& conv, RowStationaryMapping const& mapping,
                                 double zeros) const {
    auto const cost = row_stationary_cost(core_, conv, mapping);
    Measured found;
    found.processing_ms =
        1e3 * static_cast<double>(cost.cycles.value()) / static_cast<double>(spec_.clock.value());
    found.buffer_mb = megabytes(cost.buffer_words);
    found.dram_mb = megabytes(cost.memory_words);
    found.energy_uj = 1e6 * energy_of(core_, cost, zeros).on_chip().value();
    found.active_pes = cost.active_pes;
    return found;
  }
  [[nodiscard]] ConsumedEnergy energy(ConvShape const& conv, RowStationaryMapping const& mapping,
                                      double zeros) const {
    return energy_of(core_, row_stationary_cost(core_, conv, mapping), zeros);
  }

 private:
  [[nodiscard]] double megabytes(Elements words) const {
    return 1e-6 * static_cast<double>((core_.word * words.value()).value());
  }

  arch::CoreSpec spec_ = arch::load_core("eyeriss");
  arch::RowStationaryCoreSpec core_ = std::get<arch::RowStationaryCoreSpec>(spec_.unit);
};

Row eyeriss_row(std::string source, std::string title, std::string metric) {
  Row row;
  row.suite = "eyeriss";
  row.source = std::move(source);
  row.title = std::move(title);
  row.metric = std::move(metric);
  return row;
}

/// The row as a known deviation; without an id just judged.
Row known(Row row, std::string const& deviation) {
  if (!deviation.empty()) row.deviation = deviation;
  return judged(std::move(row));
}

/// What is compared, and how close is close enough.
struct Compared {
  char const* metric;
  char const* unit;
  double limit;  ///< relative
  char const* note;
};
constexpr Compared processing_time{"processing time", "ms", 0.15, "without the wait for DRAM"};
constexpr Compared buffer_traffic{"buffer traffic", "MB", 0.05, ""};
constexpr Compared chip_power{
    "chip power", "mW", 0.15,
    "two constants are fitted to these rows: 165 mW that do not depend on "
    "the work, and what a zero saves"};
constexpr Compared dram_traffic{"DRAM traffic", "MB", 0.15, "ours is not compressed"};

/// A table of the paper, compared layer by layer and in total.
class ChipTable final {
 public:
  ChipTable(std::string table, std::string network)
      : table_{std::move(table)}, network_{std::move(network)} {}

  void add_layer(ConfigMap line) {
    auto const name = line.required<std::string>("layer");
    auto const ours =
        chip_.process(conv_of(line), mapping_of(line), line.required<double>("zeros"));
    chip_total_ += measured_of(line);
    our_total_ += ours;
    auto const written = [&line](char const* column) {
      return Figure::written(line.required<std::string>(column));
    };
    compare(name, processing_time, written("processing_ms"), ours.processing_ms);
    compare(name, buffer_traffic, written("buffer_mb"), ours.buffer_mb);
    compare(name, chip_power, written("power_mw"), ours.power_mw());
    compare_pes(name, written("active_pes"), ours.active_pes,
                line.required<std::string>("pes_deviation"));
    line.finish();
  }

  [[nodiscard]] std::vector<Row> rows() && {
    auto const& [chip, ours] = std::tie(chip_total_, our_total_);
    auto total_time = processing_time;
    total_time.limit = 0.07;
    compare("all", total_time, Figure::of(chip.processing_ms), ours.processing_ms);
    compare("all", buffer_traffic, Figure::of(chip.buffer_mb), ours.buffer_mb);
    compare("all", chip_power, Figure::of(chip.power_mw()), ours.power_mw());
    compare("all", dram_traffic, Figure::of(chip.dram_mb), ours.dram_mb);
    rows_.back() = known(rows_.back(), "D6");
    return std::move(rows_);
  }

 private:
  void compare(std::string const& layer, Compared const& what, Figure const& chip, double ours) {
    auto row = eyeriss_row(table_, network_ + '/' + layer, what.metric);
    row.unit = what.unit;
    row.note = what.note;
    row.reference = chip;
    row.value = Figure::of(ours);
    row.tolerance = {Kind::relative, what.limit};
    rows_.push_back(judged(row));
  }

  void compare_pes(std::string const& layer, Figure const& chip, std::int64_t ours,
                   std::string const& deviation) {
    auto row = eyeriss_row(table_, network_ + '/' + layer, "active PEs");
    row.reference = chip;
    row.value = Figure::of_count(ours);
    rows_.push_back(known(row, deviation));
  }

  std::string table_;
  std::string network_;
  Chip chip_;
  Measured chip_total_;
  Measured our_total_;
  std::vector<Row> rows_;
};

std::vector<Row> rows_of(std::string const& reference, std::string table, std::string network) {
  ChipTable chip{std::move(table), std::move(network)};
  for (auto const& line : reference_table(reference)) chip.add_layer(line.as_map());
  return std::move(chip).rows();
}

/// CONV3 as Table III maps it, which the traffic in Table V contradicts.
Row printed_mapping_row() {
  auto const table = reference_table("eyeriss/alexnet");
  auto line = table.at(2).as_map();
  auto mapping = mapping_of(line);
  mapping.q = 4;
  mapping.r = 1;
  mapping.t = 4;
  auto row = eyeriss_row("JSSC'17, Table III", "AlexNet/CONV3, q 4, r 1, t 4", "buffer traffic");
  row.unit = "MB";
  row.reference = Figure::written(line.required<std::string>("buffer_mb"));
  row.value = Figure::of(Chip{}.process(conv_of(line), mapping, 0).buffer_mb);
  row.tolerance = {Kind::relative, 0.05};
  row.deviation = "D9";
  return judged(row);
}

/// Where the power of the chip goes, as far as the text says it: the labels of Fig. 16 are in the
/// picture only.
class PowerBreakdown final {
 public:
  PowerBreakdown() {
    auto const table = reference_table("eyeriss/alexnet");
    for (auto const index : {0U, 4U}) {
      auto line = table.at(index).as_map();
      auto const zeros = line.required<double>("zeros");
      layers_.push_back({line.required<std::string>("layer"),
                         chip_.energy(conv_of(line), mapping_of(line), zeros)});
    }
  }

  [[nodiscard]] std::vector<Row> rows() const {
    std::vector<Row> all;
    double most_movement = 0;
    for (auto const& [layer, energy] : layers_) {
      auto const movement = energy.registers + energy.network + energy.buffer;
      auto const share = [whole = energy.on_chip()](Energy part) { return 100 * (part / whole); };
      most_movement = std::max(most_movement, share(movement));
      all.push_back(row(layer, "ALUs", "%", "10", share(energy.macs), {Kind::at_most, 0}));
      all.push_back(row(layer, "clock network over scratchpads", "", "1",
                        energy.clock / energy.registers, {Kind::at_least, 0}));
      auto const next = std::max({energy.macs, energy.network, energy.buffer});
      all.push_back(row(layer, "scratchpads over the largest other part", "", "1",
                        energy.registers / next, {Kind::at_least, 0}));
    }
    all.push_back(row("CONV1 or CONV5, the larger", "data movement", "%", "45", most_movement,
                      {Kind::relative, 0.15}));
    return all;
  }

 private:
  [[nodiscard]] static Row row(std::string const& layer, char const* metric, char const* unit,
                               char const* reference, double ours, Tolerance const& tolerance) {
    auto row = eyeriss_row("JSSC'17, section VI-A", "AlexNet/" + layer + ", power", metric);
    row.unit = unit;
    row.reference = Figure::written(reference);
    row.value = Figure::of(ours);
    row.tolerance = tolerance;
    return judged(row);
  }

  struct Layer {
    std::string name;
    ConsumedEnergy energy;
  };
  Chip chip_;
  std::vector<Layer> layers_;
};

Row energy_row(ConfigMap& line, std::string metric, char const* column, Energy energy) {
  auto row = eyeriss_row("ISCA'16, Fig. 10",
                         "AlexNet/" + line.required<std::string>("layer") + ", 16 x 16 PEs",
                         std::move(metric));
  row.unit = "G";  // 10^9 times a MAC
  row.reference = Figure::written(line.required<std::string>(column));
  row.value = Figure::of(energy.value() * 1e3);
  row.tolerance = {Kind::relative, 0.15};
  return judged(row);
}

/// The proportions of energy in the architecture's study, which has other sizes than the chip. What
/// networks and buffer take there is not published; the mapping is our search's.
std::vector<Row> study_rows() {
  auto const spec = arch::load_core(
      "eyeriss", {"array={rows: 16, columns: 16}", "buffer={capacity: 128 KiB, banks: 32}",
                  "energy={mac: 1 pJ, register_file: 1 pJ, network: 2 pJ, buffer: 6 pJ, memory: "
                  "200 pJ, cycle: 0 pJ, gated_share: 0}"});
  auto const& core = std::get<arch::RowStationaryCoreSpec>(spec.unit);
  auto const& unit = core.energy;
  std::vector<Row> rows;
  for (auto const& node : reference_table("eyeriss/isca16_fig10")) {
    auto line = node.as_map();
    auto const conv = conv_of(line);
    auto const cost = row_stationary_cost(core, conv, choose_mapping(core, conv));
    rows.push_back(energy_row(line, "energy of ALUs", "alu", cost.macs.value() * unit.mac));
    rows.push_back(energy_row(line, "energy of register files", "rf",
                              cost.register_accesses.value() * unit.register_file));
    auto dram = energy_row(line, "energy of DRAM", "dram", cost.memory_words.value() * unit.memory);
    rows.push_back(known(dram, line.required<std::string>("dram_deviation")));
    line.finish();
  }
  return rows;
}

class EyerissSuite final : public Suite {
 public:
  [[nodiscard]] std::vector<Row> run(ValidationOptions const& /*options*/) const override {
    auto rows = rows_of("eyeriss/alexnet", "JSSC'17, Table V", "AlexNet");
    auto const vgg = rows_of("eyeriss/vgg16", "JSSC'17, Table VI", "VGG-16");
    auto const study = study_rows();
    auto const breakdown = PowerBreakdown{}.rows();
    rows.push_back(printed_mapping_row());
    rows.insert(rows.end(), vgg.begin(), vgg.end());
    rows.insert(rows.end(), breakdown.begin(), breakdown.end());
    rows.insert(rows.end(), study.begin(), study.end());
    return rows;
  }
};

}  // namespace

std::unique_ptr<Suite> eyeriss_suite() { return std::make_unique<EyerissSuite>(); }

}  // namespace tessera::sim
