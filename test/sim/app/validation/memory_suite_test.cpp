// The memory suite, row by row: within its tolerance, or out of it for a reason that DEVIATIONS.md gives.
#include "sim/app/validation/memory_suite.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tessera::sim {

namespace {

TEST(MemorySuite, EveryRowPasses) {
  auto const rows = memory_suite()->run({});
  for (auto const& row : rows) {
    EXPECT_TRUE(row.pass) << row.source << ", " << row.title << ", " << row.metric << ": "
                          << row.value.text << " for " << row.reference.text << ", "
                          << row.deviation.value_or("no deviation");
  }
  // Bandwidth and latency of 24 lines of DRAMsim3, 6 + 6 of Ramulator 1 and 2, 12 of Ramulator-PIM;
  // seven laws.
  EXPECT_EQ(rows.size(), 2U * (24 + 6 + 6 + 12) + 7);
}

}  // namespace

}  // namespace tessera::sim
