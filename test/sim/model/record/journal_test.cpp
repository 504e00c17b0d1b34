// Every task starts once and completes once.
#include "sim/model/record/journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::sim {
namespace {

using testing::ElementsAre;

TEST(Journal, RemembersStartAndEnd) {
  Journal journal{2};
  EXPECT_FALSE(journal.started(TaskId{1}));
  journal.start(TaskId{1}, Time{3});
  EXPECT_FALSE(journal.completed(TaskId{1}));
  journal.complete(TaskId{1}, Time{5});
  EXPECT_EQ(journal.started(TaskId{1}), Time{3});
  EXPECT_EQ(journal.completed(TaskId{1}), Time{5});
  EXPECT_EQ(journal.completions(), 1U);
  EXPECT_FALSE(journal.all_done());
}

TEST(Journal, RefusesTasksThatRunTwiceOrEndWithoutStarting) {
  Journal journal{1};
  EXPECT_THROW(journal.complete(TaskId{0}, Time{1}), ContractError);
  journal.start(TaskId{0}, Time{1});
  EXPECT_THROW(journal.start(TaskId{0}, Time{1}), ContractError);
  EXPECT_THROW(journal.complete(TaskId{0}, Time{0}), ContractError);
  journal.complete(TaskId{0}, Time{1});
  EXPECT_THROW(journal.complete(TaskId{0}, Time{2}), ContractError);
}

TEST(Journal, ListsCompletedTasksByEndAndThenById) {
  Journal journal{4};
  for (std::size_t task = 0; task < 4; ++task) journal.start(TaskId{task}, Time{0});
  journal.complete(TaskId{3}, Time{7});
  journal.complete(TaskId{0}, Time{9});
  journal.complete(TaskId{1}, Time{7});
  EXPECT_THAT(journal.by_end(), ElementsAre(TaskId{1}, TaskId{3}, TaskId{0}));
  EXPECT_EQ(journal.end(), Time{9});
}

TEST(Journal, OfNoTasksIsDoneAtOnce) {
  EXPECT_TRUE(Journal{0}.all_done());
  EXPECT_EQ(Journal{0}.end(), Time{0});
}

}  // namespace
}  // namespace tessera::sim
