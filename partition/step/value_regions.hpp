// Which part of a tensor a live value is (liveness.hpp).
#pragma once

#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "arch/base/hash.hpp"
#include "partition/geometry/tiling.hpp"
#include "partition/step/liveness.hpp"

namespace tessera::partition {

/// How an operator has a tensor.
enum class Role { read, written };

/// Who has it, and how: an input or an error of one as it reads it in a phase, `forward` for all
/// phases that have it where the first that reads it does; an output, or its error, as written.
using ValueKey =
    std::tuple<LiveValue::Kind, Role, workloads::OperatorId, workloads::TensorId, workloads::Phase>;

struct HashOfValue {
  [[nodiscard]] std::size_t operator()(ValueKey const& key) const {
    auto const& [kind, role, op, tensor, phase] = key;
    return hash_of_key(op.index(), tensor.index(), static_cast<std::uint64_t>(kind),
                       static_cast<std::uint64_t>(role), static_cast<std::uint64_t>(phase));
  }
};
/// Numbers of values, by key.
using ValueNumbers = std::unordered_map<ValueKey, std::size_t, HashOfValue>;

/// Of the accelerators of a stage, those of equal operators once.
class ValueRegions final {
 public:
  /// `tiling` is of `stage`. All must outlive it.
  ValueRegions(Step const& step, Tiling const& tiling, StageId stage)
      : network_{&*step.network}, tiling_{&tiling}, equal_{&equal_operators(step, stage)} {}

  /// Which of at() a value has.
  [[nodiscard]] std::size_t number(ValueKey const& key);
  /// By number, for the accelerator at `position` of the stage's mesh.
  [[nodiscard]] std::vector<Region> at(std::size_t position) const;

 private:
  [[nodiscard]] workloads::TensorId counterpart(workloads::OperatorId first,
                                                workloads::OperatorId op,
                                                workloads::TensorId tensor) const;
  [[nodiscard]] Region work_out(ValueKey const& key, std::size_t position) const;

  workloads::Network const* network_;
  Tiling const* tiling_;
  EqualOperators const* equal_;
  ValueNumbers numbers_;
  std::vector<ValueKey> keys_;  ///< by number
};

}  // namespace tessera::partition
