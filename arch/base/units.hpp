// The units that a text may give a quantity in. Internal to arch/base.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arch/base/quantity.hpp"

namespace tessera::detail {

/// factor * 10^exponent base units.
struct Unit {
  std::string_view name;
  std::int64_t factor = 1;
  int exponent = 0;
};

/// The units of one quantity.
struct UnitFamily {
  std::string_view quantity;  ///< with its article: "a time"
  std::string_view base;      ///< what the type counts in: "ps"
  std::string_view example;   ///< "40 ns"
  std::vector<Unit> units;    ///< smallest first

  /// "ps, ns, us, ms, s"
  [[nodiscard]] std::string names() const;
};

/// For Time, Frequency, Bandwidth, Bytes and Energy.
template <typename Q>
[[nodiscard]] UnitFamily units_of();

template <>
[[nodiscard]] UnitFamily units_of<Time>();
template <>
[[nodiscard]] UnitFamily units_of<Frequency>();
template <>
[[nodiscard]] UnitFamily units_of<Bandwidth>();
template <>
[[nodiscard]] UnitFamily units_of<Bytes>();
template <>
[[nodiscard]] UnitFamily units_of<Energy>();

}  // namespace tessera::detail
