// Device meshes: accelerators in an order, seen as groups within groups. A plan splits operators over the axes of a mesh; the array's
// own hierarchy is the mesh of all its accelerators, in order.
#pragma once

#include <cstddef>
#include <vector>

#include "arch/base/hierarchy.hpp"

namespace tessera::partition {

/// For example {{4, 5, 6, 7}, {2, 2}}: accelerators 4 and 5 are the first half of axis 0, 4 and 6
/// the first parts along axis 1. An accelerator's place in the list is its position in the mesh.
struct DeviceMesh {
  std::vector<std::size_t> devices;  ///< accelerators, each once; row by row
  std::vector<std::size_t> arity;    ///< parts along each axis, outermost first, at least two each

  /// By position.
  [[nodiscard]] Hierarchy hierarchy() const { return Hierarchy{arity}; }

  friend bool operator==(DeviceMesh const& a, DeviceMesh const& b) {
    return a.devices == b.devices && a.arity == b.arity;
  }
};

/// All accelerators of an array, in the levels of its hierarchy.
[[nodiscard]] DeviceMesh hierarchy_mesh(Hierarchy const& hierarchy);

}  // namespace tessera::partition
