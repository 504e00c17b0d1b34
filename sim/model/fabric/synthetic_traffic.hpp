// Traffic as networks on chips are measured with: every endpoint starts a packet in a cycle with the same probability (Bernoulli), for
// a destination that a pattern says (Dally and Towles, "Principles and practices of interconnection networks", 2004, section 3.2).
//
// The same numbers on every machine: gaps are drawn from integers, not by a logarithm.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/model/fabric/fabric_packet.hpp"

namespace tessera::sim {

enum class TrafficPattern : std::uint8_t {
  uniform,         ///< any endpoint, itself included (as BookSim 2)
  uniform_others,  ///< any other endpoint (as Noxim)
  transpose,       ///< of n = k * k endpoints, (x, y) to (y, x)
  neighbour,       ///< to the next endpoint
  hotspot,         ///< every fifth packet to endpoint 0, the others to any
};

[[nodiscard]] std::vector<std::pair<std::string, TrafficPattern>> const& traffic_patterns();

/// Does the pattern have a meaning for that many endpoints?
[[nodiscard]] bool fits(TrafficPattern pattern, std::size_t endpoints);

struct SyntheticTraffic {
  TrafficPattern pattern = TrafficPattern::uniform;
  double rate = 0.1;  ///< flits per endpoint and cycle, above 0 and at most one packet per cycle
  std::uint32_t packet_flits = 1;
  std::uint64_t seed = 1;
};

/// Random numbers (SplitMix64: Steele et al., OOPSLA 2014).
class RandomNumbers final {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_{seed} {}
  [[nodiscard]] std::uint64_t next();
  /// From 0 to `bound` - 1.
  [[nodiscard]] std::uint32_t below(std::uint32_t bound);

 private:
  std::uint64_t state_;
};

/// Cycles from one success to the next of trials that succeed with a probability.
class GeometricGap final {
 public:
  explicit GeometricGap(double probability);
  [[nodiscard]] Tick draw(RandomNumbers& random) const;

 private:
  static constexpr std::size_t trials = 64;
  std::vector<std::uint64_t> survival_;  ///< P(gap > k), in units of 2^-64
};

/// The packets of all endpoints, in the order of their cycles.
class PacketSource final {
 public:
  PacketSource(SyntheticTraffic const& traffic, std::size_t endpoints);

  /// When the next packet starts.
  [[nodiscard]] Tick next_time() { return wakes_.next_time(); }
  /// Takes it. Its tag is 0.
  [[nodiscard]] FabricPacket take();

 private:
  [[nodiscard]] std::uint32_t destination(std::uint32_t source);

  SyntheticTraffic traffic_;
  std::uint32_t endpoints_;
  std::uint32_t side_;
  RandomNumbers random_;
  GeometricGap gap_;
  WakeQueue wakes_;
};

}  // namespace tessera::sim
