#include "test/support/memory/clocked_banks.hpp"

#include <algorithm>

namespace tessera::test {

using Policy = arch::DramPolicy;

ClockedBanks::ClockedBanks(arch::DramSpec const& spec)
    : spec_{spec}, banks_(static_cast<std::size_t>(spec.organization.banks_per_channel())) {}

int ClockedBanks::rank_of(int index) const {
  return index / static_cast<int>(spec_.organization.banks_per_rank());
}

int ClockedBanks::group_of(int index) const {
  return index / static_cast<int>(spec_.organization.banks);
}

int ClockedBanks::bus_of(int index) const {
  return rank_of(index) / static_cast<int>(spec_.organization.ranks);
}

std::int64_t ClockedBanks::reach() const {
  auto const& t = spec_.timing;
  return t.tFAW + t.tRRD_L + t.tCCD_L + t.tCL + t.tCWL + t.tBL + t.tWTR_L + t.tRTRS;
}

std::int64_t ClockedBanks::targets() const {
  return spec_.policy.refresh == Policy::Refresh::per_bank ? count()
                                                           : spec_.organization.all_ranks();
}
bool ClockedBanks::belongs(int index, std::int64_t target) const {
  return spec_.policy.refresh == Policy::Refresh::per_bank ? index == target
                                                           : rank_of(index) == target;
}
bool ClockedBanks::is_refreshed_at(std::int64_t target, std::int64_t cycle) const {
  auto const since = cycle - target * spec_.policy.refresh_stagger;
  return cycle > 0 && since >= 0 && since % spec_.timing.tREFI == 0;
}

bool ClockedBanks::is_slot(std::int64_t cycle) const {
  if (spec_.policy.refresh == Policy::Refresh::none) return false;
  for (std::int64_t target = 0; target < targets(); ++target) {
    if (is_refreshed_at(target, cycle) || is_refreshed_at(target, cycle + spec_.timing.tRP)) {
      return true;
    }
  }
  return false;
}

std::int64_t ClockedBanks::active_ranks(std::int64_t now) const {
  std::vector<bool> active(static_cast<std::size_t>(rank_of(count() - 1) + 1));
  for (int i = 0; i < count(); ++i) {
    auto const& own = (*this)[i];
    bool const opened = own.activated <= now && (own.row || own.precharged > now);
    if (opened) active[static_cast<std::size_t>(rank_of(i))] = true;
  }
  return std::count(active.begin(), active.end(), true);
}

/// The cycle from which on this bank must be closed for its next refresh.
std::int64_t ClockedBanks::closed_from(std::int64_t now, int index) const {
  if (spec_.policy.refresh == Policy::Refresh::none) return INT64_MAX;
  std::int64_t target = 0;
  while (!belongs(index, target)) ++target;
  auto const first = target * spec_.policy.refresh_stagger;
  auto const periods = std::max<std::int64_t>(0, (now - first) / spec_.timing.tREFI);
  auto next = first + periods * spec_.timing.tREFI;
  while (next <= now) next += spec_.timing.tREFI;
  return next - spec_.timing.tRP;
}

bool ClockedBanks::may_activate(std::int64_t now, int index) const {
  auto const& t = spec_.timing;
  auto const& own = (*this)[index];
  auto const blackout = spec_.policy.refresh == Policy::Refresh::per_bank ? t.tRFCpb : t.tRFC;
  auto const then = sent(now);
  if (own.activated + t.tRC > then || own.precharged + t.tRP > then) return false;
  if (own.refreshed + blackout > then) return false;
  int recent = 0;
  for (auto const& [cycle, other] : activates_) {
    if (rank_of(other) != rank_of(index)) continue;
    bool const same_group = group_of(other) == group_of(index);
    if (cycle + (same_group ? t.tRRD_L : t.tRRD_S) > then) return false;
    if (cycle + t.tFAW > then) ++recent;
  }
  if (recent >= 4) return false;
  for (auto clock = now + 1; clock <= then; ++clock) {
    if (is_slot(clock)) return false;
  }
  auto const write = t.tCWL + t.tBL + t.tWR;
  auto const open = std::max({t.tRAS, t.tRCD + t.tRTP, t.tRCDWR + write});
  return then + open <= closed_from(now, index);
}

bool ClockedBanks::may_precharge(std::int64_t now, int index) const {
  auto const& t = spec_.timing;
  auto const& own = (*this)[index];
  return own.activated + t.tRAS <= now && own.read + t.tRTP <= now &&
         own.written + t.tCWL + t.tBL + t.tWR <= now && now <= closed_from(now, index);
}

bool ClockedBanks::may_access(std::int64_t now, int index, bool writes) const {
  auto const& t = spec_.timing;
  if ((*this)[index].activated + (writes ? t.tRCDWR : t.tRCD) > now) return false;
  auto const starts = now + (writes ? t.tCWL : t.tCL);
  for (auto const& earlier : columns_) {
    bool const same_rank = rank_of(earlier.bank) == rank_of(index);
    bool const same_group = group_of(earlier.bank) == group_of(index);
    auto const ended = earlier.cycle + (earlier.is_write ? t.tCWL : t.tCL) + t.tBL;
    if (same_rank && earlier.is_write == writes &&
        earlier.cycle + (same_group ? t.tCCD_L : t.tCCD_S) > now) {
      return false;
    }
    if (same_rank && earlier.is_write && !writes &&
        ended + (same_group ? t.tWTR_L : t.tWTR_S) > now) {
      return false;
    }
    if (bus_of(earlier.bank) == bus_of(index)) {
      bool const turns = !same_rank || earlier.is_write != writes;
      if (ended + (turns ? t.tRTRS : 0) > starts) return false;
    }
  }
  return now + (writes ? t.tCWL + t.tBL + t.tWR : t.tRTP) <= closed_from(now, index);
}

void ClockedBanks::activate(std::int64_t now, int index, std::uint32_t row) {
  bank(index).row = row;
  bank(index).activated = sent(now);
  activates_.push_back({sent(now), index});
  while (activates_.front().first + reach() < now) activates_.pop_front();
}

void ClockedBanks::precharge(std::int64_t now, int index) {
  bank(index).row.reset();
  bank(index).precharged = now;
}

void ClockedBanks::access(std::int64_t now, int index, bool writes) {
  (writes ? bank(index).written : bank(index).read) = now;
  columns_.push_back({now, index, writes});
  while (columns_.front().cycle + reach() < now) columns_.pop_front();
}

void ClockedBanks::close(int index) {
  auto const& t = spec_.timing;
  auto& own = bank(index);
  own.row.reset();
  own.precharged =
      std::max({own.activated + t.tRAS, own.read + t.tRTP, own.written + t.tCWL + t.tBL + t.tWR});
}

}  // namespace tessera::test
