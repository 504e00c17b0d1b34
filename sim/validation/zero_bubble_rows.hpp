// The bubble rates of Qi et al. (Zero Bubble Pipeline Parallelism, ICLR 2024), Table 5, with the times of its Table 9 that they were
// computed from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

/// The longest time from a stage's first pass to its last, of a simulated step of each row, each in
/// a process of its own.
[[nodiscard]] std::vector<Time> simulated_spans(
    std::vector<ZeroBubbleRow> const& rows, std::size_t workers,
    std::function<void(std::size_t)> const& on_progress = {});

}  // namespace tessera::sim
