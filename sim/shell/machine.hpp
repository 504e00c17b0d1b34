// The whole array as a tree of SystemC modules: accelerators with their cores in them, the cores of the fabric between them, and the
// wires that its wiring lists.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/host/hosted_run.hpp"
#include "sim/shell/core_module.hpp"

namespace tessera::sim::shell {

/// Cores by CoreId, those that are built.
using CoreModules = IdVector<CoreId, std::unique_ptr<CoreModule>>;

/// A room for the modules of one accelerator's cores.
class Accelerator final : public sc_core::sc_module {
 public:
  /// Builds the modules of `own` into `modules`, which must outlive the accelerator.
  Accelerator(sc_core::sc_module_name const& name, host::HostedRun& run,
              std::vector<CoreId> const& own, CoreModules& modules);

  [[nodiscard]] char const* kind() const override { return "accelerator"; }
};

class Machine final : public sc_core::sc_module {
 public:
  /// `run` must outlive the machine.
  Machine(sc_core::sc_module_name const& name, host::HostedRun& run);

  [[nodiscard]] char const* kind() const override { return "array"; }

  /// What has no module, but is part of core "messages".
  struct Part {
    char const* name = "";
    char const* kind = "";
  };
  /// What the array has, by the basename of its module, and what was simulated for it: in a folded
  /// array that stands for several.
  struct Hardware {
    std::string name;
    std::string original;
    char const* carried = nullptr;  ///< a "router", "link": no module, but part of core "messages"
    std::vector<Part> parts;        ///< of an accelerator, by name
  };
  [[nodiscard]] std::vector<Hardware> hardware() const;

 private:
  [[nodiscard]] std::vector<Part> parts_of(arch::NodeId accelerator) const;
  [[nodiscard]] Hardware fabric_part(std::string const& name, std::string const& original,
                                     char const* kind) const;
  void list_nodes(arch::Topology const& whole, std::vector<Hardware>& into) const;
  void build_accelerators();
  void connect();

  host::HostedRun& run_;
  CoreModules modules_;
  std::vector<std::unique_ptr<Accelerator>> accelerators_;  ///< by AcceleratorId
};

}  // namespace tessera::sim::shell
