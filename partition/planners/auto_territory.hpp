// Where `auto` looks for plans, and what it finds there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "partition/plan/plan.hpp"
#include "partition/plan/sub_array.hpp"
#include "partition/planners/evaluator.hpp"

namespace tessera::partition {

/// The array or a part of it, where plans are made, changed and screened.
struct Territory {
  SubArray part;
  bool is_whole = false;
  std::unique_ptr<Evaluator> timeline;
};

/// A plan for a territory, and how it came about.
struct Candidate {
  Plan plan;
  Territory* where = nullptr;
  std::string seed;
  std::vector<std::string> changes = {};
  std::int64_t micro_batches =
      1;          ///< layerwise: what one sends overlaps with what another computes
  Time guess{0};  ///< on the timeline, or where it has no answer by the sum
  std::optional<Time> simulated = {};  ///< on the whole array, if that was run to its end

  /// Can split_moves() change it?
  [[nodiscard]] bool is_movable() const { return !plan.pipeline; }
};

}  // namespace tessera::partition
