// What each bank of a channel wants to do next, and from when on the bank itself allows it; by bank groups.
//
// A wish changes only with its bank. What the banks of a group have in common (their group's, rank's and buses' times) is asked at
// the time of the choice, once for the group. (Precharges have nothing in common but the command bus: one group for all.) So a choice
// compares one number per group, and rarely looks at a bank.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/model/memory/dram_queue.hpp"

namespace tessera::sim {

class DramWishes final {
 public:
  enum class Kind : std::uint8_t { read, write, activate, precharge };

  DramWishes(std::size_t banks, std::size_t banks_per_group);

  /// Of a request.
  struct Wish {
    std::int64_t ready = never;  ///< when the bank allows it
    std::uint64_t age = UINT64_MAX;
    DramQueue::Place place = DramQueue::none;
    std::uint16_t bank = 0;
  };
  static constexpr std::int64_t never = INT64_MAX / 2;

  void forget(std::size_t bank);
  /// Requires that the bank has no wish of this kind.
  void add(Kind kind, Wish const& wish);

  /// One bit per group with such wishes.
  [[nodiscard]] std::uint64_t groups(Kind kind) const { return of(kind).groups; }
  /// When the first bank of the group is ready. Requires one that has such a wish.
  [[nodiscard]] std::int64_t first_ready(Kind kind, std::size_t group) const {
    return of(kind).summaries[group].first_ready;
  }
  /// The oldest wish of those that are ready by `cycle`, which is no earlier than first_ready().
  [[nodiscard]] Wish const& oldest(Kind kind, std::size_t group, std::int64_t cycle) const {
    auto const& summary = of(kind).summaries[group];
    auto const bank =
        summary.last_ready <= cycle ? summary.oldest : oldest_ready(kind, group, cycle);
    return of(kind).wishes[bank];
  }

  [[nodiscard]] static std::size_t first_bit(std::uint64_t word) {
    return static_cast<std::size_t>(__builtin_ctzll(word));
  }

 private:
  /// Of the wishes of a group.
  struct Summary {
    std::int64_t first_ready = never;
    std::int64_t last_ready = -1;
    std::size_t oldest = 0;  ///< bank
    std::uint64_t banks = 0;
  };
  struct OfKind {
    std::uint64_t groups = 0;
    std::vector<Wish> wishes;  ///< by bank
    std::vector<Summary> summaries;
    std::vector<std::uint8_t> group_of;  ///< a bank's
  };

  static void include(OfKind& kind, Summary& summary, std::size_t bank) {
    auto const& wish = kind.wishes[bank];
    bool const is_oldest = summary.banks == 0 || wish.age < kind.wishes[summary.oldest].age;
    summary.first_ready = std::min(summary.first_ready, wish.ready);
    summary.last_ready = std::max(summary.last_ready, wish.ready);
    summary.oldest = is_oldest ? bank : summary.oldest;
    summary.banks |= std::uint64_t{1} << bank;
  }
  [[nodiscard]] std::size_t oldest_ready(Kind kind, std::size_t group, std::int64_t cycle) const;
  [[nodiscard]] OfKind const& of(Kind kind) const { return of_[static_cast<std::size_t>(kind)]; }

  std::array<OfKind, 4> of_;
};

inline void DramWishes::forget(std::size_t bank) {
  auto const bit = std::uint64_t{1} << bank;
  for (auto& kind : of_) {
    auto const group = kind.group_of[bank];
    auto& summary = kind.summaries[group];
    if ((summary.banks & bit) == 0) continue;
    auto left = summary.banks & ~bit;
    if (left == 0) kind.groups &= ~(std::uint64_t{1} << group);
    summary = {};
    for (; left != 0; left &= left - 1) include(kind, summary, first_bit(left));
  }
}

inline void DramWishes::add(Kind of_kind, Wish const& wish) {
  auto& kind = of_[static_cast<std::size_t>(of_kind)];
  auto const group = kind.group_of[wish.bank];
  kind.wishes[wish.bank] = wish;
  kind.groups |= std::uint64_t{1} << group;
  include(kind, kind.summaries[group], wish.bank);
}

}  // namespace tessera::sim
