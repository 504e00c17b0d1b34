// Small heterogeneous arrays, and plans with ratios, for property tests.
#pragma once

#include <cstdint>
#include <random>
#include <variant>

#include "arch/load.hpp"
#include "partition/plan.hpp"

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

/// Gives every second split a share from 0.1 to 0.9.
inline void unbalance(partition::Plan& plan, std::mt19937_64& random) {
  for (auto& splits : plan.splits) {
    for (auto& split : splits) {
      if (split && random() % 2 == 0) split->first = 0.1 * static_cast<double>(1 + random() % 9);
    }
  }
}

}  // namespace tessera::test
