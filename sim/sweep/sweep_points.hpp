// The points of a design space: every combination of its axes that its conditions let through, in the order of the file.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/sweep/sweep_spec.hpp"

namespace tessera::sim {

/// Settings in the order: options, axes, derived values; of one that is included, as it is written.
using SweepPoint = std::vector<SweepSetting>;

/// Throws ConfigError where there are too many to look at or to keep, where there is none, or where
/// a sample asks for more than there are.
[[nodiscard]] std::vector<SweepPoint> points_of(SweepSpec const& spec);

/// The value of a setting as expressions see it.
[[nodiscard]] SweepValue value_of(SweepSetting const& setting);

/// The value of a setting as one line: "[2, 2]", "2 Gb/s".
[[nodiscard]] std::string text_of(SweepSetting const& setting);

}  // namespace tessera::sim
