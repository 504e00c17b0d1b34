// What follows from an array's size.
#include "arch/array/array_spec.hpp"

#include <cstdlib>

namespace tessera::arch {

namespace {

struct MacEnergy {
  EnergyTable const& table;

  Energy operator()(MacRateUnitSpec const& /*unit*/) const { return table.multiply + table.add; }
  Energy operator()(ProfileUnitSpec const& /*unit*/) const { return table.multiply + table.add; }
  Energy operator()(ModelledUnitSpec const& /*unit*/) const { return table.multiply + table.add; }
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
  if (auto const* const unit = std::get_if<ModelledUnitSpec>(&processing_unit)) {
    return unit->macs_per_cycle;
  }
  EXPECTS(std::holds_alternative<CoreUnitSpec>(processing_unit), processing_unit.index());
  return std::get<CoreUnitSpec>(processing_unit).core.macs_per_cycle();
}

double DramMemorySpec::standby_watts() const {
  auto const watts = dram.standby_watts();
  if (!links) return watts;
  auto const bits_per_s = static_cast<double>(dram.hmc.value().peak_bandwidth().value());
  return watts + bits_per_s * dram.hmc->link_idle_bit.value();
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

Bandwidth ArraySpec::own_share_of_root(Bandwidth at_root) const {
  if (levels() == 0) return at_root;
  auto const links_at_root = fabric.topology == FabricSpec::Topology::htree ? 2 : 1;
  auto const [whole, rest] = std::div(at_root.value(), accelerators);
  return Bandwidth{whole * links_at_root + rest * links_at_root / accelerators};
}

Bandwidth ArraySpec::lane_bandwidth(int level, std::size_t accelerator) const {
  bool const is_mixed = groups.size() > 1;
  auto const of_link = is_mixed ? link_bandwidth(group_of(accelerator)) : fabric.link_bandwidth;
  if (fabric.levels == FabricSpec::Levels::halved) return of_link;
  if (of_link == unlimited_bandwidth) return of_link;
  EXPECTS(1 <= level && level <= levels(), level, levels());
  auto const lanes =
      static_cast<std::int64_t>(hierarchy().group_size(static_cast<std::size_t>(level)));
  EXPECTS(of_link.value() % lanes == 0, of_link, lanes);
  return Bandwidth{of_link.value() / lanes};
}

Energy mac_energy(AcceleratorSpec const& accelerator, EnergyTable const& table) {
  return std::visit(MacEnergy{table}, accelerator.processing_unit);
}

}  // namespace tessera::arch
