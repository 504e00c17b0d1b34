// What follows from an array's size.
#include "arch/array_spec.hpp"

namespace tessera::arch {

namespace {

struct MacEnergy {
  EnergyTable const& table;

  Energy operator()(MacRateUnitSpec const& /*unit*/) const { return table.multiply + table.add; }
  Energy operator()(ProfileUnitSpec const& /*unit*/) const { return table.multiply + table.add; }
  Energy operator()(CoreUnitSpec const& unit) const { return std::visit(*this, unit.core.unit); }
  Energy operator()(SystolicCoreSpec const& core) const {
    auto const& [multiply, add] = core.energy.of(core.format);
    return multiply + add;
  }
  Energy operator()(RowStationaryCoreSpec const& core) const { return core.energy.mac; }
};

}  // namespace

std::int64_t AcceleratorSpec::macs_per_cycle() const {
  if (auto const* const unit = std::get_if<MacRateUnitSpec>(&processing_unit)) {
    return unit->macs_per_cycle;
  }
  EXPECTS(std::holds_alternative<CoreUnitSpec>(processing_unit), processing_unit.index());
  return std::get<CoreUnitSpec>(processing_unit).core.macs_per_cycle();
}

AcceleratorSpec const& ArraySpec::accelerator(std::size_t index) const {
  return group_of(index).accelerator;
}

AcceleratorGroup const& ArraySpec::group_of(std::size_t accelerator) const {
  auto left = static_cast<std::int64_t>(accelerator);
  for (auto const& group : groups) {
    if (left < group.count) return group;
    left -= group.count;
  }
  EXPECTS(false && "no such accelerator", accelerator, accelerators);
  return groups.front();
}

Hierarchy ArraySpec::hierarchy() const {
  EXPECTS(accelerators > 0, accelerators);
  return Hierarchy{static_cast<std::size_t>(accelerators)};
}

int ArraySpec::levels() const { return static_cast<int>(hierarchy().levels()); }

std::int64_t ArraySpec::lanes_at_root() const {
  if (levels() == 0 || fabric.topology == FabricSpec::Topology::network) return 1;
  bool const is_htree = fabric.topology == FabricSpec::Topology::htree;
  return static_cast<std::int64_t>(hierarchy().group_size(is_htree ? 1 : 0));
}

Bandwidth ArraySpec::lane_bandwidth(int level, std::size_t accelerator) const {
  bool const is_alike = fabric.levels == FabricSpec::Levels::alike;
  EXPECTS(!is_alike || (1 <= level && level <= levels()), level, levels());
  auto const below = hierarchy().group_size(is_alike ? static_cast<std::size_t>(level) : 0);
  auto const lanes = is_alike ? static_cast<std::int64_t>(below) : lanes_at_root();
  bool const is_mixed = groups.size() > 1;
  auto const of_links = is_mixed ? link_bandwidth(group_of(accelerator)) : fabric.bandwidth;
  if (of_links == unlimited_bandwidth) return of_links;
  auto const whole = of_links.value();
  EXPECTS(whole % lanes == 0, whole, lanes);
  return Bandwidth{whole / lanes};
}

Energy mac_energy(AcceleratorSpec const& accelerator, EnergyTable const& table) {
  return std::visit(MacEnergy{table}, accelerator.processing_unit);
}

}  // namespace tessera::arch
