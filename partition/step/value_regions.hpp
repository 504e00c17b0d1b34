// Which part of a tensor a live value is (liveness.hpp).
#pragma once

#include <map>
#include <memory>
#include <tuple>

#include "partition/step/liveness.hpp"

namespace tessera::partition {

/// How an operator has a tensor.
enum class Role { read, written };

/// Who has it, and how: an input or an error of one as it reads it in a phase, `forward` for all
/// phases that have it where the first that reads it does; an output, or its error, as written.
using ValueKey =
    std::tuple<LiveValue::Kind, Role, workloads::OperatorId, workloads::TensorId, workloads::Phase>;

class ValueRegions final {
 public:
  /// Of the accelerator at `position` of the mesh of `stage`, which `tiling` is of.
  ValueRegions(Step const& step, Tiling const& tiling, StageId stage, std::size_t position)
      : network_{*step.network},
        tiling_{tiling},
        equal_{equal_operators(step, stage)},
        position_{position} {}

  /// One for all equal operators.
  [[nodiscard]] std::shared_ptr<Region const> of(ValueKey const& key);

 private:
  [[nodiscard]] workloads::TensorId counterpart(workloads::OperatorId first,
                                                workloads::OperatorId op,
                                                workloads::TensorId tensor) const;
  [[nodiscard]] Region work_out(ValueKey const& key) const;

  workloads::Network const& network_;
  Tiling const& tiling_;
  EqualOperators const& equal_;
  std::size_t position_;
  std::map<ValueKey, std::shared_ptr<Region const>> known_;
};

}  // namespace tessera::partition
