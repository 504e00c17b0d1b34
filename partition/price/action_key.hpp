// What an action of a step is called whatever plan the step is of: who does what for whom. So a plan's actions can be found again in that of
// another plan, and ties on a timeline go by names, not by the order in which tasks were made.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/geometry/tiling.hpp"
#include "partition/plan/plan.hpp"
#include "partition/step/step.hpp"

namespace tessera::partition {

struct ActionKey {
  /// Of several actions that are alike in all else: their number.
  static constexpr unsigned repeat_bits = 4;

  /// Of the number of an operator, which a key has twice.
  [[nodiscard]] static unsigned operator_bits(workloads::Network const& network);
  /// Behind the key, in the rank of a task: its number in the action. As many as 64 bits leave.
  [[nodiscard]] static unsigned task_bits(workloads::Network const& network);
};

/// Of two actions of a step that which comes first has the smaller one, nearly. The lowest
/// repeat_bits are free.
[[nodiscard]] std::uint64_t key_of(workloads::Network const& network, Action const& action);

/// The operators that decide what an action is, besides its own.
[[nodiscard]] std::vector<workloads::OperatorId> others_of(workloads::Network const& network,
                                                           Action const& action);

/// Do both plans split all phases of an operator alike?
[[nodiscard]] bool are_split_alike(Plan const& a, Plan const& b, workloads::OperatorId op);

/// Do both tilings cut all that an operator computes, reads and writes alike?
[[nodiscard]] bool are_cut_alike(workloads::Network const& network, workloads::OperatorId op,
                                 Tiling const& a, Tiling const& b);

}  // namespace tessera::partition
