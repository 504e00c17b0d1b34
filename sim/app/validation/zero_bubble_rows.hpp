// The bubble rates of Qi et al. (Zero Bubble Pipeline Parallelism, ICLR 2024), Table 5, with the times of its Table 9 that they were
// computed from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/base/quantity.hpp"

namespace tessera::sim {

struct ZeroBubbleRow {
  std::string model;     ///< "6.2B"
  std::string schedule;  ///< as `tessera list schedules` has it
  std::int64_t stages = 1;
  std::int64_t chunks = 1;         ///< per stage
  std::int64_t micro_batches = 1;  ///< per step
  Time forward;                    ///< of a micro-batch on a stage, all its chunks
  Time backward_data;              ///< the same
  Time backward_weight;            ///< the same
  Time transfer;                   ///< to another stage
  double bubble_rate = 0;          ///< as published, with four digits

  /// (span - work) / span, of the stage with the longest span.
  [[nodiscard]] double rate_of(Time span) const;
};

[[nodiscard]] std::vector<ZeroBubbleRow> zero_bubble_rows();

}  // namespace tessera::sim
