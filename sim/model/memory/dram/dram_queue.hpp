// The requests that wait in a channel: in order of arrival as a whole and bank by bank, with the oldest row hits of each bank at hand.
//
// A fixed number of places; nothing is allocated after construction.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/model/memory/dram/bank_set.hpp"
#include "sim/model/memory/dram/dram_command.hpp"
#include "sim/model/protocol/core.hpp"

namespace tessera::sim {

class DramQueue final {
 public:
  /// A place in the queue.
  using Place = std::uint16_t;
  static constexpr Place none = UINT16_MAX;

  struct Entry {
    DramRequest request;
    std::int64_t arrival = 0;
    std::uint64_t age = 0;  ///< number of the request: smaller is older
    Place next = none, previous = none;
    Place next_of_bank = none, previous_of_bank = none;
  };

  /// `places` shared by all banks, behind which each bank has `bank_places` of its own.
  DramQueue(std::size_t places, std::size_t bank_places, std::size_t banks);

  [[nodiscard]] bool is_empty() const { return size_ == 0; }
  [[nodiscard]] bool is_full() const { return shared_ == places_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t size_of(std::size_t bank) const { return banks_[bank].size; }
  [[nodiscard]] Place oldest() const { return oldest_; }
  [[nodiscard]] Place next(Place place) const { return entries_[place].next; }
  [[nodiscard]] Entry const& operator[](Place place) const { return entries_[place]; }
  /// Those with requests.
  [[nodiscard]] BankSet banks() const { return occupied_; }
  [[nodiscard]] Place oldest_of(std::size_t bank) const { return banks_[bank].first; }
  /// The oldest read or write for the open row of the bank; none where no row is open.
  [[nodiscard]] Place oldest_hit(std::size_t bank, Access access) const {
    return banks_[bank].hits[index_of(access)];
  }

  /// `is_hit`: its row is open.
  void push(std::int64_t arrival, std::uint64_t age, DramRequest const& request, bool is_hit);
  /// The first request of a bank, or its first hit, becomes one of this queue, by its age.
  void take_from(DramQueue& other, Place place);
  /// Takes one burst off; true when it was the last one, and the entry is gone.
  bool served(Place place);
  void row_opened(std::size_t bank, std::uint32_t row);
  void row_closed(std::size_t bank) { banks_[bank].hits = {none, none}; }

  /// `age_of_next`: of the request that comes next; 0 where only the order of this queue counts.
  void serialize(std::int64_t now, std::uint64_t age_of_next, StateWriter& out) const;
  void shift(std::int64_t by);

 private:
  struct Bank {
    Place first = none, last = none;
    std::array<Place, 2> hits{none, none};
    std::size_t size = 0;
  };

  void insert(Entry const& entry, bool is_hit);
  void link(Place place);
  void link_in_bank(Place place);
  void remove(Place place);
  [[nodiscard]] Place find(Place from, Access access, std::uint32_t row) const;

  std::vector<Entry> entries_;
  std::vector<Bank> banks_;
  BankSet occupied_;
  std::size_t places_, bank_places_;
  std::size_t size_ = 0;
  std::size_t shared_ = 0;  ///< taken of the shared places
  Place oldest_ = none, youngest_ = none;
  Place free_ = none;
};

}  // namespace tessera::sim
