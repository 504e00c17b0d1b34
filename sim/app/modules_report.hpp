// The tree of modules for people: runs of siblings that are alike in one line.
#pragma once

#include <string>
#include <vector>

#include "sim/study/result.hpp"

namespace tessera::sim {

/// A table with a line for every module, or run of neighbours of one kind, with the same inside and
/// all simulated, mirrored or unused; how many there are in the whole array, what they are, and
/// what was simulated. Requires each module behind the one that it is in, as list_modules() has
/// them.
[[nodiscard]] std::string modules_report(std::vector<Module> const& modules);

}  // namespace tessera::sim
