// An array's wiring as data: which cores there are, and which output of which goes to which input. Whoever hosts the cores (SystemC in
// sim/shell, a plain queue of events in sim/engine) builds what is written here, and nothing else.
//
//   synchronizer <--> dispatcher --+-- processing-unit
//                                  +-- memory
//                                  +-- network-interface -------------- links
//                                        +---(others pass through)---- router --- links
//
// Or one core has all dispatchers, network interfaces, routers, switches and links in it (MessageCore):
//
//   synchronizer <--> messages --+-- processing-unit
//                                +-- memory
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/array/array_cores.hpp"

namespace tessera::sim {

using CoreId = Id<struct CoreTag>;

/// A core and what it is connected by.
struct WiredCore {
  std::string name;  ///< "dispatcher", "switch-1", "accelerator-0->switch-1": within its
                     ///< accelerator, or the array
  Core* core = nullptr;
  Port inputs = 1;
  Port outputs = 1;
  Memory* memory = nullptr;  ///< the core, where it is one
};

/// What leaves `from` at `output` arrives at `input` of `to`.
struct Wire {
  CoreId from;
  Port output = 0;
  CoreId to;
  Port input = 0;
};

struct Wiring {
  IdVector<CoreId, WiredCore> cores;
  IdVector<AcceleratorId, std::vector<CoreId>> accelerators;  ///< which cores each one consists of
  std::vector<CoreId> fabric;      ///< switches and links, or one core for all; the synchronizer
  std::optional<CoreId> messages;  ///< a MessageCore, if there is one
  std::vector<Wire> wires;         ///< of an output there is one at most
};

/// `cores` must outlive it.
[[nodiscard]] Wiring wiring_of(ArrayCores& cores);

}  // namespace tessera::sim
