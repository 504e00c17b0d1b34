// A phase of an operator on a systolic core whose memory has one bandwidth: kernel after kernel, each a start and a stream of
// tiles. What TileEngine takes for the phase's TileProgram against such a memory, in closed form.
//
// The surplus of an activation over its products is worked off behind the last one, while its last sums are stored.
#pragma once

#include "sim/model/compute/compute_cost.hpp"

namespace tessera::sim {

struct PhaseOnCore {
  arch::CoreSpec const& spec;
  arch::SystolicCoreSpec const& core;  ///< of `spec`
  OperatorShape const& shape;
  workloads::Phase phase;
  ComputeOptions const& options;
};

struct PhaseStream {
  Cycles cycles{0};
  Cycles products{0};  ///< of which the matrix units were at work
  Bytes traffic{0};
};

[[nodiscard]] PhaseStream stream_phase(PhaseOnCore const& phase);

}  // namespace tessera::sim
