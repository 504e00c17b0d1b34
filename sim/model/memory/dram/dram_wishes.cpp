// A wish that is first stays first while it waits: what banks share moves for all of them alike, or is told by issued().
#include "sim/model/memory/dram/dram_wishes.hpp"

#include <algorithm>

namespace tessera::sim {

void DramWishList::ask(DramTimer const& timer, DramBuses const& buses) {
  auto const best = first_of(unasked_, timer, buses);
  if (best.is_before(first_)) first_ = best;
  unasked_ = {};
}

DramChoice DramWishList::first_of(BankSet banks, DramTimer const& timer,
                                  DramBuses const& buses) const {
  auto const free = buses.free(command_);
  auto earliest = DramChoice::never;
  BankSet ties;
  for (auto const bank : banks& banks_) {
    auto const& wish = wishes_[bank];
    auto const legal = std::max(std::max(wish.ready, free), timer.gate(wish.gate));
    auto const cycle = legal <= wish.last ? legal : DramChoice::never;
    ties = cycle < earliest ? BankSet{} : ties;
    ties = cycle <= earliest ? ties | BankSet{bank} : ties;
    earliest = std::min(earliest, cycle);
  }
  DramChoice best;
  if (earliest == DramChoice::never || earliest > buses.last(command_)) return best;
  for (auto const bank : ties) {
    auto const& [ready, last, age, slot, gate] = wishes_[bank];
    if (age < best.age) best = {earliest, age, command_, static_cast<std::uint16_t>(bank), slot};
  }
  return best;
}

DramWishes::DramWishes(std::size_t banks)
    : lists_{DramWishList{BankCommand::read, banks}, DramWishList{BankCommand::write, banks},
             DramWishList{BankCommand::activate, banks},
             DramWishList{BankCommand::precharge, banks}} {}

void DramWishes::issued(BankCommand command) {
  if (command == BankCommand::activate) list(BankCommand::activate).forget_first();
  if (!is_column(command)) return;
  list(BankCommand::read).forget_first();
  list(BankCommand::write).forget_first();
}

DramChoice DramWishes::first(DramTimer const& timer, DramBuses const& buses) {
  auto const* best = &list(BankCommand::read).first(timer, buses);
  auto const consider = [&](BankCommand command) {
    auto const& choice = list(command).first(timer, buses);
    if (choice.is_before(*best)) best = &choice;
  };
  consider(BankCommand::write);
  if (best->cycle <= buses.row) return *best;  // no row command comes before
  consider(BankCommand::activate);
  consider(BankCommand::precharge);
  return *best;
}

DramChoice DramWishes::first_of(BankSet banks, DramTimer const& timer,
                                DramBuses const& buses) const {
  DramChoice best;
  for (auto const& list : lists_) {
    auto const choice = list.first_of(banks, timer, buses);
    if (choice.is_before(best)) best = choice;
  }
  return best;
}

}  // namespace tessera::sim
