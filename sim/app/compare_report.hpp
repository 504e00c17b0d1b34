// What `compare` says: a row a point, means, and how good the predictions were.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arch/array/array_spec.hpp"
#include "sim/study/comparison.hpp"
#include "sim/study/prediction.hpp"

namespace tessera::sim {

struct ComparedOn {
  arch::ArraySpec array;
  std::vector<std::pair<std::string, std::string>> varied;  ///< settings that others have otherwise
};

struct CompareReport {
  /// One array with one choice of settings. All have the same keys in `varied`.
  struct Part {
    ComparedOn on;
    Comparison comparison;
  };
  std::vector<Part> parts;  ///< at least one
  std::size_t planners = 1;
  std::int64_t steps = 1;
  std::optional<PredictionQuality> quality;  ///< of the predicted sums
  std::optional<PredictionQuality> timeline_quality;
};

[[nodiscard]] bool has_failures(CompareReport const& report);
[[nodiscard]] std::string as_json(CompareReport const& report);
[[nodiscard]] std::string as_table(CompareReport const& report);

}  // namespace tessera::sim
