// Rounds of a collective that are one and the same, one after the other: as when pieces of one size
// go round a ring.
#pragma once

#include <vector>

#include "partition/geometry/reshard.hpp"

namespace tessera::partition {

/// The same exchanges, where rounds that repeat the one before are one step of several rounds. They
/// repeat it if between the same accelerators as much is sent, everybody sends on in a round what
/// one exchange of the round before has brought, and waits else for nothing but what the first
/// round waits for. What waits for one of its rounds then waits for the last.
[[nodiscard]] std::vector<ReshardStep> merge_equal_rounds(std::vector<ReshardStep> const& steps);

}  // namespace tessera::partition
