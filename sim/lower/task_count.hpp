// How many tasks a step becomes, before it is lowered, so that their table need not grow.
#pragma once

#include "partition/step/step_exchanges.hpp"
#include "sim/lower/stage_parts.hpp"

namespace tessera::sim {

/// Of so many micro-batches in all, and of so many steps; if every part has work, and where
/// accelerators overlap communication (else there are barriers, too).
[[nodiscard]] std::size_t task_count(partition::Step const& step,
                                     IdVector<partition::StageId, StageParts> const& stages,
                                     partition::StepExchanges& exchanges,
                                     std::int64_t micro_batches, std::int64_t steps);

}  // namespace tessera::sim
