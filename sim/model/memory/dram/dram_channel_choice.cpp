// What the channel does next: steps 3 to 5 of dram_channel.hpp, asked only when the answer can have changed.
#include <algorithm>

#include "sim/model/memory/dram/dram_channel.hpp"

namespace tessera::sim {

using Policy = arch::DramPolicy;

DramChoice DramChannel::choose() {
  auto best = in_order_ ? choose_in_order() : choose_first_ready();
  if (policy_.page == Policy::Page::timeout) consider_idle_rows(best);
  return best;
}

DramChoice DramChannel::choose_first_ready() {
  auto const slot = queues_.oldest();
  if (slot.is_none()) return {};
  auto const best = wishes_.first(timer_, buses_);
  auto const& oldest = queues_[slot];
  auto const starved = oldest.arrival + policy_.starvation_cap;
  if (best.cycle < starved) return best;
  // From then on only the oldest request counts at its bank.
  auto const others = queues_.banks() - BankSet{oldest.request.bank};
  auto const of_others = wishes_.first_of(others, timer_, buses_);
  auto const of_oldest = wanted_by(slot, starved);
  return of_oldest.is_before(of_others) ? of_oldest : of_others;
}

DramChoice DramChannel::choose_in_order() const {
  DramChoice best;
  auto const& queue = queues_.in_order();
  if (queue.is_empty()) return best;
  auto const consider = [&](DramChoice const& choice) {
    if (choice.is_before(best)) best = choice;
  };
  Slot const oldest{0, queue.oldest()};
  if (is_column(needed_by(oldest))) consider(wanted_by(oldest));
  // A row that closes itself is open for the first request of its bank.
  bool const may_be_other_row = policy_.page != Policy::Page::closed;
  for (auto const bank : may_be_other_row ? queue.banks() & open_banks_ : BankSet{}) {
    auto const first = queues_.first_of(bank);
    if (needed_by(first) == BankCommand::precharge) consider(wanted_by(first));
  }
  auto slot = oldest;
  while (!slot.is_none() && is_prepared(slot)) slot.place = queue.next(slot.place);
  if (slot.is_none()) return best;
  bool const is_first = queue.oldest_of(queue[slot.place].request.bank) == slot.place;
  if (is_first && needed_by(slot) == BankCommand::activate) consider(wanted_by(slot));
  return best;
}

bool DramChannel::is_prepared(Slot slot) const {
  bool const is_first = queues_.first_of(queues_[slot].request.bank).place == slot.place;
  return is_column(needed_by(slot)) && (is_first || policy_.page != Policy::Page::closed);
}

void DramChannel::consider_idle_rows(DramChoice& best) const {
  auto constexpr precharge = BankCommand::precharge;
  for (auto const bank : open_banks_ - queues_.banks()) {
    auto const unused = timer_.last_use(bank) + policy_.page_timeout;
    auto const cycle = std::max({timer_.earliest(precharge, bank), unused, buses_.row});
    if (cycle >= best.cycle || cycle > calendar_.last(precharge, bank)) continue;
    best = {cycle, UINT64_MAX, precharge, static_cast<std::uint16_t>(bank), {}};
  }
}

BankCommand DramChannel::needed_by(Slot slot) const {
  auto const& request = queues_[slot].request;
  if (!timer_.is_open(request.bank)) return BankCommand::activate;
  return timer_.is_open_at(request.bank, request.row) ? column_command(request.access)
                                                      : BankCommand::precharge;
}

DramChoice DramChannel::wanted_by(Slot slot, std::int64_t from) const {
  auto const& entry = queues_[slot];
  auto const bank = entry.request.bank;
  auto const command = needed_by(slot);
  auto const cycle = std::max({timer_.earliest(command, bank), buses_.free(command), from});
  bool const in_time = cycle <= std::min(calendar_.last(command, bank), buses_.last(command));
  return {in_time ? cycle : never, entry.age, command, bank, slot};
}

void DramChannel::look_at(BankSet banks) {
  for (auto const bank : banks) look_at(bank);
}

void DramChannel::look_at(std::size_t bank) {
  if (in_order_) return;
  wishes_.forget(bank);
  auto const first = queues_.first_of(bank);
  if (first.is_none()) return;
  if (!timer_.is_open(bank)) return wish(BankCommand::activate, first);
  bool hits = false;
  for (auto const access : {Access::read, Access::write}) {
    auto const hit = hit_at(bank, access);
    if (hit.is_none()) continue;
    wish(column_command(access), hit);
    hits = true;
  }
  if (!hits) wish(BankCommand::precharge, first);
}

DramChannel::Slot DramChannel::hit_at(std::size_t bank, Access access) const {
  if (!oldest_of_bank_only_) return queues_.oldest_hit(bank, access);
  auto const first = queues_.first_of(bank);
  return needed_by(first) == column_command(access) ? first : Slot{};
}

void DramChannel::wish(BankCommand command, Slot slot) {
  auto const& entry = queues_[slot];
  auto const bank = entry.request.bank;
  wishes_.add(command, bank,
              {timer_.of_bank(command, bank), calendar_.last(command, bank), entry.age, slot,
               timer_.gate_of(command, bank)});
}

}  // namespace tessera::sim
