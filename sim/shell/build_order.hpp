// The order in which modules are built: a choice that must not matter, so tests reverse it.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "sim/shell/run.hpp"

namespace tessera::sim::shell {

/// Takes the steps in order, or from the last to the first.
inline void build(RunOptions::ModuleOrder order, std::vector<std::function<void()>> steps) {
  if (order == RunOptions::ModuleOrder::reverse) std::reverse(steps.begin(), steps.end());
  for (auto const& step : steps) step();
}

/// `make(index)` for every index of `modules`, in the order that was asked for.
template <typename Module, typename Make>
void build_all(RunOptions::ModuleOrder order, std::vector<std::unique_ptr<Module>>& modules,
               Make make) {
  std::vector<std::function<void()>> steps;
  for (std::size_t index = 0; index < modules.size(); ++index) {
    steps.emplace_back([&modules, make, index] { modules[index] = make(index); });
  }
  build(order, std::move(steps));
}

}  // namespace tessera::sim::shell
