// A small language model whose output has the table of its embedding as its weights, or its own, and plans of it.
#pragma once

#include <string>

#include "arch/array/array_spec.hpp"
#include "partition/plan/plan.hpp"
#include "test/support/network_text.hpp"

namespace tessera::test {

/// Has the output the weights of the embedding, or its own?
enum class Output { own, tied };

/// Words and layers, with the table of words as the output's weights; F = B = W of the layers.
[[nodiscard]] inline workloads::Network words(Output output) {
  NetworkText text;
  text.input = "{name: ids, positions: 4}";
  text.batch = "64";
  auto const* const tie = output == Output::tied ? ", tied_to: words" : "";
  return network_of(
      text.with({"{name: words, kind: embedding, input: ids, entries: 1024, outputs: 512}",
                 "{name: a, kind: linear, input: words, outputs: 512}",
                 "{name: b, kind: linear, input: a, outputs: 512}",
                 std::string{"{name: output, kind: linear, input: b, outputs: 1024"} + tie + "}"}));
}

/// Without stages; all but these two split over samples at every level.
[[nodiscard]] inline partition::Plan whole_array_plan(workloads::Network const& network,
                                                      arch::ArraySpec const& array,
                                                      workloads::Dim embedding,
                                                      workloads::Dim output) {
  partition::Plan plan;
  plan.planner = "test";
  plan.network = network.name();
  plan.array = array.name;
  plan.batch = network.batch();
  plan.accelerators = array.accelerators;
  auto const levels = static_cast<std::size_t>(array.levels());
  for (auto const& op : network.operators()) {
    auto dim = workloads::Dim::n;
    if (op.name == "words") dim = embedding;
    if (op.name == "output") dim = output;
    plan.splits.push_back(partition::Splits(levels, dim));
  }
  return plan;
}

/// An operator to a stage, 8 micro-batches.
[[nodiscard]] inline partition::Plan straight_plan(workloads::Network const& network,
                                                   arch::ArraySpec const& array,
                                                   std::string const& schedule) {
  auto plan = whole_array_plan(network, array, workloads::Dim::n, workloads::Dim::n);
  auto& pipeline = plan.pipeline.emplace();
  pipeline.schedule = schedule;
  pipeline.micro_batches = 8;
  for (auto const op : network.operators().ids()) {
    plan.splits[op].clear();
    pipeline.stages.push_back({{{op.index()}, {}}, 1, {{op}}});
  }
  return plan;
}

}  // namespace tessera::test
