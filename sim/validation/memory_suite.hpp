// The suite `memory`: DRAM models against other simulators and against data sheets.
#pragma once

#include <memory>

#include "sim/validation/suite.hpp"

namespace tessera::sim {

[[nodiscard]] std::unique_ptr<Suite> memory_suite();

}  // namespace tessera::sim
