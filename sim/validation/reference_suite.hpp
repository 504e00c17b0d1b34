// The suite of a reference file: plans are made and simulated, and what they took is compared.
#pragma once

#include <map>
#include <string>

#include "sim/study/result.hpp"
#include "sim/validation/references.hpp"
#include "sim/validation/suite.hpp"

namespace tessera::sim {

using SimulatedPoints = std::map<PointName, Point>;

/// Judges a reference by points that were simulated; all of its points must be there.
[[nodiscard]] Row judge(std::string const& suite, Reference const& reference,
                        SimulatedPoints const& points);

}  // namespace tessera::sim
