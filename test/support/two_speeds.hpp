// Small heterogeneous arrays, and plans with ratios, for property tests.
#pragma once

#include <cstdint>
#include <random>
#include <variant>

#include "arch/array/load.hpp"
#include "partition/plan/plan.hpp"

namespace tessera::test {

/// HyPar's array with `accelerators`, of which all but the first `slow` are `times` as fast.
[[nodiscard]] inline arch::ArraySpec two_speeds(std::int64_t accelerators, std::int64_t slow,
                                                std::int64_t times) {
  auto array = arch::load("hypar-paper", {"accelerators=" + std::to_string(accelerators)});
  auto fast = array.groups.front().accelerator;
  std::get<arch::MacRateUnitSpec>(fast.processing_unit).macs_per_cycle *= times;
  array.groups.front().count = slow;
  array.groups.push_back({accelerators - slow, fast});
  return array;
}

/// Gives about every second split a share of so many `parts`: 0.1 to 0.9, or with 4 parts 0.25 to
/// 0.75. Only between halves.
inline void unbalance(partition::Plan& plan, std::mt19937_64& random, std::uint64_t parts = 10) {
  auto const hierarchy = plan.hierarchy();
  for (auto& splits : plan.splits) {
    for (std::size_t level = 0; level < splits.size(); ++level) {
      auto& split = splits[level];
      if (!split || random() % 2 != 0 || hierarchy.ways(level) != 2) continue;
      split->first = static_cast<double>(1 + random() % (parts - 1)) / static_cast<double>(parts);
    }
  }
}

}  // namespace tessera::test
