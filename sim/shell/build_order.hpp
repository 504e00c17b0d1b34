// The order in which modules are built: a choice that must not matter, so tests reverse it.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "sim/shell/run.hpp"

namespace tessera::sim::shell {

/// Takes the steps in order, or from the last to the first.
inline void build(RunOptions::ModuleOrder order, std::vector<std::function<void()>> steps) {
  if (order == RunOptions::ModuleOrder::reverse) std::reverse(steps.begin(), steps.end());
  for (auto const& step : steps) step();
}

}  // namespace tessera::sim::shell
