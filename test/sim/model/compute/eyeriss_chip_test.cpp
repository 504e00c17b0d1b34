// The row-stationary model against the Eyeriss chip: JSSC 52(1), 2017, Tables V and VI, convolution layers.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/model/compute/row_stationary.hpp"
#include "test/support/compute/reference_table.hpp"

namespace tessera::sim {
namespace {

ConvShape conv_of(ReferenceTable::Row const& row) {
  ConvSide const side{
      row.count("input"), row.count("output"), row.count("taps"), row.count("stride"), 1, 0};
  return {row.count("images"),
          row.count("filters"),
          row.count("channels"),
          row.count("groups"),
          side,
          side};
}

RowStationaryMapping mapping_of(ReferenceTable::Row const& row) {
  return {row.count("n"), row.count("e"), row.count("f"), row.count("p"),
          row.count("q"), row.count("r"), row.count("t")};
}

class EyerissChip : public testing::TestWithParam<char const*> {
 protected:
  arch::CoreSpec const spec_ = arch::load_core("eyeriss");
  arch::RowStationaryCoreSpec const core_ = std::get<arch::RowStationaryCoreSpec>(spec_.unit);
  ReferenceTable const table_{std::string{"eyeriss/"} + GetParam()};

  [[nodiscard]] RowStationaryCost cost_of(ReferenceTable::Row const& row) const {
    return row_stationary_cost(core_, conv_of(row), mapping_of(row));
  }
  [[nodiscard]] double milliseconds(Cycles cycles) const {
    return 1e3 * static_cast<double>(cycles.value()) / static_cast<double>(spec_.clock.value());
  }
  [[nodiscard]] double megabytes(Elements words) const {
    return 1e-6 * static_cast<double>((core_.word * words.value()).value());
  }
};

double error(double value, double reference) { return value / reference - 1; }

TEST_P(EyerissChip, ProcessesEachLayerAndAllInThePublishedTime) {
  double sum = 0;
  double published = 0;
  for (auto const& row : table_.rows()) {
    auto const time = milliseconds(cost_of(row).cycles);
    auto const reference = row.number("processing_ms");
    EXPECT_LT(std::abs(error(time, reference)), 0.15) << row.line();
    sum += time;
    published += reference;
  }
  EXPECT_LT(std::abs(error(sum, published)), 0.01) << sum;  // the issue asks for 7 %
}

TEST_P(EyerissChip, MovesThePublishedBytesThroughTheGlobalBuffer) {
  double sum = 0;
  double published = 0;
  for (auto const& row : table_.rows()) {
    auto const moved = megabytes(cost_of(row).buffer_words);
    auto const reference = row.number("buffer_mb");
    EXPECT_LT(std::abs(error(moved, reference)), 0.04) << row.line();
    sum += moved;
    published += reference;
  }
  EXPECT_LT(std::abs(error(sum, published)), 0.05) << sum;
}

TEST_P(EyerissChip, MovesMoreThroughMemoryThanTheChipWhichCompresses) {
  for (auto const& row : table_.rows()) {
    EXPECT_GT(megabytes(cost_of(row).memory_words), 0.9 * row.number("dram_mb")) << row.line();
  }
}

TEST_P(EyerissChip, TakesThePublishedPower) {
  // Chip power per layer. Only what does not depend on the work and what a zero saves are fitted.
  for (auto const& row : table_.rows()) {
    auto const cost = cost_of(row);
    auto const energy = energy_of(core_, cost, row.number("zeros")).on_chip();
    auto const milliwatts = 1e6 * energy.value() / milliseconds(cost.cycles);
    EXPECT_LT(std::abs(error(milliwatts, row.number("power_mw"))), 0.15)
        << milliwatts << " mW: " << row.line();
  }
}

TEST_P(EyerissChip, FindsMappingsThatAreNotSlowerThanTheChips) {
  for (auto const& row : table_.rows()) {
    auto const conv = conv_of(row);
    auto const found = row_stationary_cost(core_, conv, choose_mapping(core_, conv));
    EXPECT_LE(found.cycles, cost_of(row).cycles) << row.line();
  }
}

INSTANTIATE_TEST_SUITE_P(JsscTables, EyerissChip, testing::Values("alexnet.csv", "vgg16.csv"));

}  // namespace
}  // namespace tessera::sim
