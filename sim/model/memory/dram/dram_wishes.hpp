// What each bank of a channel wants to do next, and which of these wishes comes true first.
//
// A wish knows from when on its bank allows it and until when the refresh calendar does; both change only with the bank. What banks
// share (their group, rank and buses) is asked at the time of the choice. A bank can wish to read and to write at once (where requests
// of both kinds hit its row), or to be activated, or precharged.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/model/memory/dram/bank_set.hpp"
#include "sim/model/memory/dram/dram_queues.hpp"
#include "sim/model/memory/dram/dram_timer.hpp"

namespace tessera::sim {

/// A command that is wanted, and the first cycle at which it may be issued.
struct DramChoice {
  static constexpr std::int64_t never = INT64_MAX / 2;

  std::int64_t cycle = never;
  std::uint64_t age = UINT64_MAX;  ///< of the request, as in DramQueue
  BankCommand command = BankCommand::precharge;
  std::uint16_t bank = 0;
  DramQueues::Slot slot;  ///< of the request

  /// Earlier first; of one cycle a column command, then older requests.
  [[nodiscard]] bool is_before(DramChoice const& other) const {
    if (cycle != other.cycle) return cycle < other.cycle;
    bool const column = is_column(command);
    return column != is_column(other.command) ? column : age < other.age;
  }
};

/// The command buses, which can be one.
struct DramBuses {
  std::int64_t column = 0, row = 0;           ///< free from here on
  std::int64_t last_act = DramChoice::never;  ///< a later activate meets a slot of the calendar

  [[nodiscard]] std::int64_t free(BankCommand command) const {
    return is_column(command) ? column : row;
  }
  [[nodiscard]] std::int64_t last(BankCommand command) const {
    return command == BankCommand::activate ? last_act : DramChoice::never;
  }
};

/// The wishes for one command, at most one of a bank. The first one is remembered: until something
/// moves that banks share, only banks that have changed are asked again.
class DramWishList final {
 public:
  struct Wish {
    std::int64_t ready = 0;  ///< the bank allows it from here on ...
    std::int64_t last = 0;   ///< ... and the calendar until here
    std::uint64_t age = 0;   ///< of the request
    DramQueues::Slot slot;
    std::uint16_t gate = 0;  ///< of the timer
  };

  DramWishList(BankCommand command, std::size_t banks) : command_{command}, wishes_(banks) {}

  void add(std::size_t bank, Wish const& wish) {
    wishes_[bank] = wish;
    banks_.insert(bank);
    unasked_.insert(bank);
  }
  void forget(std::size_t bank) {
    if (!banks_.has(bank)) return;
    banks_.erase(bank);
    unasked_.erase(bank);
    if (first_.bank == bank) forget_first();
  }
  /// Asks all banks at the next choice.
  void forget_first() {
    first_ = {};
    unasked_ = banks_;
  }

  /// The first wish that comes true.
  [[nodiscard]] DramChoice const& first(DramTimer const& timer, DramBuses const& buses) {
    if (first_.cycle < buses.free(command_)) forget_first();
    if (!unasked_.is_empty()) ask(timer, buses);
    return first_;
  }
  /// The first of these banks'.
  [[nodiscard]] DramChoice first_of(BankSet banks, DramTimer const& timer,
                                    DramBuses const& buses) const;

 private:
  void ask(DramTimer const& timer, DramBuses const& buses);

  BankCommand command_;
  std::vector<Wish> wishes_;
  BankSet banks_;     ///< that have one
  BankSet unasked_;   ///< since first_ was chosen
  DramChoice first_;  ///< of the others
};

/// The wishes for all four commands.
class DramWishes final {
 public:
  explicit DramWishes(std::size_t banks);

  void add(BankCommand command, std::size_t bank, DramWishList::Wish const& wish) {
    list(command).add(bank, wish);
  }
  void forget(std::size_t bank) {
    for (auto& list : lists_) list.forget(bank);
  }
  /// This has moved what all banks share.
  void issued(BankCommand command);

  /// The first wish that comes true.
  [[nodiscard]] DramChoice first(DramTimer const& timer, DramBuses const& buses);
  /// The first of these banks'.
  [[nodiscard]] DramChoice first_of(BankSet banks, DramTimer const& timer,
                                    DramBuses const& buses) const;

 private:
  [[nodiscard]] DramWishList& list(BankCommand command) {
    return lists_[static_cast<std::size_t>(command)];
  }

  std::array<DramWishList, 4> lists_;  ///< by BankCommand
};

}  // namespace tessera::sim
