// Request by request: precharge, activate, columns, each at the first cycle that older requests leave.
#include "sim/model/memory/dram/dram_stream.hpp"

#include <algorithm>
#include <utility>

namespace tessera::sim {

namespace {

using Policy = arch::DramPolicy;
constexpr std::size_t epochs_at_once = 64;  // a queue of requests spans no more refreshes

}  // namespace

bool DramStream::serves(arch::DramSpec const& spec) {
  auto const& t = spec.timing;
  auto const& policy = spec.policy;
  bool const refreshes = policy.refresh == Policy::Refresh::all_bank;
  // Nothing from before a refresh is felt after it.
  auto const memory = std::max(
      {t.tRC, t.tFAW, t.tRRD_L, t.tCCD_L, t.tCL + t.tBL + t.tRTRS, t.tCWL + t.tBL + t.tWTR_L});
  // On a shared bus a long activate would delay the column commands of older requests.
  bool const rows_interfere = t.tACT > 1 && policy.command_bus == Policy::CommandBus::shared;
  return spec.is_in_order() && policy.bank_queue_depth == 0 && (!refreshes || t.tRFC >= memory) &&
         !rows_interfere;
}

DramStream::DramStream(arch::DramSpec const& spec, Observer observer)
    : spec_{spec},
      observer_{std::move(observer)},
      has_refresh_{spec.policy.refresh != Policy::Refresh::none},
      shared_bus_{spec.policy.command_bus == Policy::CommandBus::shared},
      closes_rows_{spec.policy.page == Policy::Page::closed},
      read_guard_{spec.timing.tRTP},
      write_guard_{spec.timing.tCWL + spec.timing.tBL + spec.timing.tWR},
      open_guard_{spec.timing.tACT - 1 +
                  std::max({spec.timing.tRAS, spec.timing.tRCD + read_guard_,
                            spec.timing.tRCDWR + write_guard_})},
      burst_step_{
          std::max({spec.timing.tCCD_L, spec.timing.tCCD_S, spec.timing.tBL, std::int64_t{1}})},
      oldest_end_{has_refresh_ ? spec.timing.tREFI : never},
      fresh_{spec},
      turned_{spec},
      epochs_(epochs_at_once),
      issued_(static_cast<std::size_t>(spec.policy.queue_depth), -1) {
  EXPECTS(serves(spec), spec.name);
}

DramStream::Epoch& DramStream::epoch(std::int64_t number) {
  EXPECTS(number - oldest_epoch_ < static_cast<std::int64_t>(epochs_at_once), number);
  auto& it = epochs_[static_cast<std::size_t>(number) % epochs_at_once];
  if (it.number == number) return it;
  it.number = number;
  it.start = has_refresh_ ? number * spec_.timing.tREFI : 0;
  it.close_by = has_refresh_ ? it.start + spec_.timing.tREFI - spec_.timing.tRP : never;
  it.timer = fresh_;
  it.rows.restart(it.start);
  it.last_column = -1;
  it.open_banks = it.blocked_banks = 0;
  it.no_activates = it.no_columns = false;
  for (std::size_t bank = 0; number > 0 && bank < fresh_.banks(); ++bank) {
    it.timer.block(bank, it.start + spec_.timing.tRFC);
  }
  return it;
}

DramCompletion DramStream::serve(std::int64_t cycle, DramRequest const& request) {
  EXPECTS(request.bank < fresh_.banks() && request.bursts > 0, request.bank, request.bursts);
  arrived_ = std::max({arrived_, cycle, issued_[place_] + 1});
  if (arrived_ >= oldest_end_) close_epochs();
  slots_.forget_before(arrived_);
  auto number = oldest_epoch_;
  statistics_.active_clocks += epoch(number).count_active(arrived_);
  std::int64_t issued = never;
  for (auto left = request.bursts; left > 0; ++number) {
    auto& now = epoch(number);
    auto const from = std::max(arrived_, now.start);
    if (prepare(now, from, request)) issued = serve_columns(now, from, request, left);
    if (left > 0) now.blocked_banks |= std::uint64_t{1} << request.bank;
  }
  issued_[place_] = issued;
  place_ = place_ + 1 == issued_.size() ? 0 : place_ + 1;
  auto const data = fresh_.data_end(request.access);
  return {request.tag, issued, issued + data + spec_.policy.latency};
}

bool DramStream::prepare(Epoch& now, std::int64_t from, DramRequest const& request) {
  auto const bit = std::uint64_t{1} << request.bank;
  bool const is_first = (now.blocked_banks & bit) == 0;
  bool const is_hit = now.timer.is_open_at(request.bank, request.row);
  if (is_hit && (is_first || !closes_rows_)) return true;
  bool const is_closed =
      is_first && (!now.timer.is_open(request.bank) || precharge(now, from, request));
  if (is_closed && !now.no_activates) {
    auto const cycle =
        slots_.first_free(std::max(now.timer.earliest(BankCommand::activate, request.bank), from));
    if (cycle + open_guard_ <= now.close_by) {
      // Activates go in order: no older request has a row command later than this.
      for (std::int64_t i = 0; i < spec_.timing.tACT; ++i) slots_.take(cycle + i);
      now.rows.open(now.timer.activate(cycle, request.bank, request.row));
      now.open_banks |= bit;
      record(DramCommand::Kind::activate, cycle, request.bank, request.row);
      return true;
    }
  }
  now.no_activates = now.no_columns = true;
  return false;
}

bool DramStream::precharge(Epoch& now, std::int64_t from, DramRequest const& request) {
  auto const cycle =
      slots_.first_free(std::max(now.timer.earliest(BankCommand::precharge, request.bank), from));
  if (cycle >= now.close_by) return false;  // that slot is the refresh's own
  slots_.take(cycle);
  now.timer.precharge(cycle, request.bank);
  now.rows.close(cycle);
  now.open_banks &= ~(std::uint64_t{1} << request.bank);
  record(DramCommand::Kind::precharge, cycle, request.bank);
  return true;
}

std::int64_t DramStream::serve_columns(Epoch& now, std::int64_t from, DramRequest const& request,
                                       std::uint16_t& left) {
  using Kind = DramCommand::Kind;
  if (now.no_columns) return never;
  bool const reads = request.access == Access::read;
  auto const last = now.close_by - (reads ? read_guard_ : write_guard_);
  auto next = std::max({now.timer.earliest(column_command(request.access), request.bank), from,
                        now.last_column + 1});
  auto issued = never;
  for (; left > 0; next = issued + burst_step_) {
    auto const cycle = shared_bus_ ? slots_.first_free(next) : next;
    now.no_columns = cycle > last;
    if (now.no_columns) break;
    if (shared_bus_) slots_.take(cycle);
    issued = cycle;
    bool const closes = --left == 0 && closes_rows_;
    auto const kind = closes ? (reads ? Kind::read_precharge : Kind::write_precharge)
                             : (reads ? Kind::read : Kind::write);
    record(kind, cycle, request.bank);
  }
  if (issued == never) return never;
  // Of commands that are the same but for their time, the last one constrains most.
  now.last_column = issued;
  now.timer.column(issued, request.access, request.bank);
  if (left == 0 && closes_rows_) close_row(now, request.bank);
  return issued;
}

void DramStream::close_row(Epoch& now, std::size_t bank) {
  now.rows.close(now.timer.auto_precharge(bank));
  now.open_banks &= ~(std::uint64_t{1} << bank);
}

/// Does the refreshes up to the last arrival. Epochs are begun in order, so behind one that no
/// request has seen there are only refreshes to count.
void DramStream::close_epochs() {
  while (arrived_ >= oldest_end_) {
    auto& now = epochs_[static_cast<std::size_t>(oldest_epoch_) % epochs_at_once];
    bool const is_begun = now.number == oldest_epoch_;
    if (is_begun) statistics_.active_clocks += now.count_active(oldest_end_);
    bool const is_alone = !is_begun && !observer_;
    auto const epochs = is_alone ? (arrived_ - oldest_end_) / spec_.timing.tREFI + 1 : 1;
    auto const close_by = oldest_end_ - spec_.timing.tRP;
    if (is_begun && now.open_banks != 0) record(DramCommand::Kind::precharge_all, close_by, 0);
    if (!is_alone) record(DramCommand::Kind::refresh, oldest_end_, 0);
    if (is_alone) statistics_.refreshes += epochs;
    oldest_epoch_ += epochs;
    oldest_end_ += epochs * spec_.timing.tREFI;
  }
}

void DramStream::finish(std::int64_t now) {
  arrived_ = std::max(arrived_, now);
  close_epochs();
  auto& last = epochs_[static_cast<std::size_t>(oldest_epoch_) % epochs_at_once];
  if (last.number == oldest_epoch_) statistics_.active_clocks += last.count_active(arrived_);
}

void DramStream::record(DramCommand::Kind kind, std::int64_t cycle, std::size_t bank,
                        std::uint32_t row) {
  statistics_.count(kind);
  if (observer_) observer_({cycle, kind, static_cast<std::uint16_t>(bank), row});
}

void DramStream::serialize(std::int64_t now, StateWriter& out, BankView const& view) const {
  auto const first = has_refresh_ ? now / spec_.timing.tREFI : 0;
  if (has_refresh_) out.put(now % spec_.timing.tREFI);
  for (auto number = first;; ++number) {
    auto const& it = epochs_[static_cast<std::size_t>(number) % epochs_at_once];
    if (it.number != number) break;
    out.put(number - first);
    it.timer.serialize(now, out, view);
    it.rows.serialize(now, out);
    out.put(std::max<std::int64_t>(it.last_column - now, -1));
    out.put(static_cast<std::int64_t>(view.turned(it.blocked_banks, BankView{})));
    out.put((it.no_activates ? 2 : 0) + (it.no_columns ? 1 : 0));
  }
  slots_.visit_from(now, [&](std::int64_t cycle) { out.put(cycle - now); });
  for (std::size_t i = 0, place = place_; i < issued_.size(); ++i) {
    out.put(std::max<std::int64_t>(issued_[place] - now, -1));
    place = place + 1 == issued_.size() ? 0 : place + 1;
  }
}

void DramStream::shift(std::int64_t by) {
  auto const epochs = has_refresh_ ? by / spec_.timing.tREFI : 0;
  EXPECTS(!has_refresh_ || by % spec_.timing.tREFI == 0, by, spec_.timing.tREFI);
  for (auto& it : epochs_) {
    if (it.number < oldest_epoch_) it.number = -1;
    if (it.number < 0) continue;
    it.number += epochs;
    it.start += has_refresh_ ? by : 0;
    it.close_by += has_refresh_ ? by : 0;
    shift(it, by);
  }
  // Each to the place of its new number.
  auto const places = static_cast<std::int64_t>(epochs_at_once);
  auto const turn = (epochs % places + places) % places;
  std::rotate(epochs_.begin(), epochs_.end() - turn, epochs_.end());
  oldest_epoch_ += epochs;
  oldest_end_ += has_refresh_ ? by : 0;
  shift_arrivals(by);
}

void DramStream::turn(Epoch& epoch, BankView const& from, BankView const& to) {
  turned_ = epoch.timer;
  epoch.timer.turn(turned_, from, to);
  epoch.open_banks = from.turned(epoch.open_banks, to);
  epoch.blocked_banks = from.turned(epoch.blocked_banks, to);
}

void DramStream::shift(Epoch& epoch, std::int64_t by) {
  epoch.timer.shift(by);
  epoch.rows.shift(by);
  epoch.last_column += by;
}

void DramStream::shift_arrivals(std::int64_t by) {
  arrived_ += by;
  slots_.shift(by);
  for (auto& cycle : issued_) cycle += by;
}

}  // namespace tessera::sim
