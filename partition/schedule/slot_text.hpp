// Slots and replicas as messages name them.
#pragma once

#include <string>

#include "partition/schedule/pipeline_program.hpp"

namespace tessera::partition {

/// "backward_data": a pass as a plan's file writes it, too.
[[nodiscard]] char const* name(Pass pass);

/// "backward of micro-batch 3", with the chunk where stages have several; "update 2".
[[nodiscard]] std::string text_of(Slot const& slot, PipelineShape const& shape);

/// "stage 1", with the replica where it has several.
[[nodiscard]] std::string stage_text(PipelineShape const& shape, std::size_t stage,
                                     std::size_t replica);

}  // namespace tessera::partition
