// The clocks of clocked_channel.hpp.
#include "test/support/memory/clocked_channel.hpp"

#include <algorithm>
#include <deque>
#include <optional>

namespace tessera::test {

namespace {

using sim::Access;
using sim::DramCommand;
using Policy = arch::DramPolicy;
using Kind = DramCommand::Kind;

constexpr std::int64_t long_ago = -1'000'000'000;

struct Waiting {
  sim::DramRequest request;
  std::int64_t arrival = 0;
  bool is_write() const { return request.access == Access::write; }
};

struct Bank {
  std::optional<std::uint32_t> row;
  std::int64_t activated = long_ago, precharged = long_ago, read = long_ago, written = long_ago;
  std::int64_t refreshed = long_ago;
};

struct Column {
  std::int64_t cycle;
  int bank;
  bool is_write;
};

}  // namespace

class ClockedChannel::State {
 public:
  State(arch::DramSpec const& spec, RunResult& result) : spec_{spec}, result_{result} {
    banks_.resize(static_cast<std::size_t>(spec.organization.banks_per_channel()));
  }

  bool accept(std::int64_t now, sim::DramRequest const& request) {
    bool const writes = request.access == Access::write;
    std::int64_t shared = 0;  // requests that find no place in the queues of their banks
    for (int i = 0; i < bank_count(); ++i) {
      auto const here = std::count_if(waiting_.begin(), waiting_.end(), [&](Waiting const& it) {
        return it.request.bank == i && (!separate() || it.is_write() == writes);
      });
      shared += std::max<std::int64_t>(0, here - spec_.policy.bank_queue_depth);
    }
    if (shared >= spec_.policy.queue_depth) return false;
    waiting_.push_back({request, now});
    update_mode();
    return true;
  }

  void step(std::int64_t now) {
    now_ = now;
    bool const split = spec_.policy.command_bus == Policy::CommandBus::split;
    bool row_bus = now >= activate_sent_;
    bool column_bus = row_bus || split;
    if (refresh_step()) {
      row_bus = false;
      column_bus = split;
    }
    if (column_bus && column_step()) {
      row_bus = row_bus && split;
    }
    if (row_bus && row_step()) return;
    if (row_bus && spec_.policy.page == Policy::Page::timeout) idle_step();
  }

  bool is_idle() const { return waiting_.empty(); }

 private:
  bool separate() const { return spec_.policy.queues == Policy::Queues::separate; }
  bool closed_page() const { return spec_.policy.page == Policy::Page::closed; }
  bool in_order() const { return spec_.policy.scheduler == Policy::Scheduler::fcfs; }
  int rank_of(int bank) const {
    return bank / static_cast<int>(spec_.organization.banks_per_rank());
  }
  int group_of(int bank) const { return bank / static_cast<int>(spec_.organization.banks); }
  int bus_of(int bank) const { return rank_of(bank) / static_cast<int>(spec_.organization.ranks); }
  Bank& bank(int index) { return banks_[static_cast<std::size_t>(index)]; }
  Bank const& bank(int index) const { return banks_[static_cast<std::size_t>(index)]; }
  int bank_count() const { return static_cast<int>(banks_.size()); }

  /// No constraint between two commands of different banks reaches further back.
  std::int64_t reach() const {
    auto const& t = spec_.timing;
    return t.tFAW + t.tRRD_L + t.tCCD_L + t.tCL + t.tCWL + t.tBL + t.tWTR_L + t.tRTRS;
  }

  void update_mode() {
    if (!separate()) return;
    auto const writes = std::count_if(waiting_.begin(), waiting_.end(),
                                      [](Waiting const& it) { return it.is_write(); });
    bool const has_reads = writes < static_cast<std::ptrdiff_t>(waiting_.size());
    if (!writing_) {
      if (writes >= spec_.policy.high_watermark || (!has_reads && writes > 0)) writing_ = true;
    } else if (writes == 0 || (writes <= spec_.policy.low_watermark && has_reads)) {
      writing_ = false;
    }
  }

  bool counts(Waiting const& it) const { return !separate() || it.is_write() == writing_; }

  bool is_first_of_its_bank(std::size_t index) const {
    for (std::size_t i = 0; i < index; ++i) {
      if (counts(waiting_[i]) && waiting_[i].request.bank == waiting_[index].request.bank) {
        return false;
      }
    }
    return true;
  }

  /// Only the oldest request counts at its bank once it is too old.
  bool is_shut_out(std::size_t index) const {
    if (in_order()) return false;
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      if (!counts(waiting_[i])) continue;
      return i != index && now_ - waiting_[i].arrival >= spec_.policy.starvation_cap &&
             waiting_[i].request.bank == waiting_[index].request.bank;
    }
    return false;
  }

  bool is_starved(std::size_t index) const {
    for (std::size_t i = 0; i < index; ++i) {
      if (counts(waiting_[i])) return false;
    }
    return !in_order() && now_ - waiting_[index].arrival >= spec_.policy.starvation_cap;
  }

  bool is_eligible(std::size_t index) const {
    if (!counts(waiting_[index]) || is_shut_out(index)) return false;
    return (!closed_page() && !in_order()) || is_first_of_its_bank(index);
  }

  bool is_hit(std::size_t index) const {
    auto const& request = waiting_[index].request;
    return bank(request.bank).row == request.row;
  }

  // The calendar.

  std::int64_t targets() const {
    return spec_.policy.refresh == Policy::Refresh::per_bank ? bank_count()
                                                             : spec_.organization.all_ranks();
  }
  bool belongs(int bank_index, std::int64_t target) const {
    return spec_.policy.refresh == Policy::Refresh::per_bank ? bank_index == target
                                                             : rank_of(bank_index) == target;
  }
  bool is_refreshed_at(std::int64_t target, std::int64_t cycle) const {
    auto const since = cycle - target * spec_.policy.refresh_stagger;
    return cycle > 0 && since >= 0 && since % spec_.timing.tREFI == 0;
  }

  /// The cycle from which on this bank must be closed for its next refresh.
  std::int64_t closed_from(int bank_index) const {
    if (spec_.policy.refresh == Policy::Refresh::none) return INT64_MAX;
    std::int64_t target = 0;
    while (!belongs(bank_index, target)) ++target;
    auto const first = target * spec_.policy.refresh_stagger;
    auto const periods = std::max<std::int64_t>(0, (now_ - first) / spec_.timing.tREFI);
    auto next = first + periods * spec_.timing.tREFI;
    while (next <= now_) next += spec_.timing.tREFI;
    return next - spec_.timing.tRP;
  }

  bool refresh_step() {
    if (spec_.policy.refresh == Policy::Refresh::none) return false;
    for (std::int64_t target = 0; target < targets(); ++target) {
      if (is_refreshed_at(target, now_)) {
        refresh(target);
        return true;
      }
      if (is_refreshed_at(target, now_ + spec_.timing.tRP)) {
        precharge_target(target);
        return true;
      }
    }
    return false;
  }

  void refresh(std::int64_t target) {
    std::optional<int> first;
    for (int i = 0; i < bank_count(); ++i) {
      if (!belongs(i, target)) continue;
      bank(i).refreshed = now_;
      if (!first) first = i;
    }
    bool const one = spec_.policy.refresh == Policy::Refresh::per_bank;
    record(one ? Kind::refresh_bank : Kind::refresh, *first);
  }

  void precharge_target(std::int64_t target) {
    std::optional<int> first;
    bool is_needed = false;
    int size = 0;
    for (int i = 0; i < bank_count(); ++i) {
      if (!belongs(i, target)) continue;
      ++size;
      if (!first) first = i;
      if (bank(i).row) {
        is_needed = true;
        bank(i).row.reset();
        bank(i).precharged = now_;
      }
    }
    if (is_needed) record(size == 1 ? Kind::precharge : Kind::precharge_all, *first);
  }

  /// A slot of the calendar is its own, needed or not.
  bool is_slot(std::int64_t cycle) const {
    for (std::int64_t target = 0; target < targets(); ++target) {
      if (is_refreshed_at(target, cycle) || is_refreshed_at(target, cycle + spec_.timing.tRP)) {
        return true;
      }
    }
    return false;
  }

  // What is legal now.

  bool may_activate(int index) const {
    auto const& t = spec_.timing;
    auto const& own = bank(index);
    auto const blackout = spec_.policy.refresh == Policy::Refresh::per_bank ? t.tRFCpb : t.tRFC;
    if (own.activated + t.tRC > now_ || own.precharged + t.tRP > now_) return false;
    if (own.refreshed + blackout > now_) return false;
    int recent = 0;
    for (auto const& [cycle, other] : activates_) {
      if (rank_of(other) != rank_of(index)) continue;
      bool const same_group = group_of(other) == group_of(index);
      if (cycle + (same_group ? t.tRRD_L : t.tRRD_S) > now_) return false;
      if (cycle + t.tFAW > now_) ++recent;
    }
    if (recent >= 4) return false;
    for (auto later = now_ + 1; later < now_ + t.tACT; ++later) {
      if (spec_.policy.refresh != Policy::Refresh::none && is_slot(later)) return false;
    }
    auto const write = t.tCWL + t.tBL + t.tWR;
    auto const open = std::max({t.tRAS, t.tRCD + t.tRTP, t.tRCDWR + write});
    return now_ + open <= closed_from(index);
  }

  bool may_precharge(int index) const {
    auto const& t = spec_.timing;
    auto const& own = bank(index);
    return own.activated + t.tRAS <= now_ && own.read + t.tRTP <= now_ &&
           own.written + t.tCWL + t.tBL + t.tWR <= now_ && now_ <= closed_from(index);
  }

  bool may_access(int index, bool writes) const {
    auto const& t = spec_.timing;
    if (bank(index).activated + (writes ? t.tRCDWR : t.tRCD) > now_) return false;
    auto const starts = now_ + (writes ? t.tCWL : t.tCL);
    for (auto const& earlier : columns_) {
      bool const same_rank = rank_of(earlier.bank) == rank_of(index);
      bool const same_group = group_of(earlier.bank) == group_of(index);
      auto const ended = earlier.cycle + (earlier.is_write ? t.tCWL : t.tCL) + t.tBL;
      if (same_rank && earlier.is_write == writes &&
          earlier.cycle + (same_group ? t.tCCD_L : t.tCCD_S) > now_) {
        return false;
      }
      if (same_rank && earlier.is_write && !writes &&
          ended + (same_group ? t.tWTR_L : t.tWTR_S) > now_) {
        return false;
      }
      if (bus_of(earlier.bank) == bus_of(index)) {
        bool const turns = !same_rank || earlier.is_write != writes;
        if (ended + (turns ? t.tRTRS : 0) > starts) return false;
      }
    }
    return now_ + (writes ? t.tCWL + t.tBL + t.tWR : t.tRTP) <= closed_from(index);
  }

  // What is done.

  bool column_step() {
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      if (in_order() && i > 0) return false;
      if (is_eligible(i) && is_hit(i) &&
          may_access(waiting_[i].request.bank, waiting_[i].is_write())) {
        access(i);
        return true;
      }
    }
    return false;
  }

  void access(std::size_t index) {
    auto& [request, arrival] = waiting_[index];
    auto const& t = spec_.timing;
    bool const writes = request.access == Access::write;
    auto& own = bank(request.bank);
    (writes ? own.written : own.read) = now_;
    columns_.push_back({now_, request.bank, writes});
    while (columns_.front().cycle + reach() < now_) columns_.pop_front();
    bool const is_last = --request.bursts == 0;
    bool const closes = is_last && closed_page();
    if (closes) {
      own.row.reset();
      own.precharged = std::max(
          {own.activated + t.tRAS, own.read + t.tRTP, own.written + t.tCWL + t.tBL + t.tWR});
    }
    record(writes ? (closes ? Kind::write_precharge : Kind::write)
                  : (closes ? Kind::read_precharge : Kind::read),
           request.bank);
    if (!is_last) return;
    auto const done = now_ + (writes ? t.tCWL : t.tCL) + t.tBL + spec_.policy.latency;
    result_.completions.push_back({request.tag, now_, done});
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(index));
    update_mode();
  }

  bool row_step() {
    bool all_prepared = true;
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      if (!counts(waiting_[i])) continue;
      bool const in_turn = all_prepared;
      all_prepared = all_prepared && is_hit(i) && (is_first_of_its_bank(i) || !closed_page());
      auto const index = waiting_[i].request.bank;
      if (!is_eligible(i) || is_hit(i)) continue;
      if (!is_starved(i) && !is_first_of_its_bank(i)) continue;
      if (!bank(index).row) {
        if ((in_order() && !in_turn) || !may_activate(index)) continue;
        activate(index, waiting_[i].request.row);
        return true;
      }
      if ((!is_starved(i) && row_is_wanted(index)) || !may_precharge(index)) continue;
      precharge(index);
      return true;
    }
    return false;
  }

  bool row_is_wanted(int index) const {
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      if (waiting_[i].request.bank == index && is_eligible(i) && is_hit(i)) return true;
    }
    return false;
  }

  void idle_step() {
    for (int i = 0; i < bank_count(); ++i) {
      auto const& own = bank(i);
      auto const used = std::max({own.activated, own.read, own.written});
      bool const is_waited_for =
          std::any_of(waiting_.begin(), waiting_.end(),
                      [&](Waiting const& it) { return counts(it) && it.request.bank == i; });
      if (!own.row || is_waited_for || used + spec_.policy.page_timeout > now_) continue;
      if (!may_precharge(i)) continue;
      precharge(i);
      return;
    }
  }

  void activate(int index, std::uint32_t row) {
    bank(index).row = row;
    bank(index).activated = now_;
    activate_sent_ = now_ + spec_.timing.tACT;
    activates_.push_back({now_, index});
    while (activates_.front().first + reach() < now_) activates_.pop_front();
    record(Kind::activate, index, row);
  }

  void precharge(int index) {
    bank(index).row.reset();
    bank(index).precharged = now_;
    record(Kind::precharge, index);
  }

  void record(Kind kind, int index, std::uint32_t row = 0) {
    result_.commands.push_back({now_, kind, static_cast<std::uint16_t>(index), row});
  }

  arch::DramSpec spec_;
  RunResult& result_;
  std::int64_t now_ = 0;
  std::int64_t activate_sent_ = 0;  ///< the last activate has left the command bus
  bool writing_ = false;
  std::vector<Bank> banks_;
  std::deque<Waiting> waiting_;
  std::deque<Column> columns_;
  std::deque<std::pair<std::int64_t, int>> activates_;
};

ClockedChannel::ClockedChannel(arch::DramSpec const& spec, RunResult& result)
    : state_{std::make_unique<State>(spec, result)} {}
ClockedChannel::~ClockedChannel() = default;
bool ClockedChannel::accept(std::int64_t now, sim::DramRequest const& request) {
  return state_->accept(now, request);
}
void ClockedChannel::step(std::int64_t now) { state_->step(now); }
bool ClockedChannel::is_idle() const { return state_->is_idle(); }

RunResult run_clocked(arch::DramSpec const& spec, std::vector<Arrival> const& arrivals) {
  RunResult result;
  ClockedChannel channel{spec, result};
  std::size_t next = 0;
  for (std::int64_t now = 0; next < arrivals.size() || !channel.is_idle(); ++now) {
    while (next < arrivals.size() && arrivals[next].cycle <= now &&
           channel.accept(now, arrivals[next].request)) {
      ++next;
    }
    channel.step(now);
  }
  return result;
}

}  // namespace tessera::test
