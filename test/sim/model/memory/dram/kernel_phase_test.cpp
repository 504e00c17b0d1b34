// Refreshes that no kernel does: as many as there are whole intervals, how late, and what they cost.
#include "sim/model/memory/dram/kernel_phase.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "test/support/draw.hpp"

namespace tessera::sim {
namespace {

using test::Draw;

arch::DramSpec memory(std::string const& refresh = "all-bank") {
  return arch::load_dram("tpu-v3", {"policy.refresh=" + refresh});
}

/// Computations of up to four kernels, some of them behind a pause.
class Computations final {
 public:
  explicit Computations(arch::DramSpec const& spec)
      : interval_{spec.clock_period * spec.timing.tREFI}, phase_{spec} {}

  void computation(Draw& draw, Time longest) {
    if (draw(0, 3) == 0) now_ += Time{draw(0, 9'000'000)};
    wait(phase_.begin_task(now_));
    auto const kernels = draw(1, 4);
    for (auto left = kernels; left > 0; --left) {
      phase_.begin_kernel(now_, start);
      auto const length = start + Time{draw(0, longest.value())};
      now_ += length;
      in_kernels_ += length / interval_;
      if (left > 1) {
        wait(phase_.end_kernel(now_));
      } else {
        phase_.end_task(now_);
      }
    }
  }
  void close() { phase_.close(now_); }

  [[nodiscard]] std::int64_t refreshes() const { return in_kernels_ + phase_.refreshes(); }
  [[nodiscard]] std::int64_t due() const { return now_ / interval_; }
  [[nodiscard]] Time now() const { return now_; }
  [[nodiscard]] Time waited() const { return waited_; }

  static constexpr Time start{600'000};

 private:
  void wait(Time time) {
    now_ += time;
    waited_ += time;
  }

  Time interval_;
  KernelPhase phase_;
  Time now_{0};
  Time waited_{0};
  std::int64_t in_kernels_ = 0;
};

TEST(KernelPhase, RefreshesOnceInEveryIntervalAndIsNeverSixLate) {
  Draw draw{5};
  for (int trial = 0; trial < 60; ++trial) {
    Computations run{memory()};
    auto const longest = Time{draw(1, 30) * 1'000'000};
    for (int i = 0; i < 400; ++i) {
      run.computation(draw, longest);
      EXPECT_LT(run.due() - run.refreshes(), 6) << i;
      EXPECT_GE(run.due() - run.refreshes(), -1) << i;
    }
    run.close();
    EXPECT_EQ(run.refreshes(), run.due());
  }
}

TEST(KernelPhase, WhoIsNeverRefreshedNeverWaits) {
  KernelPhase phase{memory("none")};
  EXPECT_EQ(phase.begin_task(Time{1'000'000'000}), Time{0});
  phase.begin_kernel(Time{1'000'000'000}, Computations::start);
  EXPECT_EQ(phase.end_kernel(Time{2'000'000'000}), Time{0});
  phase.begin_kernel(Time{2'000'000'000}, Computations::start);
  phase.end_task(Time{3'000'000'000});
  phase.close(Time{4'000'000'000});
  EXPECT_EQ(phase.refreshes(), 0);
}

TEST(KernelPhase, ShortKernelsWaitForTheirShareOfRefreshes) {
  auto const spec = memory();
  auto const interval = spec.clock_period * spec.timing.tREFI;
  auto const& t = spec.timing;
  auto const gap = spec.clock_period * (t.tRTP + t.tRP + t.tRFC + t.tRCD);
  // Kernels of half an interval at work, and a start: nothing is refreshed within one.
  KernelPhase phase{spec};
  Time now{0}, waited{0};
  constexpr int kernels = 1000;
  for (int i = 0; i < kernels; ++i) {
    auto const wait = phase.begin_task(now);
    waited += wait;
    now += wait;
    phase.begin_kernel(now, Computations::start);
    now += Computations::start + Time{interval.value() / 2};
    phase.end_task(now);
  }
  phase.close(now);
  EXPECT_EQ(phase.refreshes(), now / interval);
  auto const busy = now - Computations::start * kernels;
  EXPECT_NEAR(static_cast<double>(waited.value()),
              static_cast<double>((gap * (busy / interval)).value()),
              static_cast<double>((gap * 2).value()));
}

TEST(KernelPhase, TimeInWhichNothingIsComputedIsRefreshedForNothing) {
  auto const spec = memory();
  KernelPhase phase{spec};
  auto const interval = spec.clock_period * spec.timing.tREFI;
  EXPECT_EQ(phase.begin_task(interval * 100), Time{0});
  EXPECT_EQ(phase.refreshes(), 100);
}

TEST(KernelPhase, ARepeatedComputationLeavesWhatTheFirstOneLeft) {
  auto const spec = memory();
  Draw draw{7};
  for (int trial = 0; trial < 200; ++trial) {
    KernelPhase worked_out{spec};
    KernelPhase repeated{spec};
    auto const length = Time{draw(600'000, 12'000'000)};
    Time now{0};
    KernelPhase::Debt debt;
    for (int i = 0; i < 20; ++i) {
      now += Time{draw(0, 2'000'000)};
      auto const wait = worked_out.begin_task(now);
      EXPECT_EQ(repeated.begin_task(now), wait);
      now += wait + Time{draw(0, 900'000)};  // the next edge
      worked_out.begin_kernel(now, Computations::start);
      worked_out.end_task(now + length);
      if (i == 0) {
        repeated.begin_kernel(now, Computations::start);
        repeated.end_task(now + length);
        debt = repeated.debt();
      } else {
        repeated.repeat(debt, now, now + length);
      }
      now += length;
      EXPECT_EQ(repeated.refreshes(), worked_out.refreshes());
      EXPECT_EQ(repeated.origin(), worked_out.origin());
    }
  }
}

}  // namespace
}  // namespace tessera::sim
