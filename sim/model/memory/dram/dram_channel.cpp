// Time and commands: what is chosen (dram_channel_choice.cpp) happens at the first cycle at which it may.
#include "sim/model/memory/dram/dram_channel.hpp"

#include <algorithm>
#include <utility>

namespace tessera::sim {

namespace {

using Policy = arch::DramPolicy;

}  // namespace

DramChannel::DramChannel(arch::DramSpec const& spec, Observer observer)
    : policy_{spec.policy},
      activate_clocks_{spec.timing.tACT},
      observer_{std::move(observer)},
      in_order_{spec.policy.scheduler == Policy::Scheduler::fcfs},
      oldest_of_bank_only_{spec.policy.page == Policy::Page::closed || in_order_},
      timer_{spec},
      calendar_{spec},
      wishes_{timer_.banks()},
      queues_{spec.policy, timer_.banks()},
      open_rows_{spec.organization.all_ranks(), timer_.banks()} {
  update_last_activate();
}

void DramChannel::push(std::int64_t cycle, DramRequest const& request) {
  EXPECTS(cycle == seen_ + 1 && request.bank < timer_.banks() && request.bursts > 0, cycle, seen_);
  bool const is_hit = !oldest_of_bank_only_ && timer_.is_open_at(request.bank, request.row);
  auto const changed = queues_.push(cycle, pushed_++, request, is_hit);
  // Behind others at its bank, a request changes nothing yet.
  if (changed.is_empty()) return;
  look_at(changed);
  chosen_ = choose();
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
  statistics_.active_clocks += open_rows_.count_to(now);
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
  BankSet changed{choice.bank};
  if (is_column(choice.command)) {
    changed = issue_column(choice, out);
  } else if (choice.command == BankCommand::activate) {
    changed = open(choice);
  } else {
    timer_.precharge(choice.cycle, choice.bank);
    close(choice.bank, choice.cycle);
    record(DramCommand::Kind::precharge, choice.cycle, choice.bank);
  }
  // A column command is chosen before a row command of the same cycle.
  buses_.column = std::max(buses_.column, choice.cycle + 1);
  wishes_.issued(choice.command);
  look_at(changed);
}

BankSet DramChannel::open(DramChoice const& choice) {
  auto const row = queues_[choice.slot].request.row;
  auto const opened = timer_.activate(choice.cycle, choice.bank, row);
  open_banks_.insert(choice.bank);
  statistics_.active_clocks += open_rows_.open(choice.cycle, choice.bank, opened);
  if (!oldest_of_bank_only_) queues_.row_opened(choice.bank, row);
  record(DramCommand::Kind::activate, choice.cycle, choice.bank, row);
  return queues_.activated(choice.slot);
}

BankSet DramChannel::issue_column(DramChoice const& choice, std::vector<DramCompletion>& out) {
  using Kind = DramCommand::Kind;
  auto const request = queues_[choice.slot].request;
  bool const reads = request.access == Access::read;
  bool const is_last = request.bursts == 1;
  timer_.column(choice.cycle, request.access, choice.bank);
  bool const closes = is_last && policy_.page == Policy::Page::closed;
  if (closes) {
    close(choice.bank, timer_.auto_precharge(choice.bank));
    record(reads ? Kind::read_precharge : Kind::write_precharge, choice.cycle, choice.bank);
  } else {
    record(reads ? Kind::read : Kind::write, choice.cycle, choice.bank);
  }
  if (is_last) {
    auto const done = choice.cycle + timer_.data_end(request.access) + policy_.latency;
    out.push_back({request.tag, choice.cycle, done});
  }
  return queues_.served(choice.slot);
}

void DramChannel::issue_calendar_event() {
  using Kind = DramCommand::Kind;
  auto const [cycle, is_refresh, first] = calendar_.next();
  auto const targets = BankSet::range(first, calendar_.banks_per_target());
  take_bus(cycle, BankCommand::precharge);
  if (is_refresh) {
    for (auto const bank : targets) timer_.block(bank, cycle + calendar_.length());
    bool const per_bank = policy_.refresh == Policy::Refresh::per_bank;
    record(per_bank ? Kind::refresh_bank : Kind::refresh, cycle, first);
  } else if (auto const open = open_banks_ & targets; !open.is_empty()) {
    for (auto const bank : open) {
      timer_.precharge(cycle, bank);
      close(bank, cycle);
    }
    bool const one_bank = calendar_.banks_per_target() == 1;
    record(one_bank ? Kind::precharge : Kind::precharge_all, cycle, first);
  }
  calendar_.pop();
  update_last_activate();
  wishes_.issued(BankCommand::activate);
  look_at(targets);
}

void DramChannel::close(std::size_t bank, std::int64_t cycle) {
  open_banks_.erase(bank);
  open_rows_.close(bank, cycle);
  queues_.row_closed(bank);
}

void DramChannel::take_bus(std::int64_t cycle, BankCommand command) {
  bool const shared = policy_.command_bus == Policy::CommandBus::shared;
  bool const column = is_column(command);
  auto const end = cycle + (command == BankCommand::activate ? activate_clocks_ : 1);
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
  if (policy_.page == Policy::Page::timeout) timer_.serialize_uses(now, out);
  calendar_.serialize(now, out);
  queues_.serialize(now, pushed_, out);
  out.put(std::max<std::int64_t>(buses_.column - now, 0));
  out.put(std::max<std::int64_t>(buses_.row - now, 0));
  open_rows_.serialize(now, out);
}

void DramChannel::shift(std::int64_t by) {
  timer_.shift(by);
  calendar_.shift(by);
  queues_.shift(by);
  open_rows_.shift(by);
  seen_ += by;
  buses_.column += by;
  buses_.row += by;
  update_last_activate();
  look_at(BankSet::range(0, timer_.banks()));
  chosen_ = choose();
}

}  // namespace tessera::sim
