// What a progress bar says.
#include "sim/terminal/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::sim {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Progress, TellsRateAndTimeLeft) {
  // 10 in 5 s are 2 per second; the other 10 take another 5 s.
  EXPECT_THAT(progress_text(10, 20, "runs", 5),
              AllOf(HasSubstr("50.0 %"), HasSubstr("10/20 runs"), HasSubstr("2.00 runs/s"),
                    HasSubstr("5 s left")));
}

TEST(Progress, HasNoRateBeforeAnythingIsDone) {
  EXPECT_THAT(progress_text(0, 20, "runs", 5), Not(HasSubstr("left")));
}

TEST(Progress, OfNothingIsComplete) {
  EXPECT_THAT(progress_text(0, 0, "runs", 0), HasSubstr("100.0 %"));
}

TEST(Progress, NothingIsDrawnWhereNoTerminalIs) {
  testing::internal::CaptureStderr();
  {
    Progress progress{2, "runs", Progress::Wanted::yes};
    progress.update(1);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace tessera::sim
