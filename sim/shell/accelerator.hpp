// One accelerator as a SystemC module.
//
//   synchronizer <--> dispatcher --+-- processing-unit
//                                  +-- memory --- vaults or channels (memory_module.hpp)
//                                  +-- network-interface -------------- links
//                                        +---(others pass through)---- router --- links
#pragma once

#include <memory>

#include "sim/model/array/array_cores.hpp"
#include "sim/shell/core_module.hpp"
#include "sim/shell/memory_module.hpp"

namespace tessera::sim::shell {

class Accelerator final : public sc_core::sc_module {
 public:
  /// `links` is how many links leave it; in a fabric of packets there is one way in. `cores` and
  /// `supervisor` must outlive the module.
  Accelerator(sc_core::sc_module_name const& name, AcceleratorCores& cores, Port links,
              Supervisor& supervisor);

  [[nodiscard]] char const* kind() const override { return "accelerator"; }

  OutputPort to_synchronizer{"to_synchronizer"};
  InputPort from_synchronizer{"from_synchronizer"};
  sc_core::sc_vector<OutputPort> to_links{"to_links"};  ///< by place among its outgoing links
  InputPort from_links{"from_links"};                   ///< packets
  InputPort sent{"sent"};                               ///< what its outgoing links have sent

 private:
  void build(AcceleratorCores& cores, Supervisor& supervisor);
  void connect_units();
  void connect_fabric();

  std::unique_ptr<CoreModule> dispatcher_;
  std::unique_ptr<CoreModule> processing_unit_;
  std::unique_ptr<MemoryModule> memory_;
  std::unique_ptr<CoreModule> network_interface_;
  std::unique_ptr<CoreModule> router_;  ///< where messages of others pass through
};

}  // namespace tessera::sim::shell
