// Quantities as text: the units of each family, and exact decimal arithmetic between them. Internal to arch/base.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "arch/base/quantity.hpp"

namespace tessera::detail {

/// A text is no such quantity; what() says why and what would be.
class QuantityTextError final : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The quantity that `text` means: a decimal number and a unit. Converts without rounding ("0.1 ns"
/// is 100 ps); what the type cannot hold exactly, a negative number, a missing unit and a unit of
/// another family throw QuantityTextError. Energy is a double: the nearest one.
template <typename Q>
[[nodiscard]] Q parse_quantity(std::string_view text);

template <>
[[nodiscard]] Time parse_quantity<Time>(std::string_view text);
template <>
[[nodiscard]] Frequency parse_quantity<Frequency>(std::string_view text);
template <>
[[nodiscard]] Bandwidth parse_quantity<Bandwidth>(std::string_view text);
template <>
[[nodiscard]] Bytes parse_quantity<Bytes>(std::string_view text);
template <>
[[nodiscard]] Energy parse_quantity<Energy>(std::string_view text);

}  // namespace tessera::detail
