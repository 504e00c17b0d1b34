#include "sim/model/fabric/packet/synthetic_traffic.hpp"

#include <cmath>

namespace tessera::sim {

namespace {

[[nodiscard]] std::uint32_t square_root(std::size_t number) {
  std::uint32_t root = 0;
  while (std::size_t{root + 1} * (root + 1) <= number) ++root;
  return root;
}

}  // namespace

std::vector<std::pair<std::string, TrafficPattern>> const& traffic_patterns() {
  static std::vector<std::pair<std::string, TrafficPattern>> const patterns = {
      {"uniform", TrafficPattern::uniform},
      {"uniform-others", TrafficPattern::uniform_others},
      {"transpose", TrafficPattern::transpose},
      {"neighbour", TrafficPattern::neighbour},
      {"hotspot", TrafficPattern::hotspot}};
  return patterns;
}

bool fits(TrafficPattern pattern, std::size_t endpoints) {
  if (pattern == TrafficPattern::uniform_others) return endpoints > 1;
  auto const side = square_root(endpoints);
  return pattern != TrafficPattern::transpose || std::size_t{side} * side == endpoints;
}

GeometricGap::GeometricGap(double probability) {
  EXPECTS(probability >= least_packet_rate && probability <= 1, probability);
  // 2^-64 is the least that counts; a certainty survives nothing.
  auto const fails = static_cast<std::uint64_t>(std::ldexp(1 - probability, 63)) * 2;
  survival_[0] = fails;
  for (std::size_t k = 1; k < trials; ++k) {
    survival_[k] = high_half(survival_[k - 1], fails);
  }
  for (std::size_t first = 0; first < guide_.size(); ++first) {
    auto const highest = ((std::uint64_t{first} + 1) << guide_shift) - 1;
    std::size_t gap = 0;
    while (gap < trials && highest < survival_[gap]) ++gap;
    guide_[first] = static_cast<std::uint8_t>(gap);
  }
}

PacketSource::PacketSource(SyntheticTraffic const& traffic, std::size_t endpoints)
    : traffic_{traffic},
      endpoints_{static_cast<std::uint32_t>(endpoints)},
      side_{square_root(endpoints)},
      random_{traffic.seed},
      gap_{traffic.rate / traffic.packet_flits} {
  EXPECTS(fits(traffic.pattern, endpoints), endpoints);
  move_on();
}

std::uint32_t PacketSource::other_destination(std::uint32_t source) {
  switch (traffic_.pattern) {
    case TrafficPattern::uniform:
      break;
    case TrafficPattern::uniform_others:
      return (source + 1 + random_.below(endpoints_ - 1)) % endpoints_;
    case TrafficPattern::transpose:
      return source % side_ * side_ + source / side_;
    case TrafficPattern::neighbour:
      return (source + 1) % endpoints_;
    case TrafficPattern::hotspot:
      if (random_.below(5) == 0) return 0;
      break;
  }
  return random_.below(endpoints_);
}

}  // namespace tessera::sim
