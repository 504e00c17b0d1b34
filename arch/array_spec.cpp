// What follows from an array's size.
#include "arch/array_spec.hpp"

namespace tessera::arch {

std::int64_t AcceleratorSpec::macs_per_cycle() const {
  if (auto const* const unit = std::get_if<MacRateUnitSpec>(&processing_unit)) {
    return unit->macs_per_cycle;
  }
  return std::get<CoreUnitSpec>(processing_unit).core.macs_per_cycle();
}

AcceleratorSpec const& ArraySpec::accelerator(std::size_t index) const {
  auto left = static_cast<std::int64_t>(index);
  for (auto const& group : groups) {
    if (left < group.count) return group.accelerator;
    left -= group.count;
  }
  EXPECTS(false && "no such accelerator", index, accelerators);
  return groups.front().accelerator;
}

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

Bandwidth ArraySpec::lane_bandwidth(int level) const {
  bool const is_alike = fabric.levels == FabricSpec::Levels::alike;
  EXPECTS(!is_alike || (1 <= level && level <= levels()), level, levels());
  auto const lanes = is_alike ? std::int64_t{1} << (levels() - level) : lanes_at_root();
  auto const whole = fabric.bandwidth.value();
  EXPECTS(whole % lanes == 0, fabric.bandwidth, lanes);
  return Bandwidth{whole / lanes};
}

}  // namespace tessera::arch
