#include "sim/model/fabric/synthetic_traffic.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::sim {

namespace {

__extension__ using Wide = unsigned __int128;

[[nodiscard]] std::uint64_t high_half(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> 64U);
}

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

std::uint64_t RandomNumbers::next() {
  state_ += 0x9E3779B97F4A7C15U;
  auto z = state_;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

std::uint32_t RandomNumbers::below(std::uint32_t bound) {
  return static_cast<std::uint32_t>(high_half(next(), bound));
}

GeometricGap::GeometricGap(double probability) {
  EXPECTS(probability > 0 && probability <= 1, probability);
  // 2^-64 is the least that counts; a certainty survives nothing.
  auto const fails = static_cast<std::uint64_t>(std::ldexp(1 - probability, 63)) * 2;
  survival_.push_back(fails);
  while (survival_.size() < trials) survival_.push_back(high_half(survival_.back(), fails));
}

Tick GeometricGap::draw(RandomNumbers& random) const {
  Tick skipped = 0;
  while (true) {
    auto const chance = random.next();
    // survival_[k - 1] is P(gap > k): the gap is the first k that does not survive.
    // Under high loads that is one of the first two.
    if (chance >= survival_[1]) return skipped + (chance >= survival_[0] ? 1 : 2);
    auto const found = std::partition_point(survival_.begin() + 2, survival_.end(),
                                            [&](std::uint64_t lives) { return chance < lives; });
    if (found != survival_.end()) return skipped + (found - survival_.begin()) + 1;
    skipped += static_cast<Tick>(trials);
  }
}

PacketSource::PacketSource(SyntheticTraffic const& traffic, std::size_t endpoints)
    : traffic_{traffic},
      endpoints_{static_cast<std::uint32_t>(endpoints)},
      side_{square_root(endpoints)},
      random_{traffic.seed},
      gap_{traffic.rate / traffic.packet_flits},
      wakes_{endpoints} {
  EXPECTS(fits(traffic.pattern, endpoints), endpoints);
  for (std::uint32_t endpoint = 0; endpoint < endpoints_; ++endpoint) {
    wakes_.set(endpoint, gap_.draw(random_) - 1);
  }
}

FabricPacket PacketSource::take() {
  auto const source = wakes_.pop();
  wakes_.set(source, wakes_.now() + gap_.draw(random_));
  return {source, destination(source), traffic_.packet_flits, 0};
}

std::uint32_t PacketSource::destination(std::uint32_t source) {
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
