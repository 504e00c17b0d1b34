// The stages of a plan, as a person and as a script read them.
#pragma once

#include <string>

#include "partition/plan/pipeline.hpp"
#include "sim/study/result.hpp"

namespace tessera::sim {

/// The schedule, and a table with a row for each stage.
[[nodiscard]] std::string stages_text(partition::Pipeline const& pipeline,
                                      workloads::Network const& network);

/// "2", with chunks "2.0".
[[nodiscard]] std::string stage_name(partition::Pipeline const& pipeline, workloads::OperatorId op);

/// [{"operators": [...], "accelerators": [...], "replicas": 2, "activations": "stored"}, ...], with
/// chunks "chunks" in place of "operators".
[[nodiscard]] Json stages_json(partition::Pipeline const& pipeline,
                               workloads::Network const& network);

/// {"kind": "1f1b", "micro_batches": 8, "weight_versions": [1, 1]}, by stage.
[[nodiscard]] Json schedule_json(partition::Pipeline const& pipeline);

}  // namespace tessera::sim
