// Draws requests one by one.
#include "test/support/memory/traffic.hpp"

#include <random>

namespace tessera::test {

std::vector<Arrival> random_traffic(arch::DramSpec const& spec, TrafficShape const& shape,
                                    std::size_t count, std::uint64_t seed) {
  std::mt19937_64 generator{seed};
  auto const below = [&](std::int64_t bound) {
    return static_cast<std::int64_t>(generator() % static_cast<std::uint64_t>(bound));
  };
  auto const chance = [&](int per_cent) { return below(100) < per_cent; };
  auto const banks = spec.organization.banks_per_channel();
  std::vector<Arrival> all;
  Arrival it;
  for (std::size_t i = 0; i < count; ++i) {
    it.cycle += below(2 * shape.mean_gap + 1);
    it.request.tag = i;
    it.request.access = chance(shape.writes_per_cent) ? sim::Access::write : sim::Access::read;
    it.request.bursts = static_cast<std::uint16_t>(1 + below(shape.most_bursts));
    if (!chance(shape.repeats_per_cent)) {
      auto const bank = chance(shape.hot_banks_per_cent) ? 0 : below(banks);
      it.request.bank = static_cast<std::uint16_t>(bank);
      it.request.row = static_cast<std::uint32_t>(below(shape.rows));
    }
    all.push_back(it);
  }
  return all;
}

}  // namespace tessera::test
