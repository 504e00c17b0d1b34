// The modules of a machine, as its hardware is: what was simulated, from SystemC's own tree, and what that stands for.
#pragma once

#include <string>
#include <vector>

namespace tessera::sim {

struct ModuleEntry {
  std::string name;     ///< "array.accelerator-3.memory.vault-17"
  std::string kind;     ///< "vault"
  std::string mirrors;  ///< the module that was simulated and stands for this one, too
  std::string unused;   ///< why nothing is simulated here; empty: something is

  [[nodiscard]] bool is_simulated() const { return mirrors.empty() && unused.empty(); }
};

namespace shell {

class Machine;

/// All modules, each behind the one that it is in; siblings in order of their names, numbers by
/// value, in whatever order they were built.
[[nodiscard]] std::vector<ModuleEntry> list_modules(Machine const& machine);

}  // namespace shell

}  // namespace tessera::sim
