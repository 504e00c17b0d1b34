// Values as fields of comma-separated text (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace tessera::sim {

/// In quotes where it has a comma, a quote or a line's end.
[[nodiscard]] std::string csv_cell(std::string_view text);
/// The shortest text that reads as the same number again.
[[nodiscard]] std::string csv_cell(double value);

}  // namespace tessera::sim
