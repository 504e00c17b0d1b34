#include "sim/outcome/accelerator_summary.hpp"

#include <variant>

namespace tessera::sim::outcome {

namespace {

double peak_macs_per_s(arch::AcceleratorSpec const& spec) {
  if (std::holds_alternative<arch::ProfileUnitSpec>(spec.processing_unit)) return 0;
  return static_cast<double>(spec.macs_per_cycle()) * static_cast<double>(spec.clock.value());
}

}  // namespace

std::optional<Bandwidth> peak_of(arch::MemorySpec const& memory) {
  if (auto const* const spec = std::get_if<arch::BandwidthMemorySpec>(&memory)) {
    if (spec->bandwidth == unlimited_bandwidth) return std::nullopt;
    return spec->bandwidth;
  }
  if (auto const* const spec = std::get_if<arch::DramMemorySpec>(&memory)) {
    return spec->dram.peak_bandwidth();
  }
  return std::nullopt;
}

/// Each accelerator's resources follow its dispatcher.
std::vector<traces::AcceleratorEntry> accelerator_entries(Outcome const& outcome) {
  auto const& folding = outcome.blueprint.folding();
  std::vector<traces::AcceleratorEntry> entries;
  for (Resource const& resource : outcome.resources) {
    if (resource.kind == Resource::Kind::dispatcher) {
      auto const& spec = outcome.blueprint.array.accelerator(entries.size());
      auto& entry = entries.emplace_back();
      auto const index = entries.size() - 1;
      entry.accelerator = static_cast<std::uint32_t>(index);
      entry.mirrors =
          static_cast<std::uint32_t>(folding.accelerator(folding.representative(index)));
      entry.peak_macs_per_s = peak_macs_per_s(spec);
      entry.peak_memory = peak_of(spec.memory).value_or(Bandwidth{0});
    } else if (resource.kind == Resource::Kind::processing_unit) {
      entries.back().macs = Macs{resource.statistic("macs")};
      entries.back().busy = Time{resource.statistic("busy")};
    } else if (resource.kind == Resource::Kind::memory) {
      entries.back().memory_bytes =
          Bytes{resource.statistic("bytes_read") + resource.statistic("bytes_written")};
    }
  }
  return entries;
}

}  // namespace tessera::sim::outcome
