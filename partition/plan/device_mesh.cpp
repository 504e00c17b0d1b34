#include "partition/plan/device_mesh.hpp"

#include <numeric>

namespace tessera::partition {

DeviceMesh hierarchy_mesh(Hierarchy const& hierarchy) {
  DeviceMesh mesh{std::vector<std::size_t>(hierarchy.accelerators()), hierarchy.ways()};
  std::iota(mesh.devices.begin(), mesh.devices.end(), std::size_t{0});
  return mesh;
}

}  // namespace tessera::partition
