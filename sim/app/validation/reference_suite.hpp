// The suite of a reference file: plans are made and simulated, and what they took is compared.
#pragma once

#include <map>
#include <string>

#include "sim/app/result.hpp"
#include "sim/app/validation/references.hpp"
#include "sim/app/validation/suite.hpp"

namespace tessera::sim {

using SimulatedPoints = std::map<PointName, Point>;

/// Judges a reference by points that were simulated; all of its points must be there.
[[nodiscard]] Row judge(std::string const& suite, Reference const& reference,
                        SimulatedPoints const& points);

}  // namespace tessera::sim
