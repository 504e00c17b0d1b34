// Traffic as networks on chips are measured with: every endpoint starts a packet in a cycle with the same probability (Bernoulli), for
// a destination that a pattern says (Dally and Towles, "Principles and practices of interconnection networks", 2004, section 3.2).
//
// The same numbers on every machine: gaps are drawn from integers, not by a logarithm.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/model/fabric/packet/fabric_packet.hpp"

namespace tessera::sim {

/// The upper 64 bits of the product.
[[nodiscard]] inline std::uint64_t high_half(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> 64U);
}

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

/// Packets per endpoint and cycle. With fewer a test of any length is as good as empty.
inline constexpr double least_packet_rate = 1e-9;

struct SyntheticTraffic {
  TrafficPattern pattern = TrafficPattern::uniform;
  double rate = 0.1;  ///< flits per endpoint and cycle; at most one packet
  std::uint32_t packet_flits = 1;
  std::uint64_t seed = 1;
};

/// Random numbers (SplitMix64: Steele et al., OOPSLA 2014).
class RandomNumbers final {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_{seed} {}
  [[nodiscard]] std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    auto z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  /// From 0 to `bound` - 1.
  [[nodiscard]] std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(high_half(next(), bound));
  }

 private:
  std::uint64_t state_;
};

/// How many trials that succeed with a probability there are up to and with the next success.
///
/// The distribution's inverse from a table, and where to look in it from another one (Chen and
/// Asau, "On generating random variates from an empirical distribution", 1974).
class GeometricGap final {
 public:
  /// Of a success: from `least_packet_rate` to 1.
  explicit GeometricGap(double probability);
  [[nodiscard]] Tick draw(RandomNumbers& random) const {
    Tick skipped = 0;
    while (true) {
      auto const chance = random.next();
      std::size_t gap = guide_[chance >> guide_shift];
      while (gap < trials && chance < survival_[gap]) ++gap;
      if (gap < trials) return skipped + static_cast<Tick>(gap) + 1;
      skipped += static_cast<Tick>(trials);
    }
  }

 private:
  static constexpr std::size_t trials = 64;
  static constexpr unsigned guide_shift = 56;
  std::array<std::uint64_t, trials> survival_{};  ///< [k]: P(gap > k + 1), in units of 2^-64
  std::array<std::uint8_t, 256> guide_{};  ///< by the first eight bits: the least that it can be
};

/// The packets of all endpoints, in the order of their cycles.
///
/// Every endpoint tries in every cycle, so all trials are one sequence: from one packet to the next
/// it is a number of trials, whoever they are of.
class PacketSource final {
 public:
  PacketSource(SyntheticTraffic const& traffic, std::size_t endpoints);

  /// When the next packet starts.
  [[nodiscard]] Tick next_time() const { return time_; }
  /// Takes it. Its tag is 0.
  [[nodiscard]] FabricPacket take() {
    auto const source = static_cast<std::uint32_t>(endpoint_);
    move_on();
    return {source, destination(source), traffic_.packet_flits, 0};
  }

 private:
  void move_on() {
    endpoint_ += gap_.draw(random_);
    if (endpoint_ < endpoints_) return;
    time_ += endpoint_ / endpoints_;
    endpoint_ %= endpoints_;
  }
  [[nodiscard]] std::uint32_t destination(std::uint32_t source) {
    if (traffic_.pattern == TrafficPattern::uniform) return random_.below(endpoints_);
    return other_destination(source);
  }
  [[nodiscard]] std::uint32_t other_destination(std::uint32_t source);

  SyntheticTraffic traffic_;
  std::uint32_t endpoints_;
  std::uint32_t side_;
  RandomNumbers random_;
  GeometricGap gap_;
  Tick time_ = 0;
  Tick endpoint_ = -1;
};

}  // namespace tessera::sim
