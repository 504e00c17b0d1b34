// The clocks of clocked_channel.hpp.
#include "test/support/memory/clocked_channel.hpp"

#include <algorithm>
#include <deque>
#include <optional>

#include "test/support/memory/clocked_banks.hpp"

namespace tessera::test {

namespace {

using sim::Access;
using sim::DramCommand;
using Policy = arch::DramPolicy;
using Kind = DramCommand::Kind;

struct Waiting {
  sim::DramRequest request;
  std::int64_t arrival = 0;
  bool has_begun = false;  ///< or is in the queue of its bank, where reads and writes share these
  bool is_write() const { return request.access == Access::write; }
};

}  // namespace

class ClockedChannel::State {
 public:
  State(arch::DramSpec const& spec, RunResult& result)
      : spec_{spec}, banks_{spec}, result_{result} {}

  bool accept(std::int64_t now, sim::DramRequest const& request) {
    bool const writes = request.access == Access::write;
    auto const taken = separate() ? in_queue(writes) : in_shared_queue();
    if (taken >= spec_.policy.queue_depth) return false;
    waiting_.push_back({request, now});
    settle();
    return true;
  }

  void step(std::int64_t now) {
    result_.active_clocks += banks_.active_ranks(now - 1);
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

  /// Requests that find no place in the queues of their banks.
  std::int64_t in_shared_queue() const {
    std::int64_t shared = 0;
    for (int i = 0; i < banks_.count(); ++i) {
      auto const here = std::count_if(waiting_.begin(), waiting_.end(),
                                      [&](Waiting const& it) { return it.request.bank == i; });
      shared += std::max<std::int64_t>(0, here - spec_.policy.bank_queue_depth);
    }
    return shared;
  }

  std::int64_t in_queue(bool writes) const {
    return std::count_if(waiting_.begin(), waiting_.end(), [&](Waiting const& it) {
      return it.is_write() == writes && !it.has_begun;
    });
  }

  bool banks_share_queues() const { return separate() && spec_.policy.bank_queue_depth > 0; }

  void settle() {
    if (!separate()) return;
    do {
      fill_queues_of_banks();
    } while (changes_mode());
  }

  void fill_queues_of_banks() {
    if (!banks_share_queues()) return;
    for (auto& it : waiting_) {
      if (it.has_begun || it.is_write() != writing_ || (writing_ && batch_ == 0)) continue;
      auto const here = std::count_if(waiting_.begin(), waiting_.end(), [&](Waiting const& other) {
        return other.has_begun && other.request.bank == it.request.bank;
      });
      if (here >= spec_.policy.bank_queue_depth) continue;
      it.has_begun = true;
      if (writing_) --batch_;
    }
  }

  bool changes_mode() {
    auto const& policy = spec_.policy;
    auto const writes = in_queue(true);
    auto const reads = in_queue(false);
    bool const banks_wait =
        banks_share_queues() && std::any_of(waiting_.begin(), waiting_.end(),
                                            [](Waiting const& it) { return it.has_begun; });
    bool const begins =
        writes >= policy.high_watermark || (reads == 0 && !banks_wait && writes > 0);
    bool const ends =
        writes == 0 ||
        (banks_share_queues() ? batch_ == 0 : writes <= policy.low_watermark && reads > 0);
    if (!(writing_ ? ends : begins)) return false;
    writing_ = !writing_;
    batch_ = writes > policy.low_watermark ? writes - policy.low_watermark : writes;
    return true;
  }

  bool counts(Waiting const& it) const {
    if (!separate() || it.has_begun) return true;
    return !banks_share_queues() && it.is_write() == writing_;
  }

  bool is_first_of_its_bank(std::size_t index) const {
    auto const comes_before = [&](std::size_t i) {
      bool const is_ahead = waiting_[i].has_begun && !waiting_[index].has_begun;
      return is_ahead || (i < index && waiting_[i].has_begun == waiting_[index].has_begun);
    };
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      bool const is_of_bank = waiting_[i].request.bank == waiting_[index].request.bank;
      if (i != index && is_of_bank && counts(waiting_[i]) && comes_before(i)) return false;
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
    return (!closed_page() && !in_order()) || is_starved(index) || is_first_of_its_bank(index);
  }

  bool is_hit(std::size_t index) const {
    auto const& request = waiting_[index].request;
    return banks_[request.bank].row == request.row;
  }

  bool refresh_step() {
    if (spec_.policy.refresh == Policy::Refresh::none) return false;
    for (std::int64_t target = 0; target < banks_.targets(); ++target) {
      if (banks_.is_refreshed_at(target, now_)) {
        refresh(target);
        return true;
      }
      if (banks_.is_refreshed_at(target, now_ + spec_.timing.tRP)) {
        precharge_target(target);
        return true;
      }
    }
    return false;
  }

  void refresh(std::int64_t target) {
    std::optional<int> first;
    for (int i = 0; i < banks_.count(); ++i) {
      if (!banks_.belongs(i, target)) continue;
      banks_.refresh(now_, i);
      if (!first) first = i;
    }
    bool const one = spec_.policy.refresh == Policy::Refresh::per_bank;
    record(one ? Kind::refresh_bank : Kind::refresh, *first);
  }

  void precharge_target(std::int64_t target) {
    std::optional<int> first;
    bool is_needed = false;
    int size = 0;
    for (int i = 0; i < banks_.count(); ++i) {
      if (!banks_.belongs(i, target)) continue;
      ++size;
      if (!first) first = i;
      if (banks_[i].row) {
        is_needed = true;
        banks_.precharge(now_, i);
      }
    }
    if (is_needed) record(size == 1 ? Kind::precharge : Kind::precharge_all, *first);
  }

  // What is done.

  bool column_step() {
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      if (in_order() && i > 0) return false;
      if (is_eligible(i) && is_hit(i) &&
          banks_.may_access(now_, waiting_[i].request.bank, waiting_[i].is_write())) {
        access(i);
        return true;
      }
    }
    return false;
  }

  void access(std::size_t index) {
    auto& request = waiting_[index].request;
    auto const& t = spec_.timing;
    bool const writes = request.access == Access::write;
    banks_.access(now_, request.bank, writes);
    bool const is_last = --request.bursts == 0;
    bool const closes = is_last && closed_page();
    if (closes) banks_.close(request.bank);
    record(writes ? (closes ? Kind::write_precharge : Kind::write)
                  : (closes ? Kind::read_precharge : Kind::read),
           request.bank);
    waiting_[index].has_begun = separate();
    if (!is_last) return settle();
    auto const done = now_ + (writes ? t.tCWL : t.tCL) + t.tBL + spec_.policy.latency;
    result_.completions.push_back({request.tag, now_, done});
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(index));
    settle();
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
      if (!banks_[index].row) {
        if ((in_order() && !in_turn) || !banks_.may_activate(now_, index)) continue;
        activate(index, waiting_[i].request.row);
        waiting_[i].has_begun = separate();
        settle();
        return true;
      }
      if ((!is_starved(i) && row_is_wanted(index)) || !banks_.may_precharge(now_, index)) continue;
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
    for (int i = 0; i < banks_.count(); ++i) {
      auto const& own = banks_[i];
      auto const used = std::max({own.activated, own.read, own.written});
      bool const is_waited_for =
          std::any_of(waiting_.begin(), waiting_.end(),
                      [&](Waiting const& it) { return counts(it) && it.request.bank == i; });
      if (!own.row || is_waited_for || used + spec_.policy.page_timeout > now_) continue;
      if (!banks_.may_precharge(now_, i)) continue;
      precharge(i);
      return;
    }
  }

  void activate(int index, std::uint32_t row) {
    banks_.activate(now_, index, row);
    activate_sent_ = now_ + spec_.timing.tACT;
    record(Kind::activate, index, row);
  }

  void precharge(int index) {
    banks_.precharge(now_, index);
    record(Kind::precharge, index);
  }

  void record(Kind kind, int index, std::uint32_t row = 0) {
    result_.commands.push_back({now_, kind, static_cast<std::uint16_t>(index), row});
  }

  arch::DramSpec spec_;
  ClockedBanks banks_;
  RunResult& result_;
  std::int64_t now_ = 0;
  std::int64_t activate_sent_ = 0;  ///< the last activate has left the command bus
  bool writing_ = false;
  std::int64_t batch_ = 0;  ///< writes that are put into the queues of banks this time
  std::deque<Waiting> waiting_;
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
