// The decision of dram_channel.hpp, taken only at the cycles where it can come out differently.
#include "sim/model/memory/dram_channel.hpp"

#include <algorithm>
#include <utility>

namespace tessera::sim {

namespace {

using Policy = arch::DramPolicy;

[[nodiscard]] DramQueue queue_of(Policy const& policy, std::size_t banks) {
  return {static_cast<std::size_t>(policy.queue_depth),
          static_cast<std::size_t>(policy.bank_queue_depth), banks};
}

[[nodiscard]] std::size_t first_bit(std::uint64_t word) { return DramWishes::first_bit(word); }

/// Earlier first; of one cycle a column command, then older requests.
template <typename Candidate>
void keep_better(Candidate& best, Candidate const& other) {
  if (other.cycle > best.cycle) return;
  using Kind = typename Candidate::Kind;
  bool const column = other.kind == Kind::column;
  bool const best_column = best.kind == Kind::column;
  bool const wins = column != best_column ? column : other.age < best.age;
  if (other.cycle < best.cycle || wins) best = other;
}

}  // namespace

DramChannel::DramChannel(arch::DramSpec const& spec, Observer observer)
    : spec_{spec},
      observer_{std::move(observer)},
      in_order_{spec.policy.scheduler == Policy::Scheduler::fcfs},
      oldest_of_bank_only_{spec.policy.page == Policy::Page::closed || in_order_},
      timer_{spec},
      calendar_{spec},
      wishes_{timer_.banks(), static_cast<std::size_t>(spec.organization.banks)},
      queues_{queue_of(spec.policy, timer_.banks()), queue_of(spec.policy, timer_.banks())} {}

DramQueue& DramChannel::queue_for(Access access) {
  bool const separate = spec_.policy.queues == Policy::Queues::separate;
  return queues_[separate && access == Access::write ? 1 : 0];
}

DramQueue const& DramChannel::queue_for(Access access) const {
  return const_cast<DramChannel*>(this)->queue_for(access);  // NOLINT: the same, read only
}

void DramChannel::push(std::int64_t cycle, DramRequest const& request) {
  EXPECTS(cycle == seen_ + 1 && request.bank < timer_.banks() && request.bursts > 0, cycle, seen_);
  auto const active_before = active_;
  auto& queue = queue_for(request.access);
  bool const is_hit = !oldest_of_bank_only_ && timer_.is_open_at(request.bank, request.row);
  bool const is_first = queue.oldest_of(request.bank) == DramQueue::none;
  bool const is_first_hit =
      is_hit && queue.oldest_hit(request.bank, request.access) == DramQueue::none;
  queue.push(cycle, pushed_++, request, is_hit);
  update_mode();
  if (active_ == active_before && &queue != &queues_[active_]) return;
  // Behind others at its bank, a request changes nothing yet.
  if (active_ == active_before && !in_order_ && !is_first && !is_first_hit) return;
  look_at(request.bank);
  // One bank wants something else now; where only that can change the choice, look only there.
  bool const is_local = active_ == active_before && request.bank != chosen_.bank &&
                        request.bank != queue[queue.oldest()].request.bank && !in_order_;
  if (is_local) {
    keep_better(chosen_, wanted_at(request.bank));
  } else {
    chosen_ = choose();
  }
}

void DramChannel::update_mode() {
  if (spec_.policy.queues == Policy::Queues::shared) return;
  auto const& reads = queues_[0];
  auto const& writes = queues_[1];
  auto const active_before = active_;
  auto const waiting = static_cast<std::int64_t>(writes.size());
  if (active_ == 0) {
    bool const must = waiting >= spec_.policy.high_watermark;
    if (must || (reads.is_empty() && waiting > 0)) active_ = 1;
  } else {
    bool const may = waiting <= spec_.policy.low_watermark && !reads.is_empty();
    if (may || waiting == 0) active_ = 0;
  }
  if (active_ != active_before) look_at_all();
}

void DramChannel::advance(std::int64_t now, std::vector<DramCompletion>& out) {
  if (now <= seen_) return;
  while (std::min(chosen_.cycle, calendar_.next().cycle) <= now) {
    if (calendar_.next().cycle <= chosen_.cycle) {
      issue_calendar_event();
    } else {
      issue(chosen_, out);
    }
    chosen_ = choose();
  }
  seen_ = now;
  column_bus_ = std::max(column_bus_, now + 1);
  row_bus_ = std::max(row_bus_, now + 1);
}

std::optional<std::int64_t> DramChannel::next_wakeup() const {
  if (is_idle()) return std::nullopt;
  return std::min(chosen_.cycle, calendar_.next().cycle);
}

DramChannel::Candidate DramChannel::choose() const {
  auto best = in_order_ ? choose_in_order() : choose_first_ready();
  if (spec_.policy.page == Policy::Page::timeout) consider_idle_rows(best);
  return best;
}

DramChannel::Candidate DramChannel::choose_first_ready() const {
  auto const& queue = active();
  if (queue.is_empty()) return {};
  auto const& oldest = queue[queue.oldest()];
  auto const starved = oldest.arrival + spec_.policy.starvation_cap;
  auto const best = best_wish();
  bool const is_plain = best.cycle < starved && best.cycle <= calendar_.carefree();
  return is_plain ? best : choose_bank_by_bank(starved);
}

inline void DramChannel::consider(Candidate& best, Candidate::Kind command, Wishes::Kind kind,
                                  std::size_t group, std::int64_t floor) const {
  bool const yields = best.kind == Candidate::Kind::column && command != Candidate::Kind::column;
  auto const cycle = std::max(wishes_.first_ready(kind, group), floor);
  if (cycle + (yields ? 1 : 0) > best.cycle) return;
  auto const& wish = wishes_.oldest(kind, group, cycle);
  if (cycle < best.cycle || wish.age < best.age) {
    best = {cycle, wish.age, command, wish.place, wish.bank};
  }
}

DramChannel::Candidate DramChannel::best_wish() const {
  Candidate best;
  for (auto const access : {Access::read, Access::write}) {
    auto const kind = access == Access::read ? Wishes::Kind::read : Wishes::Kind::write;
    for (auto groups = wishes_.groups(kind); groups != 0; groups &= groups - 1) {
      auto const group = first_bit(groups);
      auto const floor = std::max(timer_.group_column(access, group), column_bus_);
      consider(best, Candidate::Kind::column, kind, group, floor);
    }
  }
  if (best.cycle <= row_bus_) return best;
  auto constexpr precharge = Wishes::Kind::precharge;
  if (wishes_.groups(precharge) != 0) {
    consider(best, Candidate::Kind::precharge, precharge, 0, row_bus_);
  }
  auto constexpr activate = Wishes::Kind::activate;
  for (auto groups = wishes_.groups(activate); groups != 0; groups &= groups - 1) {
    auto const group = first_bit(groups);
    auto const floor = std::max(timer_.group_activate(group), row_bus_);
    consider(best, Candidate::Kind::activate, activate, group, floor);
  }
  return best;
}

DramChannel::Candidate DramChannel::choose_bank_by_bank(std::int64_t starved) const {
  Candidate best;
  auto const& queue = active();
  for (auto banks = queue.banks(); banks != 0; banks &= banks - 1) {
    auto const bank = first_bit(banks);
    auto wanted = wanted_at(bank);
    if (bank == queue[queue.oldest()].request.bank && wanted.cycle >= starved) {
      wanted = wanted_by(queue.oldest(), starved);
    }
    keep_better(best, wanted);
  }
  return best;
}

void DramChannel::look_at(std::size_t bank) {
  if (in_order_) return;
  wishes_.forget(bank);
  auto const first = active().oldest_of(bank);
  if (first == DramQueue::none) return;
  if (!timer_.is_open(bank)) {
    wish(Wishes::Kind::activate, first, timer_.bank_activate(bank));
    return;
  }
  bool hits = false;
  for (auto const access : {Access::read, Access::write}) {
    auto const hit = hit_at(bank, access);
    if (hit == DramQueue::none) continue;
    auto const kind = access == Access::read ? Wishes::Kind::read : Wishes::Kind::write;
    wish(kind, hit, timer_.bank_column(access, bank));
    hits = true;
  }
  if (!hits) wish(Wishes::Kind::precharge, first, timer_.earliest_precharge(bank));
}

DramChannel::Place DramChannel::hit_at(std::size_t bank, Access access) const {
  if (!oldest_of_bank_only_) return active().oldest_hit(bank, access);
  auto const first = active().oldest_of(bank);
  auto const& request = active()[first].request;
  bool const hits = request.access == access && timer_.is_open_at(bank, request.row);
  return hits ? first : DramQueue::none;
}

void DramChannel::wish(Wishes::Kind kind, Place place, std::int64_t ready) {
  auto const& entry = active()[place];
  wishes_.add(kind, {ready, entry.age, place, entry.request.bank});
}

void DramChannel::look_at_all() {
  for (std::size_t bank = 0; bank < timer_.banks(); ++bank) look_at(bank);
}

DramChannel::Candidate DramChannel::choose_in_order() const {
  Candidate best;
  auto const& queue = active();
  if (queue.is_empty()) return best;
  if (auto const wanted = wanted_by(queue.oldest()); wanted.kind == Candidate::Kind::column) {
    best = wanted;
  }
  for (auto banks = queue.banks() & open_banks_; banks != 0; banks &= banks - 1) {
    auto const wanted = wanted_by(queue.oldest_of(first_bit(banks)));
    if (wanted.kind == Candidate::Kind::precharge) keep_better(best, wanted);
  }
  auto place = queue.oldest();
  while (place != DramQueue::none && is_prepared(place)) place = queue.next(place);
  if (place == DramQueue::none) return best;
  auto const bank = queue[place].request.bank;
  if (queue.oldest_of(bank) == place && !timer_.is_open(bank)) keep_better(best, wanted_by(place));
  return best;
}

bool DramChannel::is_prepared(Place place) const {
  auto const& request = active()[place].request;
  bool const is_first = active().oldest_of(request.bank) == place;
  return timer_.is_open_at(request.bank, request.row) &&
         (is_first || spec_.policy.page != Policy::Page::closed);
}

void DramChannel::consider_idle_rows(Candidate& best) const {
  for (auto banks = open_banks_ & ~active().banks(); banks != 0; banks &= banks - 1) {
    auto const bank = first_bit(banks);
    auto const unused = timer_.last_use(bank) + spec_.policy.page_timeout;
    auto const cycle = std::max({timer_.earliest_precharge(bank), unused, row_bus_});
    if (cycle >= best.cycle || cycle > calendar_.last_precharge(bank)) continue;
    best = {cycle, UINT64_MAX, Candidate::Kind::idle_precharge, DramQueue::none, bank};
  }
}

DramChannel::Candidate DramChannel::wanted_at(std::size_t bank) const {
  auto const first = active().oldest_of(bank);
  if (oldest_of_bank_only_ || !timer_.is_open(bank)) return wanted_by(first);
  Candidate best;
  for (auto const access : {Access::read, Access::write}) {
    auto const hit = active().oldest_hit(bank, access);
    if (hit != DramQueue::none) keep_better(best, column_for(hit, 0));
  }
  return best.kind == Candidate::Kind::none ? precharge_for(first, 0) : best;
}

DramChannel::Candidate DramChannel::wanted_by(Place place, std::int64_t from) const {
  auto const& request = active()[place].request;
  if (!timer_.is_open(request.bank)) return activate_for(place, from);
  return timer_.is_open_at(request.bank, request.row) ? column_for(place, from)
                                                      : precharge_for(place, from);
}

DramChannel::Candidate DramChannel::column_for(Place place, std::int64_t from) const {
  auto const& [request, arrival, age, n, p, nb, pb] = active()[place];
  auto const earliest = timer_.earliest_column(request.access, request.bank);
  auto const cycle = std::max({earliest, column_bus_, from});
  bool const in_time = cycle <= calendar_.last_column(request.access, request.bank);
  return {in_time ? cycle : never, age, Candidate::Kind::column, place, request.bank};
}

DramChannel::Candidate DramChannel::activate_for(Place place, std::int64_t from) const {
  auto const& entry = active()[place];
  auto const bank = entry.request.bank;
  auto const cycle = std::max({timer_.earliest_activate(bank), row_bus_, from});
  bool const in_time = cycle <= calendar_.last_activate(bank);
  return {in_time ? cycle : never, entry.age, Candidate::Kind::activate, place, bank};
}

DramChannel::Candidate DramChannel::precharge_for(Place place, std::int64_t from) const {
  auto const& entry = active()[place];
  auto const bank = entry.request.bank;
  auto const cycle = std::max({timer_.earliest_precharge(bank), row_bus_, from});
  bool const in_time = cycle <= calendar_.last_precharge(bank);
  return {in_time ? cycle : never, entry.age, Candidate::Kind::precharge, place, bank};
}

void DramChannel::issue(Candidate const& command, std::vector<DramCompletion>& out) {
  using Kind = DramCommand::Kind;
  bool const is_column = command.kind == Candidate::Kind::column;
  take_bus(command.cycle, is_column);
  if (is_column) {
    issue_column(command, out);
  } else if (command.kind == Candidate::Kind::activate) {
    auto const row = active()[command.place].request.row;
    timer_.activate(command.cycle, command.bank, row);
    open_banks_ |= std::uint64_t{1} << command.bank;
    if (!oldest_of_bank_only_) {
      for (auto& queue : queues_) queue.row_opened(command.bank, row);
    }
    record(Kind::activate, command.cycle, command.bank, row);
  } else {
    timer_.precharge(command.cycle, command.bank);
    close(command.bank);
    record(Kind::precharge, command.cycle, command.bank);
  }
  look_at(command.bank);
}

void DramChannel::issue_column(Candidate const& command, std::vector<DramCompletion>& out) {
  using Kind = DramCommand::Kind;
  auto const request = active()[command.place].request;
  bool const reads = request.access == Access::read;
  timer_.column(command.cycle, request.access, command.bank);
  bool const is_last = queues_[active_].served(command.place);
  bool const closes = is_last && spec_.policy.page == Policy::Page::closed;
  if (closes) {
    timer_.auto_precharge(command.bank);
    close(command.bank);
    record(reads ? Kind::read_precharge : Kind::write_precharge, command.cycle, command.bank);
  } else {
    record(reads ? Kind::read : Kind::write, command.cycle, command.bank);
  }
  if (!is_last) return;
  auto const done = command.cycle + timer_.data_end(request.access) + spec_.policy.latency;
  out.push_back({request.tag, command.cycle, done});
  update_mode();
}

void DramChannel::issue_calendar_event() {
  using Kind = DramCommand::Kind;
  auto const [cycle, is_refresh, first] = calendar_.next();
  bool const one_bank = calendar_.banks_per_target() == 1;
  auto const mask = (one_bank ? 1 : (std::uint64_t{2} << (calendar_.banks_per_target() - 1)) - 1)
                    << first;
  take_bus(cycle, false);
  if (is_refresh) {
    for (std::size_t i = 0; i < calendar_.banks_per_target(); ++i) {
      timer_.block(first + i, cycle + calendar_.length());
    }
    bool const per_bank = spec_.policy.refresh == Policy::Refresh::per_bank;
    record(per_bank ? Kind::refresh_bank : Kind::refresh, cycle, first);
  } else if ((open_banks_ & mask) != 0) {
    for (auto banks = open_banks_ & mask; banks != 0; banks &= banks - 1) {
      timer_.precharge(cycle, first_bit(banks));
      close(first_bit(banks));
    }
    record(one_bank ? Kind::precharge : Kind::precharge_all, cycle, first);
  }
  calendar_.pop();
  for (std::size_t i = 0; i < calendar_.banks_per_target(); ++i) look_at(first + i);
}

void DramChannel::close(std::size_t bank) {
  open_banks_ &= ~(std::uint64_t{1} << bank);
  for (auto& queue : queues_) queue.row_closed(bank);
}

void DramChannel::take_bus(std::int64_t cycle, bool is_column) {
  bool const shared = spec_.policy.command_bus == Policy::CommandBus::shared;
  column_bus_ = shared || is_column ? cycle + 1 : std::max(column_bus_, cycle);
  row_bus_ = shared || !is_column ? cycle + 1 : std::max(row_bus_, cycle);
}

void DramChannel::record(DramCommand::Kind kind, std::int64_t cycle, std::size_t bank,
                         std::uint32_t row) {
  statistics_.count(kind);
  if (observer_) observer_({cycle, kind, static_cast<std::uint16_t>(bank), row});
}

void DramChannel::serialize(std::int64_t now, StateWriter& out) const {
  timer_.serialize(now, out);
  timer_.serialize_uses(now, out);
  calendar_.serialize(now, out);
  for (auto const& queue : queues_) queue.serialize(now, out);
  out.put(static_cast<std::int64_t>(active_));
  out.put(std::max<std::int64_t>(column_bus_ - now, 0));
  out.put(std::max<std::int64_t>(row_bus_ - now, 0));
}

void DramChannel::shift(std::int64_t by) {
  timer_.shift(by);
  calendar_.shift(by);
  for (auto& queue : queues_) queue.shift(by);
  seen_ += by;
  column_bus_ += by;
  row_bus_ += by;
  look_at_all();
  chosen_ = choose();
}

}  // namespace tessera::sim
