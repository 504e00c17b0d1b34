// What the accelerators of a stage compute in an action: the same in every micro-batch and, but for
// its name, for equal operators, so worked out for the first of them.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "partition/step/step.hpp"
#include "sim/lower/part_work.hpp"
#include "sim/lower/stage_parts.hpp"

namespace tessera::sim {

class ActionWork final {
 public:
  /// All must outlive it.
  ActionWork(arch::ArraySpec const& array, partition::Step const& step)
      : array_{array}, step_{step} {}

  /// There are several micro-batches: what is asked for is kept for the next.
  void keep() { keeps_ = true; }

  /// Of the accelerators at `positions` of the action's stage, which must outlive this, without
  /// addresses. Valid until asked for another action.
  [[nodiscard]] std::vector<PartWork>& of(partition::ActionId id, StageParts const& stage,
                                          partition::Holders const& positions);

 private:
  using Key = std::tuple<workloads::OperatorId, workloads::Phase, partition::Holders const*>;

  /// As of `op`, which is equal to the action's.
  [[nodiscard]] std::vector<PartWork> work_out(workloads::OperatorId op, workloads::Phase phase,
                                               StageParts const& stage,
                                               partition::Holders const& positions) const;

  arch::ArraySpec const& array_;
  partition::Step const& step_;
  bool keeps_ = false;
  std::map<Key, std::vector<PartWork>> known_;  ///< of what is asked for again
  std::vector<PartWork> work_;                  ///< of the last action
};

}  // namespace tessera::sim
