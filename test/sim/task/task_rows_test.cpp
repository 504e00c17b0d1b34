// Rows of tasks: sorted and each once where they are added, kept as they are where they come in CSR.
#include "sim/task/task_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/base/contract.hpp"

namespace tessera::sim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TaskId const first{0};
TaskId const second{1};
TaskId const third{2};

TEST(TaskRows, HaveEachTaskOfARowOnceAndInOrder) {
  TaskRows rows;
  rows.add({third, first, third});
  rows.add({});
  rows.add({second});
  EXPECT_THAT(rows.row(0), ElementsAre(first, third));
  EXPECT_THAT(rows.row(1), IsEmpty());
  EXPECT_THAT(rows.row(2), ElementsAre(second));
  EXPECT_EQ(rows.tasks(), 3U);
}

TEST(TaskRows, AreWhatIsBetweenTheirStarts) {
  TaskRows const rows{{0, 2, 2, 3}, {first, second, third}};
  EXPECT_THAT(rows.row(0), ElementsAre(first, second));
  EXPECT_THAT(rows.row(1), IsEmpty());
  EXPECT_THAT(rows.row(2), ElementsAre(third));
}

TEST(TaskRows, EndWithTheLast) {
  TaskRows rows;
  EXPECT_THROW(static_cast<void>(rows.row(0)), ContractError);
  rows.add({first});
  EXPECT_THROW(static_cast<void>(rows.row(1)), ContractError);
  EXPECT_THROW((TaskRows{{0, 1}, {first, second}}), ContractError);
}

}  // namespace
}  // namespace tessera::sim
