// Networks and fabrics as drawings.
#pragma once

#include "arch/array/array_spec.hpp"
#include "arch/fabric/interconnect_spec.hpp"
#include "sim/app/svg.hpp"
#include "workloads/network.hpp"

namespace tessera::sim {

/// Operators from the input down: each below all that it reads.
[[nodiscard]] Drawing drawing_of(workloads::Network const& network);

/// Accelerators and switches with the links between them: a mesh or torus as its grid, a network of
/// switches level by level, any other as a circle.
[[nodiscard]] Drawing drawing_of(arch::ArraySpec const& array);
/// The same of a fabric by itself; an endpoint and the router that it is are one.
[[nodiscard]] Drawing drawing_of(arch::Fabric const& fabric);

}  // namespace tessera::sim
