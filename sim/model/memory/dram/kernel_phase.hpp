// The time of a DRAM whose kernels begin in phase with it (arch::ExecutionSpec::Kernels): each at clock 0 of its own, with all rows
// closed and a whole interval until the first refresh, whenever it begins.
//
// A controller's calendar goes on all the time. Here the rest of the last interval of every kernel has no refresh, nor has the time
// between kernels; both add up, and for every interval there is a refresh later on. It takes the time that it would have taken: of the
// time in which kernels were at work, as long as it interrupts a stream; of the time in which they start or nothing is computed, none.
// So there are as many refreshes as in the calendar, less than six intervals late (JEDEC lets a controller of DDR4 postpone eight; recalled), and they
// take about as long (test/validation/DEVIATIONS.md has by how much steps differ), but no kernel depends on when it begins.
// Leaves out: closing the rows before an element-wise kernel that follows a product without a start of its own.
#pragma once

#include <cstdint>
#include <utility>

#include "arch/memory/dram_spec.hpp"

namespace tessera::sim {

class KernelPhase final {
 public:
  explicit KernelPhase(arch::DramSpec const& spec)
      : interval_{interval_of(spec)}, refresh_{spec.clock_period * spec.timing.refresh_gap()} {}

  /// Time without a refresh that a computation leaves, beside whole intervals in its kernels.
  struct Debt {
    Time busy{0};   ///< kernels were at work; negative where one started in a whole interval
    Time quiet{0};  ///< kernels started
    std::int64_t refreshes = 0;  ///< done between kernels
  };

  /// When the kernel began, if one is under way; else when the last thing happened.
  [[nodiscard]] Time origin() const { return origin_; }
  [[nodiscard]] bool is_in_kernel() const { return is_in_kernel_; }
  /// Refreshes outside of kernels so far.
  [[nodiscard]] std::int64_t refreshes() const { return refreshes_ + debt_.refreshes; }
  /// By the computation that is under way, or was last.
  [[nodiscard]] Debt const& debt() const { return debt_; }

  /// A computation begins. Answers how long it waits for refreshes that are due.
  [[nodiscard]] Time begin_task(Time now) {
    rest_until(now);
    refreshes_ += take(quiet_);
    return wait_for(busy_, refreshes_);
  }
  /// The run ends: there are as many refreshes as whole intervals.
  void close(Time now) {
    rest_until(now);
    quiet_ += std::exchange(busy_, Time{0});
    refreshes_ += take(quiet_);
  }

  /// Its next kernel begins, and asks for nothing for a while.
  void begin_kernel(Time now, Time start) {
    EXPECTS(!is_in_kernel_, now);
    (is_begun_ ? debt_.quiet : quiet_) += advance(now);
    start_ = start;
    is_begun_ = is_in_kernel_ = true;
  }

  /// It did its refreshes up to `now`. Answers how long the next one of the same computation waits
  /// for refreshes that are due since that began.
  [[nodiscard]] Time end_kernel(Time now) {
    end_task(now);
    debt_.refreshes += take(debt_.quiet);
    return wait_for(debt_.busy, debt_.refreshes);
  }
  /// Likewise, the last one.
  void end_task(Time now) {
    EXPECTS(is_in_kernel_, now);
    auto rest = advance(now);
    static_cast<void>(take(rest));
    debt_.busy += rest - start_;
    debt_.quiet += start_;
    is_in_kernel_ = false;
  }

  /// A computation begins and ends, with the debt of another one.
  void repeat(Debt const& debt, Time begin, Time end) {
    quiet_ += advance(begin);
    debt_ = debt;
    origin_ = end;
  }

 private:
  /// 0: it is never refreshed.
  [[nodiscard]] static Time interval_of(arch::DramSpec const& spec) {
    bool const refreshes = spec.policy.refresh != arch::DramPolicy::Refresh::none;
    return spec.clock_period * (refreshes ? spec.timing.tREFI : 0);
  }

  void rest_until(Time now) {
    quiet_ += debt_.quiet + advance(now);
    busy_ += debt_.busy;
    refreshes_ += debt_.refreshes;
    debt_ = {};
    if (busy_ < Time{0}) quiet_ += std::exchange(busy_, Time{0});
    is_begun_ = false;
  }
  /// Since the last thing happened.
  [[nodiscard]] Time advance(Time now) {
    EXPECTS(now >= origin_, now, origin_);
    return now - std::exchange(origin_, now);
  }
  /// Does what is due after so much time without a refresh.
  [[nodiscard]] Time wait_for(Time& without, std::int64_t& count) {
    auto const due = take(without);
    count += due;
    without += refresh_ * due;
    origin_ += refresh_ * due;
    return refresh_ * due;
  }
  /// The whole intervals of a time, which it loses.
  [[nodiscard]] std::int64_t take(Time& time) const {
    if (interval_ == Time{0} || time < interval_) return 0;
    auto const intervals = time / interval_;
    time -= interval_ * intervals;
    return intervals;
  }

  Time interval_;
  Time refresh_;
  Time origin_{0};
  Time start_{0};  ///< of the kernel under way
  Time busy_{0};   ///< without a refresh, and nothing is due
  Time quiet_{0};  ///< likewise
  std::int64_t refreshes_ = 0;
  Debt debt_;
  bool is_begun_ = false;  ///< a kernel of the computation
  bool is_in_kernel_ = false;
};

}  // namespace tessera::sim
