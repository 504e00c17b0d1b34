// What follows from an array's size.
#include "arch/array_spec.hpp"

namespace tessera::arch {

int ArraySpec::levels() const {
  EXPECTS(accelerators > 0, accelerators);
  int levels = 0;
  while ((std::int64_t{1} << levels) < accelerators) ++levels;
  ENSURES((std::int64_t{1} << levels) == accelerators, accelerators);
  return levels;
}

std::int64_t ArraySpec::lanes_at_root() const {
  if (levels() == 0) return 1;
  bool const is_htree = fabric.topology == FabricSpec::Topology::htree;
  return std::int64_t{1} << (is_htree ? levels() - 1 : levels());
}

Bandwidth ArraySpec::lane_bandwidth() const {
  auto const whole = fabric.bandwidth.value();
  EXPECTS(whole % lanes_at_root() == 0, fabric.bandwidth, lanes_at_root());
  return Bandwidth{whole / lanes_at_root()};
}

}  // namespace tessera::arch
