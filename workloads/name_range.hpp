// Ranges of names: conv2_2..4 stands for conv2_2, conv2_3 and conv2_4.
#pragma once

#include <string>
#include <vector>

#include "arch/base/config.hpp"

namespace tessera::workloads {

/// As many operators as a network may hold.
inline constexpr std::int64_t most_operators = 100'000;

[[nodiscard]] ConfigError too_many_operators(ConfigNode const& name);

/// The names of a range, or the one name that it is. Throws ConfigError where it does not ascend.
[[nodiscard]] std::vector<std::string> names_of(ConfigNode const& name);

}  // namespace tessera::workloads
