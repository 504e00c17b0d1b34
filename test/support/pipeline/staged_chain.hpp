// Pipelines whose times are known to the clock: a chain of operators, one to each chunk of each stage, on profiled units with ideal
// memories and a link between any two accelerators. What is simulated of them beside what the twin (pipeline_twin.hpp) says.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/array/array_spec.hpp"
#include "partition/plan/plan.hpp"
#include "sim/shell/run.hpp"
#include "test/support/pipeline_twin.hpp"
#include "workloads/network.hpp"

namespace tessera::test {

/// An accelerator for each replica of each stage, in order. A micro-batch is one sample, a message
/// a word, as are the weights of a chunk.
/// On links between the replicas of a stage nothing takes time.
struct StagedChain {
  std::string schedule = "1f1b";
  partition::Pipeline::Backward backward = partition::Pipeline::Backward::fused;
  partition::PipelineShape shape;
  PipelineTimes times;  ///< in clocks; of a pass through one chunk
  /// In place of profiled units and ideal memories, a stage's times follow from a multiplier and
  /// a memory, from which each pass reads two words and to which it writes one. Of split backward
  /// passes only, since in one unit they would use multiplier and memory at once.
  struct Memory {
    std::int64_t clocks_per_word = 1;
    std::int64_t latency = 0;  ///< clocks

    [[nodiscard]] std::int64_t pass() const { return 3 * clocks_per_word + 2 * latency + 1; }
  };
  std::vector<Memory> memories = {};   ///< per stage, or none
  std::vector<std::size_t> tied = {};  ///< parts that have the weights of part 0
  bool takes_clocks_to_issue = false;  ///< as accelerators do unless their file says otherwise

  [[nodiscard]] std::size_t accelerators() const;
};

/// The operator of a part of the network.
[[nodiscard]] inline std::string part_name(std::size_t part) {
  return "part" + std::to_string(part);
}

[[nodiscard]] workloads::Network network_of(StagedChain const& chain);
[[nodiscard]] arch::ArraySpec array_of(StagedChain const& chain);
[[nodiscard]] partition::Plan plan_of(StagedChain const& chain, workloads::Network const& network,
                                      arch::ArraySpec const& array);

/// When the passes of each accelerator end, a line for each: "accelerator 1: 12 b.forward, 20 ...".
[[nodiscard]] std::string simulated_passes(StagedChain const& chain,
                                           sim::RunOptions const& options = {});
[[nodiscard]] std::string passes_of(StagedChain const& chain, Timeline const& timeline);

/// In clocks, and of the accelerator with the longest span, as makespan() and longest_span().
struct StepClocks {
  std::int64_t time = 0;
  std::int64_t span = 0;
};
[[nodiscard]] StepClocks simulated_clocks(StagedChain const& chain);

}  // namespace tessera::test
