// The order in which modules are built: a choice that must not matter, so tests reverse it.
#pragma once

#include <cstddef>

#include "sim/host/run_options.hpp"

namespace tessera::sim::shell {

/// `make(index)` for every index below `count`, from the first to the last or the other way.
template <typename Make>
void build(RunOptions::ModuleOrder order, std::size_t count, Make make) {
  bool const is_reverse = order == RunOptions::ModuleOrder::reverse;
  for (std::size_t step = 0; step < count; ++step) make(is_reverse ? count - 1 - step : step);
}

}  // namespace tessera::sim::shell
