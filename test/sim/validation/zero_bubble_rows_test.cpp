// The schedules' orders against published bubble rates, by the clocked twin and simulated.
#include "sim/validation/zero_bubble_rows.hpp"

#include <gtest/gtest.h>

#include <map>

#include "test/support/random_pipeline.hpp"

namespace tessera::sim {
namespace {

Time twins_span(ZeroBubbleRow const& row) {
  auto const shape = test::straight(row.stages, row.micro_batches, row.chunks);
  auto times = test::equal_times(
      shape, {row.forward.value() / row.chunks, row.backward_data.value() / row.chunks,
              row.backward_weight.value() / row.chunks});
  times.transfer = row.transfer.value();
  return Time{longest_span(run_pipeline(test::program_of(row.schedule, shape), times))};
}

// Half a unit of the last digit that is printed, and what doubles make of it.
constexpr double printed_digits = 0.5e-4 + 1e-9;

TEST(ZeroBubbleRows, AreWhatTheOrdersTakeOnAClock) {
  std::map<std::string, int> rows;
  for (auto const& row : zero_bubble_rows()) {
    ++rows[row.schedule];
    if (row.schedule == "interleaved-1f1b") continue;
    EXPECT_NEAR(row.rate_of(twins_span(row)), row.bubble_rate, printed_digits)
        << row.model << ", " << row.micro_batches << " micro-batches, " << row.schedule;
  }
  EXPECT_EQ(rows, (std::map<std::string, int>{
                      {"1f1b", 12}, {"interleaved-1f1b", 12}, {"zb-h1", 12}, {"zb-h2", 12}}));
}

// All of them: `tessera validate zero-bubble`.
TEST(ZeroBubbleRows, AreWhatASimulatedStepTakesToThePicosecond) {
  std::vector<ZeroBubbleRow> rows;
  for (auto const& row : zero_bubble_rows()) {
    if (row.micro_batches == 24) rows.push_back(row);
  }
  EXPECT_EQ(rows.size(), 8U);
  auto const spans = simulated_spans(rows, 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(spans[i], twins_span(rows[i])) << rows[i].model << ", " << rows[i].schedule;
  }
}

// The paper counts (2 p v - p - 2) transfers into the idle time of interleaved-1f1b, a run of its order waits for p more.
TEST(ZeroBubbleRows, CountFewerTransfersIntoInterleavedThanItsOrderWaitsFor) {
  for (auto const& row : zero_bubble_rows()) {
    if (row.schedule != "interleaved-1f1b") continue;
    auto const span = twins_span(row);
    EXPECT_NEAR(row.rate_of(span), row.bubble_rate, 4e-3) << row.model << ", " << row.micro_batches;
    EXPECT_NEAR(row.rate_of(span - row.transfer * row.stages), row.bubble_rate, printed_digits)
        << row.model << ", " << row.micro_batches;
  }
}

// Table 9, first row: m (F + B + W) = 24 * 45.945 ms.
TEST(ZeroBubbleRows, HaveTheTimesOfTheTable) {
  auto const row = zero_bubble_rows().front();
  EXPECT_EQ(row.forward, Time{18'522'000'000});
  EXPECT_DOUBLE_EQ(
      row.rate_of(row.forward * 24 + row.backward_data * 24 + row.backward_weight * 24), 0);
}

}  // namespace
}  // namespace tessera::sim
