#include "partition/price/operator_times.hpp"

#include <cmath>

#include "partition/price/work.hpp"

namespace tessera::partition {

using workloads::Operator;
using workloads::PerDim;
using workloads::Phase;

OperatorTimes peak_rates() {
  return [](arch::AcceleratorSpec const& accelerator, Operator const& op, Phase phase,
            PerDim<std::int64_t> const& part) {
    auto time_s = seconds_on_one(accelerator, op, phase);
    for (auto const dim : workloads::all_dims) {
      time_s *= static_cast<double>(part[dim]) / static_cast<double>(op.extents[dim]);
    }
    return time_s;
  };
}

PerDim<std::int64_t> largest_part(Hierarchy const& hierarchy, Operator const& op, Phase phase,
                                  Splits const& splits, std::size_t accelerator) {
  PerDim<double> share;
  for (auto const dim : workloads::all_dims) share[dim] = 1;
  for (std::size_t level = 0; level < splits.size(); ++level) {
    auto const& split = splits[level];
    if (!split || (phase == Phase::update && !op.weight->axis_of(split->dim))) continue;
    auto const ways = hierarchy.ways(level);
    bool const is_first = hierarchy.part(accelerator, level) == 0;
    share[split->dim] *= ways > 2   ? 1 / static_cast<double>(ways)
                         : is_first ? split->first
                                    : 1 - split->first;
  }
  double const rounding = 1e-9;
  auto part = op.extents;
  for (auto const dim : workloads::all_dims) {
    part[dim] =
        std::llround(std::ceil(share[dim] * static_cast<double>(op.extents[dim]) - rounding));
  }
  return part;
}

}  // namespace tessera::partition
