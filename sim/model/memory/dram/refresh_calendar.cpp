// Two events per slot: the precharge of its target, then its refresh.
#include "sim/model/memory/dram/refresh_calendar.hpp"

#include <algorithm>

namespace tessera::sim {

namespace {

/// How long before the bank is closed a command must come.
std::array<std::int64_t, 4> guards(arch::DramTiming const& t) {
  auto const read = t.tRTP;
  auto const write = t.tCWL + t.tBL + t.tWR;
  // An activate must leave time for a column command, or it would be in vain.
  auto const activate = t.tACT - 1 + std::max({t.tRAS, t.tRCD + read, t.tRCDWR + write});
  return {read, write, activate, 0};
}

}  // namespace

RefreshCalendar::RefreshCalendar(arch::DramSpec const& spec)
    : recovery_{spec.timing.tRP},
      guard_{guards(spec.timing)},
      close_by_(static_cast<std::size_t>(spec.organization.banks_per_channel()), never) {
  using Refresh = arch::DramPolicy::Refresh;
  if (spec.policy.refresh == Refresh::none) return;
  bool const per_bank = spec.policy.refresh == Refresh::per_bank;
  targets_ = per_bank ? spec.organization.banks_per_channel() : spec.organization.all_ranks();
  interval_ = spec.timing.tREFI;
  stagger_ = spec.policy.refresh_stagger;
  length_ = per_bank ? spec.timing.tRFCpb : spec.timing.tRFC;
  banks_per_target_ = close_by_.size() / static_cast<std::size_t>(targets_);
  for (std::size_t bank = 0; bank < close_by_.size(); ++bank) {
    auto const target = static_cast<std::int64_t>(bank / banks_per_target_);
    close_by_[bank] = (target == 0 ? interval_ : target * stagger_) - recovery_;
  }
  next_ = precharge_of(slot_);
}

RefreshCalendar::Event RefreshCalendar::precharge_of(std::int64_t slot) const {
  auto const target = slot % targets_;
  return {slot / targets_ * interval_ + target * stagger_ - recovery_, false,
          static_cast<std::size_t>(target) * banks_per_target_};
}

void RefreshCalendar::pop() {
  if (!next_.is_refresh) {
    next_.cycle += recovery_;
    next_.is_refresh = true;
    return;
  }
  for (std::size_t i = 0; i < banks_per_target_; ++i) close_by_[next_.first_bank + i] += interval_;
  next_ = precharge_of(++slot_);
}

void RefreshCalendar::serialize(std::int64_t now, StateWriter& out) const {
  if (targets_ == 0) return;
  out.put(next_.cycle - now);
  out.put(next_.is_refresh ? 1 : 0);
  out.put(slot_ % targets_);
}

void RefreshCalendar::shift(std::int64_t by) {
  if (targets_ == 0) return;
  EXPECTS(by % period() == 0, by, period());
  slot_ += by / interval_ * targets_;
  next_.cycle += by;
  for (auto& cycle : close_by_) cycle += by;
}

}  // namespace tessera::sim
