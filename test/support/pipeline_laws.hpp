// What the laws of pipelines share: every schedule, and multiply-accumulates counted on both sides of the lowering.
#pragma once

#include <string>
#include <vector>

#include "partition/price/work.hpp"
#include "sim/task/task_graph.hpp"

namespace tessera::test {

inline std::vector<std::string> const every_schedule = {"layerwise",        "gpipe", "1f1b",
                                                        "interleaved-1f1b", "zb-h1", "zb-h2",
                                                        "pipedream",        "2bw",   "explicit"};

/// Of a step, as an accelerator of `array` is charged for them; updates aside.
inline Macs macs_of_passes(workloads::Network const& network, arch::ArraySpec const& array) {
  using workloads::Phase;
  Macs sum{0};
  for (auto const& op : network.operators()) {
    for (auto const phase : {Phase::forward, Phase::backward_data, Phase::backward_weight}) {
      if (op.has(phase)) sum += partition::macs_charged(array.accelerator(0), op, phase);
    }
  }
  return sum;
}

/// Likewise.
inline Macs macs_of_passes(sim::TaskGraph const& graph) {
  Macs sum{0};
  for (auto const& task : graph.tasks()) {
    if (task.phase != workloads::Phase::update) sum += task.macs;
  }
  return sum;
}

}  // namespace tessera::test
