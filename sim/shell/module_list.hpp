// The modules of a machine, as its hardware is: what was simulated, from SystemC's own tree, and what that stands for.
#pragma once

#include <vector>

#include "sim/host/report.hpp"

namespace tessera::sim {

namespace shell {

class Machine;

/// All modules, each behind the one that it is in; siblings in order of their names, numbers by
/// value, in whatever order they were built.
[[nodiscard]] std::vector<ModuleEntry> list_modules(Machine const& machine);

}  // namespace shell

}  // namespace tessera::sim
