// Options of planners that search: numbers within bounds.
#pragma once

#include <cstdint>
#include <string>

#include "arch/base/config.hpp"

namespace tessera::partition {

/// A number from 0 on.
[[nodiscard]] double read_number(ConfigMap& options, std::string const& key, double fallback);

/// From 0 to 1.
[[nodiscard]] double read_fraction(ConfigMap& options, std::string const& key, double fallback);

/// A whole number from 1 on.
[[nodiscard]] std::int64_t read_whole(ConfigMap& options, std::string const& key,
                                      std::int64_t fallback);

}  // namespace tessera::partition
