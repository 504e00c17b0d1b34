// A set of banks of one channel, which has 64 at most: one bit for each.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::sim {

class BankSet final {
 public:
  constexpr BankSet() = default;
  constexpr explicit BankSet(std::size_t bank) : bits_{std::uint64_t{1} << bank} {}
  /// `count` of them, from `first` on.
  [[nodiscard]] static constexpr BankSet range(std::size_t first, std::size_t count) {
    return of_bits((count == 0 ? 0 : ~std::uint64_t{0} >> (64 - count)) << first);
  }

  [[nodiscard]] constexpr bool is_empty() const { return bits_ == 0; }
  [[nodiscard]] constexpr bool has(std::size_t bank) const { return (bits_ >> bank & 1) != 0; }
  constexpr void insert(std::size_t bank) { bits_ |= std::uint64_t{1} << bank; }
  constexpr void erase(std::size_t bank) { bits_ &= ~(std::uint64_t{1} << bank); }

  friend constexpr BankSet operator&(BankSet a, BankSet b) { return of_bits(a.bits_ & b.bits_); }
  friend constexpr BankSet operator|(BankSet a, BankSet b) { return of_bits(a.bits_ | b.bits_); }
  /// Those of `a` that are not in `b`.
  friend constexpr BankSet operator-(BankSet a, BankSet b) { return of_bits(a.bits_ & ~b.bits_); }

  /// The banks, in order.
  class Iterator {
   public:
    constexpr explicit Iterator(std::uint64_t left) : left_{left} {}
    constexpr std::size_t operator*() const {
      return static_cast<std::size_t>(__builtin_ctzll(left_));
    }
    constexpr Iterator& operator++() {
      left_ &= left_ - 1;
      return *this;
    }
    friend constexpr bool operator!=(Iterator a, Iterator b) { return a.left_ != b.left_; }

   private:
    std::uint64_t left_;
  };
  [[nodiscard]] constexpr Iterator begin() const { return Iterator{bits_}; }
  [[nodiscard]] constexpr Iterator end() const { return Iterator{0}; }

 private:
  [[nodiscard]] static constexpr BankSet of_bits(std::uint64_t bits) {
    BankSet set;
    set.bits_ = bits;
    return set;
  }

  std::uint64_t bits_ = 0;
};

}  // namespace tessera::sim
