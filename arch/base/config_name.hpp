// Names of things: of networks, arrays, cores, operators, planners. They are printed, and become parts of file names.
#pragma once

#include <string>

#include "arch/base/config.hpp"

namespace tessera {

/// Letters, digits and _ - . /, and none of - . / at its beginning.
[[nodiscard]] std::string read_name(ConfigNode const& node);

/// The nearest that is a name: what may not stand in one is '_'.
[[nodiscard]] std::string as_name(std::string text);

}  // namespace tessera
