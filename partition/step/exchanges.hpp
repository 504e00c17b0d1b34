// A conversion as what accelerators send each other, in whole elements.
#pragma once

#include <vector>

#include "partition/reshard.hpp"
#include "partition/step/conversion.hpp"
#include "partition/tiling.hpp"

namespace tessera::partition {

/// The exchanges of a conversion that `holders` take part in as receivers (of a gradient's sum: as
/// receivers of summands and senders of sums), one step after another; empty when nothing has to
/// move.
[[nodiscard]] std::vector<ReshardStep> exchanges_of(Tiling const& tiling,
                                                    Conversion const& conversion,
                                                    Holders const& holders);

}  // namespace tessera::partition
