// The whole array as a tree of SystemC modules: accelerators, switches and links (or one fabric of packets), and the synchronizer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/model/array/array_cores.hpp"
#include "sim/shell/accelerator.hpp"

namespace tessera::sim::shell {

class Machine final : public sc_core::sc_module {
 public:
  /// `cores` and `supervisor` must outlive the machine.
  Machine(sc_core::sc_module_name const& name, ArrayCores& cores, Supervisor& supervisor);

  [[nodiscard]] char const* kind() const override { return "array"; }

  /// What the array has, by the basename of its module, and the module that was built for it: in a
  /// folded array it stands for several.
  struct Hardware {
    std::string name;
    std::string original;
  };
  [[nodiscard]] std::vector<Hardware> hardware() const;

 private:
  void build_accelerators();
  void build_switches();
  void build_links();
  void build_packets();
  void build_synchronizer();
  void connect_link(arch::LinkId id);
  void connect_packets();
  void connect_synchronizer();
  /// Where what arrives at a node goes to.
  [[nodiscard]] InputPort& entry(arch::NodeId node);
  /// What leads from a node to one of its outgoing links.
  [[nodiscard]] OutputPort& exit(arch::NodeId node, std::size_t place);

  ArrayCores& cores_;
  Supervisor& supervisor_;
  std::vector<std::unique_ptr<Accelerator>> accelerators_;  ///< by AcceleratorId
  std::vector<std::unique_ptr<CoreModule>> switches_;       ///< by NodeId, less the accelerators
  std::vector<std::unique_ptr<CoreModule>> links_;          ///< by LinkId
  std::unique_ptr<CoreModule> packets_;                     ///< in place of switches and links
  std::unique_ptr<CoreModule> synchronizer_;
};

}  // namespace tessera::sim::shell
