// Time and commands: what is chosen (dram_channel_choice.cpp) happens at the first cycle at which it may.
#include "sim/model/memory/dram_channel.hpp"

#include <algorithm>
#include <utility>

namespace tessera::sim {

namespace {

using Policy = arch::DramPolicy;

[[nodiscard]] DramQueue make_queue(Policy const& policy, std::size_t banks) {
  return {static_cast<std::size_t>(policy.queue_depth),
          static_cast<std::size_t>(policy.bank_queue_depth), banks};
}

}  // namespace

DramChannel::DramChannel(arch::DramSpec const& spec, Observer observer)
    : spec_{spec},
      observer_{std::move(observer)},
      in_order_{spec.policy.scheduler == Policy::Scheduler::fcfs},
      oldest_of_bank_only_{spec.policy.page == Policy::Page::closed || in_order_},
      timer_{spec},
      calendar_{spec},
      wishes_{timer_.banks()},
      queues_{make_queue(spec.policy, timer_.banks()), make_queue(spec.policy, timer_.banks())} {
  update_last_activate();
}

void DramChannel::push(std::int64_t cycle, DramRequest const& request) {
  EXPECTS(cycle == seen_ + 1 && request.bank < timer_.banks() && request.bursts > 0, cycle, seen_);
  auto const active_before = active_;
  auto& queue = queues_[queue_of(request.access)];
  bool const is_hit = !oldest_of_bank_only_ && timer_.is_open_at(request.bank, request.row);
  bool const is_first = queue.oldest_of(request.bank) == DramQueue::none;
  bool const is_first_hit =
      is_hit && queue.oldest_hit(request.bank, request.access) == DramQueue::none;
  queue.push(cycle, pushed_++, request, is_hit);
  update_mode();
  if (active_ == active_before && &queue != &queues_[active_]) return;
  // Behind others at its bank, a request changes nothing yet.
  if (active_ == active_before && !is_first && !is_first_hit) return;
  look_at(request.bank);
  chosen_ = choose();
}

void DramChannel::update_mode() {
  if (!is_separate()) return;
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
  buses_.column = std::max(buses_.column, now + 1);
  buses_.row = std::max(buses_.row, now + 1);
}

std::int64_t DramChannel::advance_to_room(Access access, std::vector<DramCompletion>& out) {
  while (!has_room(access)) advance(*next_wakeup(), out);
  return seen_ + 1;
}

std::optional<std::int64_t> DramChannel::next_wakeup() const {
  if (is_idle()) return std::nullopt;
  return std::min(chosen_.cycle, calendar_.next().cycle);
}

void DramChannel::issue(DramChoice const& choice, std::vector<DramCompletion>& out) {
  take_bus(choice.cycle, choice.command);
  if (is_column(choice.command)) {
    issue_column(choice, out);
  } else if (choice.command == BankCommand::activate) {
    open(choice.cycle, choice.bank, active()[choice.place].request.row);
  } else {
    timer_.precharge(choice.cycle, choice.bank);
    close(choice.bank);
    record(DramCommand::Kind::precharge, choice.cycle, choice.bank);
  }
  wishes_.issued(choice.command);
  look_at(choice.bank);
}

void DramChannel::open(std::int64_t cycle, std::size_t bank, std::uint32_t row) {
  timer_.activate(cycle, bank, row);
  open_banks_.insert(bank);
  if (!oldest_of_bank_only_) {
    for (auto& queue : queues_) queue.row_opened(bank, row);
  }
  record(DramCommand::Kind::activate, cycle, bank, row);
}

void DramChannel::issue_column(DramChoice const& choice, std::vector<DramCompletion>& out) {
  using Kind = DramCommand::Kind;
  auto const request = active()[choice.place].request;
  bool const reads = request.access == Access::read;
  timer_.column(choice.cycle, request.access, choice.bank);
  bool const is_last = queues_[active_].served(choice.place);
  bool const closes = is_last && spec_.policy.page == Policy::Page::closed;
  if (closes) {
    timer_.auto_precharge(choice.bank);
    close(choice.bank);
    record(reads ? Kind::read_precharge : Kind::write_precharge, choice.cycle, choice.bank);
  } else {
    record(reads ? Kind::read : Kind::write, choice.cycle, choice.bank);
  }
  if (!is_last) return;
  auto const done = choice.cycle + timer_.data_end(request.access) + spec_.policy.latency;
  out.push_back({request.tag, choice.cycle, done});
  update_mode();
}

void DramChannel::issue_calendar_event() {
  using Kind = DramCommand::Kind;
  auto const [cycle, is_refresh, first] = calendar_.next();
  auto const targets = BankSet::range(first, calendar_.banks_per_target());
  take_bus(cycle, BankCommand::precharge);
  if (is_refresh) {
    for (auto const bank : targets) timer_.block(bank, cycle + calendar_.length());
    bool const per_bank = spec_.policy.refresh == Policy::Refresh::per_bank;
    record(per_bank ? Kind::refresh_bank : Kind::refresh, cycle, first);
  } else if (auto const open = open_banks_ & targets; !open.is_empty()) {
    for (auto const bank : open) {
      timer_.precharge(cycle, bank);
      close(bank);
    }
    bool const one_bank = calendar_.banks_per_target() == 1;
    record(one_bank ? Kind::precharge : Kind::precharge_all, cycle, first);
  }
  calendar_.pop();
  update_last_activate();
  wishes_.issued(BankCommand::activate);
  for (auto const bank : targets) look_at(bank);
}

void DramChannel::close(std::size_t bank) {
  open_banks_.erase(bank);
  for (auto& queue : queues_) queue.row_closed(bank);
}

void DramChannel::take_bus(std::int64_t cycle, BankCommand command) {
  bool const shared = spec_.policy.command_bus == Policy::CommandBus::shared;
  bool const column = is_column(command);
  auto const end = cycle + (command == BankCommand::activate ? spec_.timing.tACT : 1);
  buses_.column = shared || column ? end : std::max(buses_.column, cycle);
  buses_.row = shared || !column ? end : std::max(buses_.row, cycle);
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
  out.put(std::max<std::int64_t>(buses_.column - now, 0));
  out.put(std::max<std::int64_t>(buses_.row - now, 0));
}

void DramChannel::shift(std::int64_t by) {
  timer_.shift(by);
  calendar_.shift(by);
  for (auto& queue : queues_) queue.shift(by);
  seen_ += by;
  buses_.column += by;
  buses_.row += by;
  update_last_activate();
  look_at_all();
  chosen_ = choose();
}

}  // namespace tessera::sim
