// Physical quantities as types: no implicit way in or out, and only the arithmetic that has a meaning.
//
//   Time const wire = packet / link.bandwidth;   // compiles: Bytes / Bandwidth is a Time
//   Time const oops = packet + link.latency;     // does not
//
// Integer quantities check every operation: an overflow is a ContractError, never a wrong number.
#pragma once

#include <cstdint>
#include <ostream>
#include <type_traits>

#include "arch/base/contract.hpp"

namespace tessera {

namespace detail {

template <typename Rep>
[[nodiscard]] constexpr Rep checked_add(Rep a, Rep b) {
  if constexpr (std::is_integral_v<Rep>) {
    Rep sum{};
    bool const overflow = __builtin_add_overflow(a, b, &sum);
    EXPECTS(!overflow, a, b);
    return sum;
  } else {
    return a + b;
  }
}

template <typename Rep>
[[nodiscard]] constexpr Rep checked_subtract(Rep a, Rep b) {
  if constexpr (std::is_integral_v<Rep>) {
    Rep difference{};
    bool const overflow = __builtin_sub_overflow(a, b, &difference);
    EXPECTS(!overflow, a, b);
    return difference;
  } else {
    return a - b;
  }
}

template <typename Rep>
[[nodiscard]] constexpr Rep checked_multiply(Rep a, Rep b) {
  if constexpr (std::is_integral_v<Rep>) {
    Rep product{};
    bool const overflow = __builtin_mul_overflow(a, b, &product);
    EXPECTS(!overflow, a, b);
    return product;
  } else {
    return a * b;
  }
}

/// ceil(a * b / c) for a >= 0, b >= 0, c > 0 without intermediate overflow.
[[nodiscard]] constexpr std::int64_t multiply_divide_ceil(std::int64_t a, std::int64_t b,
                                                          std::int64_t c) {
  __extension__ using Wide = __int128;
  EXPECTS(a >= 0 && b >= 0 && c > 0, a, b, c);
  Wide const quotient = (static_cast<Wide>(a) * b + (c - 1)) / c;
  EXPECTS(quotient <= static_cast<Wide>(INT64_MAX), a, b, c);
  return static_cast<std::int64_t>(quotient);
}

}  // namespace detail

/// A number with a unit. `Tag` names the unit and `Rep` holds it.
template <typename Tag, typename Representation>
class Quantity {
 public:
  using Rep = Representation;

  constexpr Quantity() = default;
  explicit constexpr Quantity(Rep value) : value_{value} {}

  /// The bare number, in the unit that the tag documents. Only for the edges: files, traces, kernel
  /// time.
  [[nodiscard]] constexpr Rep value() const { return value_; }

  constexpr Quantity& operator+=(Quantity other) { return *this = *this + other; }
  constexpr Quantity& operator-=(Quantity other) { return *this = *this - other; }

  friend constexpr Quantity operator+(Quantity a, Quantity b) {
    return Quantity{detail::checked_add(a.value_, b.value_)};
  }
  friend constexpr Quantity operator-(Quantity a, Quantity b) {
    return Quantity{detail::checked_subtract(a.value_, b.value_)};
  }
  friend constexpr Quantity operator*(Quantity a, Rep factor) {
    return Quantity{detail::checked_multiply(a.value_, factor)};
  }
  friend constexpr Quantity operator*(Rep factor, Quantity a) { return a * factor; }

  /// How many whole `b` are in `a`. Requires a >= 0, b > 0.
  friend constexpr Rep operator/(Quantity a, Quantity b) {
    EXPECTS(a.value_ >= 0 && b.value_ > 0, a.value_, b.value_);
    return a.value_ / b.value_;
  }
  /// How many `b` cover `a`.
  [[nodiscard]] friend constexpr Rep ceil_ratio(Quantity a, Quantity b) {
    return a / b + (a.value_ % b.value_ == 0 ? 0 : 1);
  }

  friend constexpr bool operator==(Quantity a, Quantity b) { return a.value_ == b.value_; }
  friend constexpr bool operator!=(Quantity a, Quantity b) { return a.value_ != b.value_; }
  friend constexpr bool operator<(Quantity a, Quantity b) { return a.value_ < b.value_; }
  friend constexpr bool operator<=(Quantity a, Quantity b) { return a.value_ <= b.value_; }
  friend constexpr bool operator>(Quantity a, Quantity b) { return a.value_ > b.value_; }
  friend constexpr bool operator>=(Quantity a, Quantity b) { return a.value_ >= b.value_; }

  friend std::ostream& operator<<(std::ostream& out, Quantity q) {
    return out << q.value_ << Tag::unit;
  }

 private:
  Rep value_{};
};

struct TimeTag {
  static constexpr char const* unit = " ps";
};
struct CyclesTag {
  static constexpr char const* unit = " cycles";
};
struct ElementsTag {
  static constexpr char const* unit = " elements";
};
struct BytesTag {
  static constexpr char const* unit = " B";
};
struct MacsTag {
  static constexpr char const* unit = " MAC";
};
struct FrequencyTag {
  static constexpr char const* unit = " Hz";
};
struct BandwidthTag {
  static constexpr char const* unit = " bit/s";
};
struct EnergyTag {
  static constexpr char const* unit = " J";
};

using Time = Quantity<TimeTag, std::int64_t>;            ///< picoseconds
using Cycles = Quantity<CyclesTag, std::int64_t>;        ///< clock cycles of a named clock
using Elements = Quantity<ElementsTag, std::int64_t>;    ///< tensor elements
using Bytes = Quantity<BytesTag, std::int64_t>;          ///< bytes
using Macs = Quantity<MacsTag, std::int64_t>;            ///< multiply-accumulates
using Frequency = Quantity<FrequencyTag, std::int64_t>;  ///< hertz
using Bandwidth = Quantity<BandwidthTag, std::int64_t>;  ///< bits per second
using Energy = Quantity<EnergyTag, double>;              ///< joules; derived once from event counts

inline constexpr std::int64_t picoseconds_per_second = 1'000'000'000'000;

/// Of a wire that whatever is sent occupies for no time: a file's `unlimited`.
inline constexpr Bandwidth unlimited_bandwidth{INT64_MAX};

/// How long `size` occupies a wire of `rate`, rounded up to a picosecond. Requires rate > 0.
[[nodiscard]] constexpr Time operator/(Bytes size, Bandwidth rate) {
  if (rate == unlimited_bandwidth) return Time{0};
  return Time{detail::multiply_divide_ceil(detail::checked_multiply(size.value(), std::int64_t{8}),
                                           picoseconds_per_second, rate.value())};
}

/// The energy of `count` events at `each`.
[[nodiscard]] constexpr Energy operator*(std::int64_t count, Energy each) {
  return each * static_cast<double>(count);
}

[[nodiscard]] constexpr double seconds(Time time) {
  return static_cast<double>(time.value()) / static_cast<double>(picoseconds_per_second);
}

}  // namespace tessera
