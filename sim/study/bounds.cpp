#include "sim/study/bounds.hpp"

#include "partition/price/work.hpp"
#include "partition/search/planning.hpp"
#include "partition/step/step.hpp"
#include "sim/lower/part_work.hpp"
#include "sim/outcome/accelerator_summary.hpp"

namespace tessera::sim {

namespace {

/// What a step reads and writes at least, as one accelerator would that has all of it: products and
/// updates. What only maps or sums elements may be done on the way.
double least_bytes(workloads::Network const& network, arch::ArraySpec const& array,
                   std::vector<partition::Computation> const& computations) {
  auto plan = partition::empty_plan("", {network, array});
  plan.accelerators = 1;
  partition::Tiling const whole{network, plan};
  Elements moved{0};
  for (auto const& [op, phase] : computations) {
    bool const is_update = phase == workloads::Phase::update;
    if (!is_update && !workloads::multiplies(network.at(op).kind)) continue;
    auto const work = part_work(network, array.accelerator(0), whole, op, phase, 0);
    moved += work.read + work.written;
  }
  return static_cast<double>((network.element_size() * moved.value()).value());
}

/// Of all memories together; 0 where one has no limit.
double bytes_per_second(arch::ArraySpec const& array) {
  double sum = 0;
  for (auto const& group : array.groups) {
    auto const peak = outcome::peak_of(group.accelerator.memory);
    if (!peak) return 0;
    sum += static_cast<double>(group.count) * static_cast<double>(peak->value()) / 8;
  }
  return sum;
}

}  // namespace

Bounds bounds_of(workloads::Network const& network, arch::ArraySpec const& array) {
  Bounds bounds;
  auto const computations = partition::computations_of(network);
  auto const peak_s = partition::least_seconds(network, array, computations);
  if (peak_s > 0) bounds.peak_s = peak_s;
  auto const bandwidth = bytes_per_second(array);
  if (bandwidth > 0) bounds.memory_s = least_bytes(network, array, computations) / bandwidth;
  return bounds;
}

}  // namespace tessera::sim
