// Which activity an instant counts for, and on whose behalf.
#include "sim/model/record/activity_meter.hpp"

#include <gtest/gtest.h>

namespace tessera::sim {
namespace {

/// Tasks 0..3 of operators 0..3.
TaskGraph four_tasks() {
  TaskGraph graph{1};
  for (std::size_t op = 0; op < 4; ++op) {
    Task task;
    task.op = workloads::OperatorId{op};
    graph.add(task, {});
  }
  return graph;
}

class ActivityMeterTest : public testing::Test {
 protected:
  [[nodiscard]] Time time_of(std::size_t op, Activity activity) const {
    for (auto const& row : breakdown_.rows()) {
      if (row.op == workloads::OperatorId{op}) {
        return row.times[static_cast<std::size_t>(activity)];
      }
    }
    return Time{0};
  }

  TaskGraph graph_ = four_tasks();
  Schedule schedule_{graph_};
  Breakdown breakdown_;
  ActivityMeter meter_{AcceleratorId{0}, schedule_, breakdown_};
};

TEST_F(ActivityMeterTest, IdlesForTheFirstTaskBeforeAnythingCompleted) {
  meter_.account_until(Time{5});
  EXPECT_EQ(time_of(0, Activity::idle), Time{5});
}

TEST_F(ActivityMeterTest, IdlesForTheTaskThatCompletedLast) {
  meter_.completed(TaskId{2});
  meter_.account_until(Time{5});
  EXPECT_EQ(time_of(2, Activity::idle), Time{5});
}

TEST_F(ActivityMeterTest, CountsComputeBeforeMemoryBeforeCommunication) {
  meter_.begin(Activity::communication, TaskId{1});
  meter_.account_until(Time{1});
  meter_.begin(Activity::memory, TaskId{2});
  meter_.account_until(Time{3});
  meter_.begin(Activity::compute, TaskId{3});
  meter_.account_until(Time{6});
  meter_.end(Activity::compute, TaskId{3});
  meter_.account_until(Time{10});
  EXPECT_EQ(time_of(1, Activity::communication), Time{1});
  EXPECT_EQ(time_of(2, Activity::memory), Time{2 + 4});
  EXPECT_EQ(time_of(3, Activity::compute), Time{3});
  EXPECT_EQ(breakdown_.total(), Time{10});
}

TEST_F(ActivityMeterTest, BlamesTheTaskOfTheActivityThatBeganFirst) {
  meter_.begin(Activity::compute, TaskId{3});  // runs
  meter_.begin(Activity::compute, TaskId{1});  // waits for the unit
  meter_.account_until(Time{4});
  EXPECT_EQ(time_of(3, Activity::compute), Time{4});
}

TEST_F(ActivityMeterTest, CountsATaskAtABarrierAsIdle) {
  meter_.begin(Activity::idle, TaskId{1});
  meter_.account_until(Time{4});
  EXPECT_EQ(time_of(0, Activity::idle), Time{4});
}

TEST_F(ActivityMeterTest, RefusesToGoBack) {
  meter_.account_until(Time{4});
  EXPECT_THROW(meter_.account_until(Time{3}), ContractError);
}

TEST_F(ActivityMeterTest, BlamesTheNextOneWhenTheOldestHasEnded) {
  for (auto const task : {3U, 1U, 2U, 0U}) meter_.begin(Activity::compute, TaskId{task});
  meter_.end(Activity::compute, TaskId{1});  // in the middle
  meter_.account_until(Time{4});
  meter_.end(Activity::compute, TaskId{3});  // the oldest
  meter_.account_until(Time{9});
  meter_.end(Activity::compute, TaskId{0});  // the newest
  meter_.begin(Activity::compute, TaskId{1});
  meter_.end(Activity::compute, TaskId{2});
  meter_.account_until(Time{15});
  EXPECT_EQ(time_of(3, Activity::compute), Time{4});
  EXPECT_EQ(time_of(2, Activity::compute), Time{5});
  EXPECT_EQ(time_of(1, Activity::compute), Time{6});
  EXPECT_EQ(breakdown_.total(), Time{15});
}

TEST_F(ActivityMeterTest, ATaskIsOutstandingFromItsBeginToItsEnd) {
  EXPECT_FALSE(meter_.is_outstanding(Activity::memory, TaskId{1}));
  meter_.begin(Activity::memory, TaskId{1});
  EXPECT_TRUE(meter_.is_outstanding(Activity::memory, TaskId{1}));
  EXPECT_FALSE(meter_.is_outstanding(Activity::compute, TaskId{1}));
  meter_.end(Activity::memory, TaskId{1});
  EXPECT_FALSE(meter_.is_outstanding(Activity::memory, TaskId{1}));
}

TEST_F(ActivityMeterTest, RefusesToEndWhatDidNotBegin) {
  EXPECT_THROW(meter_.end(Activity::compute, TaskId{1}), ContractError);
}

TEST_F(ActivityMeterTest, RefusesToBeginTwice) {
  meter_.begin(Activity::compute, TaskId{1});
  EXPECT_THROW(meter_.begin(Activity::communication, TaskId{1}), ContractError);
}

}  // namespace
}  // namespace tessera::sim
